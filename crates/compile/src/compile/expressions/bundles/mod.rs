//! Bundles: how many of each value of a type, such as `2 wood + 1 ore`.
//!
//! A program has no bundles. A bundle is a record with a number for each value, so variables, names, parameters and queries
//! need no case for them; as a list, it is the list of the values of which it contains some. A bundle that is constant is a
//! list of [`Type::Amounts`], and one that a seat chooses is a choice of numbers.

mod operators;
mod set;

use crate::compile::compiler::Compiler;
use crate::compile::scope::Binding;
use crate::compile::terms::value::Value;
use crate::names::constant::Constant;
use crate::names::declaration::RecordDecl;
use crate::names::types::{Families, Ty};
use crate::names::world::Symbol;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::{self, ExprKind, Name};
use wyrmgate_program::*;

/// A type of bundles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BundleType {
    pub record: u16,
    /// The type whose values are counted.
    pub values: EnumId,
}

impl Compiler<'_> {
    /// Returns the type of a bundle; `None` for everything else, and for a list of bundles.
    pub(crate) fn bundle_type(&self, ty: Ty) -> Option<BundleType> {
        let record = self.record_type(ty.of).filter(|_| !ty.list)?;
        let values = self.world.records.get(usize::from(record))?.bundle_of?;
        Some(BundleType { record, values })
    }

    /// Returns the type of the bundles of these values.
    pub(crate) fn bundles_of(&self, values: EnumId) -> Option<BundleType> {
        let mut records = (0..).zip(&self.world.records);
        let (record, _) = records.find(|(_, record)| record.bundle_of == Some(values))?;
        Some(BundleType { record, values })
    }

    /// Returns the type of bundles of which a word is the name.
    pub(crate) fn bundle_type_named(&self, expr: &ast::Expr) -> Option<BundleType> {
        let name = expr.as_name()?;
        let Some(Symbol::RecordType(record)) = self.world.symbol(&name.text) else {
            return None;
        };
        let is_bound = self.scope.find(&name.text).is_some();
        self.bundle_type(Ty::one(Type::Record(record)))
            .filter(|_| !is_bound)
    }

    /// Returns how many there are of each value.
    pub(crate) fn amounts_in(&mut self, bundle: Value, ty: BundleType) -> Vec<ExprId> {
        let parts = self.record_decl(ty.record).parts.len();
        (0..parts).map(|at| self.part(bundle, at)).collect()
    }

    /// Returns the values of which a bundle contains some.
    pub(crate) fn values_in(&mut self, bundle: Value, ty: BundleType) -> SetId {
        let amounts = self.amounts_in(bundle, ty);
        let (zero, last) = (self.b.constant(0), amounts.len() as i32 - 1);
        let last = self.b.constant(last);
        let of = self.b.set(Set::Range(zero, last));
        let temp = self.scope.fresh_temp(Ty::one(Type::Enum(ty.values)));
        let value = self.b.temp(temp);
        let amount = self.amount_at(&amounts, value);
        let condition = self.b.binary(Binary::Less, zero, amount);
        self.b.filtered(of, temp, condition)
    }

    /// Returns how many there are of a value that is cheap to evaluate.
    fn amount_at(&mut self, amounts: &[ExprId], value: ExprId) -> ExprId {
        let mut found = self.b.constant(0);
        for (number, amount) in amounts.iter().enumerate().rev() {
            let is_it = self.b.compare(Binary::Equal, value, number as i32);
            found = self.b.expr(Expr::If(is_it, *amount, found));
        }
        found
    }

    /// `b[g]`
    pub(crate) fn amount_of(
        &mut self,
        bundle: Value,
        ty: BundleType,
        index: &ast::Expr,
    ) -> Option<Value> {
        let value = self.one(index, Type::Enum(ty.values))?;
        let amounts = self.amounts_in(bundle, ty);
        if let Expr::Const(value) = self.b.get(value) {
            let known = usize::try_from(value).ok();
            let known = known.and_then(|value| amounts.get(value).copied());
            let amount = known.unwrap_or_else(|| self.b.constant(0));
            return Some(Value::One(amount, Some(Type::Int)));
        }
        let temp = self.scope.fresh_temp(Ty::INT);
        let bound = self.b.temp(temp);
        let amount = Value::One(self.amount_at(&amounts, bound), Some(Type::Int));
        Some(self.bound_around(amount, temp, Value::One(value, None)))
    }

    /// `purse[p][g]`: a variable with all its keys, and then a value.
    pub(crate) fn amount_in_variable(
        &mut self,
        of: &ast::Expr,
        index: &ast::Expr,
    ) -> Option<Option<Value>> {
        let ty = self.bundle_variable(of)?;
        let bundle = self.expr(of, None);
        Some(bundle.and_then(|bundle| self.amount_of(bundle, ty, index)))
    }

    /// Returns the type of a variable of bundles with all its keys.
    pub(super) fn bundle_variable(&self, of: &ast::Expr) -> Option<BundleType> {
        let named = self.records_named(of)?;
        let wanted = named.keys_wanted() + usize::from(named.var.list.is_some());
        let is_one = named.keys.len() == wanted;
        self.bundle_type(Ty::one(Type::Record(named.table)))
            .filter(|_| is_one)
    }

    /// Returns a list of values as the bundle that they make; anything else as it is.
    pub(crate) fn as_bundle(&mut self, value: Value, record: u16) -> Value {
        let wanted = self.bundle_type(Ty::one(Type::Record(record)));
        let (Value::List(list, of), Some(ty)) = (value, wanted) else {
            return value;
        };
        let fits = of.is_none_or(|of| of == Type::Enum(ty.values));
        if fits { self.gathered(list, ty) } else { value }
    }

    /// Returns how often a list contains each value.
    pub(crate) fn gathered(&mut self, list: SetId, ty: BundleType) -> Value {
        let count = self.record_decl(ty.record).parts.len() as i32;
        let of_value = |c: &mut Self, number| {
            let temp = c.scope.fresh_temp(Ty::INT);
            let member = c.b.temp(temp);
            let is_it = c.b.compare(Binary::Equal, member, number);
            let alike = c.b.filtered(list, temp, is_it);
            c.b.expr(Expr::Count(alike))
        };
        let amounts = (0..count).map(|number| of_value(self, number));
        let amounts: Vec<ExprId> = amounts.collect();
        self.record_with(ty.record, &amounts)
    }

    /// `b[p]`: the bundle that one of several seats has chosen; `None`: the name is that of something else.
    pub(crate) fn bundle_of_seat(
        &mut self,
        name: &Name,
        index: &ast::Expr,
    ) -> Option<Option<Value>> {
        let (mut names, mut slots) = (Vec::new(), Vec::new());
        for (part, binding) in self.scope.parts(&name.text) {
            let Binding::BySeat(slot, ty) = binding else {
                return None;
            };
            names.push(part);
            slots.push((slot, ty));
        }
        let of_these = |record: &RecordDecl| {
            let parts = record.parts.iter().map(|(name, _)| name);
            record.bundle_of.is_some() && parts.eq(&names)
        };
        let record = self.world.records.iter().position(of_these)?;
        let Some(seat) = self.one(index, Type::Seat) else {
            return Some(None);
        };
        let mut amounts = Vec::new();
        for (slot, ty) in slots {
            if let Value::One(amount, _) = self.answer_of_seat(slot, ty, seat) {
                amounts.push(amount);
            }
        }
        Some(Some(self.record_with(record as u16, &amounts)))
    }

    /// `purse(keys(hand(p), .gem))`
    pub(crate) fn bundle_call(
        &mut self,
        record: u16,
        args: &[ast::Expr],
        span: Span,
    ) -> Option<Value> {
        if let [list] = args {
            let value = self.expr(list, None)?;
            let bundle = self.as_bundle(value, record);
            if matches!(bundle, Value::Record(..)) {
                return Some(bundle);
            }
        }
        let name = self.record_decl(record).name;
        let message = format!("`{name}` makes a bundle of one list of values");
        let help = self.sample(record);
        let help = format!("write the bundle: `{help}`, or `{name}(…)` with a list");
        self.problem("wrong-number-of-parts", span, message, help)
    }

    /// Returns how a bundle of this type is written.
    pub(crate) fn sample(&self, record: u16) -> String {
        let parts = self.record_decl(record).parts;
        let parts = (1..=2).rev().zip(&parts);
        let parts = parts.map(|(number, (name, _))| format!("{number} {name}"));
        parts.collect::<Vec<_>>().join(" + ")
    }

    // ---- constants

    /// Returns the bundle of a list of amounts, of which data and fields consist; anything else as it is.
    pub(crate) fn unpacked(&mut self, value: Value) -> Value {
        let (list, of) = match value {
            Value::List(list, of) => (list, of),
            Value::One(row, Some(Type::Row(number))) => self.row_members(row, number),
            Value::One(..) | Value::Record(..) => return value,
        };
        let Some(Type::Amounts(values)) = of else {
            return value;
        };
        let Some(ty) = self.bundles_of(values) else {
            return value;
        };
        let count = self.record_decl(ty.record).parts.len() as i32;
        let amounts = (1..=count).map(|place| {
            let place = self.b.constant(place);
            self.b.expr(Expr::Nth(list, place, 0))
        });
        let amounts: Vec<ExprId> = amounts.collect();
        self.record_with(ty.record, &amounts)
    }

    /// Returns a bundle in `data`.
    pub(crate) fn constant_bundle(&mut self, constant: &Constant, values: EnumId) -> Option<Value> {
        let ty = self.bundles_of(values)?;
        let amounts = constant.values().into_iter();
        let amounts: Vec<ExprId> = amounts.map(|amount| self.b.constant(amount)).collect();
        Some(self.record_with(ty.record, &amounts))
    }

    /// Returns a bundle in a field: each amount is looked up in a table of its own.
    pub(crate) fn bundle_in_field(
        &mut self,
        holder: ExprId,
        values: EnumId,
        starts: TableId,
        members: TableId,
    ) -> Option<Value> {
        let ty = self.bundles_of(values)?;
        let count = self.record_decl(ty.record).parts.len();
        let table = |c: &Self, id: TableId| c.b.program.tables.get(id as usize).cloned();
        let (starts, members) = (table(self, starts)?, table(self, members)?);
        let column = |number: usize| {
            let rows = starts.iter().zip(starts.iter().skip(1));
            let amounts = rows.map(|(start, end)| {
                let at = usize::try_from(*start).ok().filter(|_| start < end);
                let amount = at.and_then(|at| members.get(at + number));
                amount.copied().unwrap_or_default()
            });
            amounts.collect::<Vec<i32>>()
        };
        let amounts = (0..count).map(|number| {
            let table = self.b.table(column(number));
            self.b.expr(Expr::Table(TableLookUp {
                table,
                low: 0,
                index: holder,
                default: 0,
            }))
        });
        let amounts: Vec<ExprId> = amounts.collect();
        Some(self.record_with(ty.record, &amounts))
    }

    // ---- texts and advice

    /// Returns the amounts of a bundle, to be read one after the other.
    pub(crate) fn hole_of_bundle(&mut self, bundle: Value, ty: BundleType) -> Hole {
        let amounts = self.amounts_in(bundle, ty);
        Hole::List(self.b.list(&amounts), Type::Amounts(ty.values))
    }

    /// Returns advice for anything else in place of a bundle.
    pub(crate) fn advice_on_bundle(&self, record: u16) -> Option<String> {
        self.bundle_type(Ty::one(Type::Record(record)))?;
        let sample = self.sample(record);
        Some(format!("say how many of what: `{sample}`"))
    }

    /// Returns the effect words `2 wood` of a phrase as one term each, if they name values of bundles.
    pub(crate) fn portions_in(&self, terms: &[ast::Expr]) -> Vec<ast::Expr> {
        let mut joined: Vec<ast::Expr> = Vec::new();
        for term in terms {
            let is_value = term.as_name().is_some_and(|name| self.counts(name));
            let number = joined.pop_if(|last| is_value && matches!(last.kind, ExprKind::Int(_)));
            joined.push(match number {
                Some(number) => {
                    let span = number.span.to(term.span);
                    let (number, value) = (Box::new(number), Box::new(term.clone()));
                    let op = ast::BinaryOp::Portion;
                    ast::Expr::new(ExprKind::Binary(op, number, value), span)
                }
                None => term.clone(),
            });
        }
        joined
    }

    /// Returns whether bundles count this value.
    fn counts(&self, name: &Name) -> bool {
        let bound = self.scope.find(&name.text).and_then(Binding::ty);
        if let Some(ty) = bound {
            return matches!(ty.of, Some(Type::Enum(of)) if self.bundles_of(of).is_some());
        }
        let values = self.world.enums_with(&name.text);
        values.iter().any(|(of, _)| self.bundles_of(*of).is_some())
    }

    /// Reports what is no value of a type of bundles behind a number.
    fn counts_nothing<T>(&mut self, found: Ty, span: Span) -> Option<T> {
        if let Some(Type::Enum(of)) = found.of.filter(|_| !found.list) {
            let name = self.world.enum_name(of).to_owned();
            let message = format!("there are no bundles of `{name}`");
            let help = format!("declare them under `types`: `{name}_bundle: bundle of {name}`");
            return self.problem("unknown-type", span, message, help);
        }
        let what = self.world.name_of(found);
        let message = format!("a number of something is a bundle, and this is {what}");
        let help = "to multiply, write `2 * x`; some of a list are `take(dice, 2)`; a bundle counts values of a type: `2 ruby`";
        self.problem("wrong-type", span, message, help)
    }
}
