//! `x[i]`: members of lists, words of variables, answers of seats.

use crate::compile::compiler::Compiler;
use crate::compile::compiler::notes::KeyedThing;
use crate::compile::scope::Binding;
use crate::compile::terms::value::Value;
use crate::names::constant::Constant;
use crate::names::types::{Ty, default_of, is_ordinal};
use crate::names::world::Symbol;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::{self, ExprKind, Name};
use wyrmgate_program::*;

impl Compiler<'_> {
    pub fn index(&mut self, of: &ast::Expr, index: &ast::Expr, span: Span) -> Option<Value> {
        if let Some(amount) = self.amount_in_variable(of, index) {
            return amount;
        }
        let kind = ExprKind::Index(Box::new(of.clone()), Box::new(index.clone()));
        if let Some(named) = self.records_named(&ast::Expr::new(kind, span)) {
            return self.records_of(&named, of.span.to(index.span));
        }
        if let Some((id, name, keys)) = self.keys_of_variable(of, index) {
            let (keys, member) = self.with_member(id, &keys);
            let word = self.word_by_keys(id, name, keys)?;
            let value = self.value_by_keys(id, word)?;
            return match member {
                Some(member) => self.member_of(value, member, of.span.to(index.span)),
                None => Some(value),
            };
        }
        if let Some(problem) = self.zone_in_brackets(of, index, span) {
            return self.push(problem);
        }
        if let ExprKind::Name(name) = &of.kind {
            if let Some(Binding::Parts) = self.scope.find(&name.text)
                && let Some(bundle) = self.bundle_of_seat(name, index)
            {
                return bundle;
            }
            if let Some(Binding::BySeat(base, ty)) = self.scope.find(&name.text) {
                let index = self.one(index, Type::Seat)?;
                return Some(self.answer_of_seat(base, ty, index));
            }
            if let (None, Some(Symbol::Var(id))) =
                (self.scope.find(&name.text), self.world.symbol(&name.text))
            {
                let is_one_list = self
                    .list_place(id, None)
                    .is_some_and(|list| list.is_single());
                if !is_one_list {
                    return self.indexed_variable(id, index, name);
                }
            }
        }
        if let Some(rows) = self.rows_named(of) {
            let (value, low) = self.place(index)?;
            return self.row_at(&rows, value, low, index.span);
        }
        if let Some(row) = self.row_named(of, index) {
            return Some(row);
        }
        let list = self.expr(of, None)?;
        if let Some(ty) = self.bundle_type(list.ty()) {
            return self.amount_of(list, ty, index);
        }
        let (set, member) = self.list_from(list, of.span)?;
        self.member_of(Value::List(set, member), index, of.span.to(index.span))
    }

    /// Returns what one of several seats has answered.
    pub(crate) fn answer_of_seat(&mut self, base: Local, ty: Ty, index: ExprId) -> Value {
        if ty.list {
            return self.list_value(Set::LocalAt { base, index }, ty.of);
        }
        let answer = Expr::LocalAt(LocalByIndex {
            base,
            index,
            default: ty.of.map_or(NONE, default_of),
        });
        Value::One(self.b.expr(answer), ty.of)
    }

    /// Translates `xs[2]`, where the list is translated already.
    pub(crate) fn member_of(
        &mut self,
        list: Value,
        index: &ast::Expr,
        span: Span,
    ) -> Option<Value> {
        let (set, member) = self.list_of(list);
        let (index, low) = self.place(index)?;
        if low == 1
            && let Some(place) = self.known_value(index)
        {
            let exists = self.can_have(set, place);
            let doubts = &mut self.notes.doubts;
            doubts.named.push((span, KeyedThing::Member, exists));
        }
        let found = self.nth(set, member, index, low);
        Some(self.row_as_list(found))
    }

    /// Returns whether a list can have a member with this number.
    fn can_have(&self, set: SetId, place: i32) -> bool {
        let is_beyond = if let Set::Table(table) = self.b.get_set(set) {
            let row = self.b.program.tables.get(table as usize);
            row.is_some_and(|row| place as usize > row.len())
        } else {
            false
        };
        place >= 1 && !is_beyond
    }

    /// Returns the member at an index, whose value for the first member is `low`.
    pub(crate) fn nth(
        &mut self,
        set: SetId,
        member: Option<Type>,
        index: ExprId,
        low: i32,
    ) -> Value {
        let default = member.map_or(NONE, default_of);
        let expr = if let Set::Table(table) = self.b.get_set(set) {
            Expr::Table(TableLookUp {
                table,
                low,
                index,
                default,
            })
        } else {
            let up = self.b.constant(1 - low);
            let place = match low {
                1 => index,
                _ => self.b.binary(Binary::Add, index, up),
            };
            Expr::Nth(set, place, default)
        };
        Value::One(self.b.expr(expr), member)
    }

    /// Returns the member with a number, counted around the list as often as needed.
    pub fn in_a_cycle(&mut self, set: SetId, member: Option<Type>, number: ExprId) -> Value {
        let (length, rest) = (self.scope.temp(Ty::INT), self.scope.temp(Ty::INT));
        let of_length = self.b.expr(Expr::Count(set));
        let [known_length, known_rest] = [length, rest].map(|temp| self.b.temp(temp));
        let of_rest = self.b.binary(Binary::Modulo, number, known_length);
        let is_last = self.b.compare(Binary::Equal, known_rest, 0);
        let place = self.b.expr(Expr::If(is_last, known_length, known_rest));
        let found = self.nth(set, member, place, 1);
        let found = self.bound_around(found, rest, Value::One(of_rest, None));
        let found = self.bound_around(found, length, Value::One(of_length, None));
        self.row_as_list(found)
    }

    /// Translates an index, and returns its value for the first member: a number counts from 1, a value of a type by
    /// its order.
    fn place(&mut self, index: &ast::Expr) -> Option<(ExprId, i32)> {
        match self.expr(index, None)? {
            Value::One(index, Some(of)) if is_ordinal(of) => Some((index, 0)),
            Value::List(..) => {
                let message = "an index is one number";
                let help = "`take(xs, 3)` are the first members of a list";
                self.problem("wrong-type", index.span, message, help)
            }
            value @ (Value::One(..) | Value::Record(..)) => {
                Some((self.one_from(value, Type::Int, index.span)?, 1))
            }
        }
    }

    /// Returns a constant list of lists.
    fn rows_named(&self, of: &ast::Expr) -> Option<Constant> {
        let name = of.as_name()?;
        if self.scope.find(&name.text).is_some() {
            return None;
        }
        let constant = match self.world.symbol(&name.text) {
            Some(Symbol::Constant) => self.world.constants.get(&name.text)?,
            _ => return None,
        };
        constant.is_of_lists().then(|| constant.clone())
    }

    fn indexed_variable(&mut self, id: VarId, index: &ast::Expr, name: &Name) -> Option<Value> {
        let var = self.world.var(id)?.clone();
        let Some(by) = var.index else {
            return self.not_indexed(name);
        };
        let index = self.one(index, by)?;
        Some(self.word_at(id, index))
    }

    pub fn not_indexed<T>(&mut self, name: &Name) -> Option<T> {
        let message = format!("`{}` is a single value", name.text);
        let help = "add `each:` to its declaration, or remove the index";
        self.problem("not-indexed", name.span, message, help)
    }

    /// Returns the word of an indexed variable.
    pub fn word_at(&mut self, id: VarId, index: ExprId) -> Value {
        if let Some(place) = self.list_place(id, Some(index)) {
            return self.stored_list(&place);
        }
        let (of, expr) = match self.world.var(id) {
            Some(var) => (Some(var.of), var.run().at(index, default_of(var.of))),
            None => (None, Expr::Const(NONE)),
        };
        Value::One(self.b.expr(expr), of)
    }
}
