//! Translations of single functions.

use crate::compile::compiler::Compiler;
use crate::compile::expressions::value::is_plain;
use crate::compile::terms::value::{Value, ValueAt};
use crate::names::types::{Ty, default_of};
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast;
use wyrmgate_program::*;

impl Compiler<'_> {
    pub(super) fn int(&mut self, expr: Expr) -> Value {
        Value::One(self.b.expr(expr), Some(Type::Int))
    }

    pub(super) fn truth(&mut self, expr: Expr) -> Value {
        Value::One(self.b.expr(expr), Some(Type::Bool))
    }

    pub(crate) fn value(&mut self, expr: Expr, of: Type) -> Value {
        Value::One(self.b.expr(expr), Some(of))
    }

    pub(crate) fn list_value(&mut self, set: Set, of: Option<Type>) -> Value {
        Value::List(self.b.set(set), of)
    }

    pub(super) fn absolute(&mut self, number: ValueAt, name: Span) -> Option<Value> {
        let number = self.one_from(number.value, Type::Int, number.span)?;
        let expr = self.b.checked_expr(Expr::Abs(number), name);
        Some(Value::One(expr, Some(Type::Int)))
    }

    pub(super) fn neighbor(&mut self, seat: ExprId, by: i8) -> Value {
        self.value(Expr::SeatAfter { seat, by }, Type::Seat)
    }

    pub(super) fn side_turned(&mut self, side: ExprId, by: ExprId) -> Value {
        self.value(Expr::SideTurned { side, by }, Type::Side)
    }

    pub(super) fn opposite(&mut self, side: ExprId) -> Value {
        let by = self.b.constant(self.b.program.identity.cells.count() / 2);
        self.side_turned(side, by)
    }

    pub(super) fn cell_beside(&mut self, cell: ExprId, side: ExprId) -> Value {
        self.value(Expr::CellBeside { cell, side }, Type::Cell)
    }

    /// Translates the look-up of the component at a cell of a zone.
    pub(super) fn tile_at(&mut self, zone: ExprId, of: Option<Type>, cell: ExprId) -> Value {
        let of = match of {
            Some(Type::Zone(family)) => self.members_of(family),
            _ => Type::Component(None),
        };
        Value::One(self.b.expr(Expr::AtCell { zone, cell }), Some(of))
    }

    /// Translates a value that the rules reveal on purpose, to everybody or to one seat.
    pub(super) fn revealed(
        &mut self,
        ValueAt { value, span }: ValueAt,
        to: Option<&ast::Expr>,
        name: Span,
    ) -> Option<Value> {
        let record = self.record_type(value.ty().of);
        if let Some(record) = record.filter(|_| !value.ty().list) {
            let parts = self.parts_of(value, record, span)?;
            let parts = parts.into_iter().map(|part| {
                let part = Value::One(part, None).at(span);
                match self.revealed(part, to, name)? {
                    Value::One(part, _) => Some(part),
                    Value::List(..) | Value::Record(..) => None,
                }
            });
            let parts = parts.collect::<Option<Vec<ExprId>>>()?;
            return Some(self.record_with(record, &parts));
        }
        let Value::One(of, ty) = value else {
            let message = "a list cannot be revealed as a whole";
            let help = "reveal the part that matters: `… where revealed(…)`, `revealed(count(…))`, `revealed(some c in … has …)`, `revealed(top(…))`";
            return self.problem("revealed-list", span, message, help);
        };
        let to = match to {
            Some(seat) => self.one(seat, Type::Seat)?,
            None => self.b.constant(NONE),
        };
        let number = self.b.revealed(name.to(span));
        Some(Value::One(
            self.b.expr(Expr::Revealed { of, to, number }),
            ty,
        ))
    }

    pub(super) fn keys_of(&mut self, list: ValueAt, key: &ast::Expr) -> Option<Value> {
        let (of, members) = self.list_from(list.value, list.span)?;
        let (temp, key) = self.key_value(key, members, None)?;
        Some(self.each_key(of, temp, key))
    }

    /// Returns the values of a key, or the members of the lists that it yields.
    pub(crate) fn each_key(&mut self, of: SetId, temp: Temp, key: Value) -> Value {
        match self.apart_from_names(key) {
            Value::One(key, ty) => Value::List(self.b.set(Set::Keys { of, temp, key }), ty),
            Value::List(list, ty) => {
                let joined = |c: &mut Self, list| c.b.set(Set::Joined { of, temp, list });
                self.each_column(list, ty, joined)
            }
            Value::Record(record, first) => {
                let parts = self.record_decl(record).parts.len() as ExprId;
                let parts = first..first + parts;
                let lists = parts.map(|key| self.b.set(Set::Keys { of, temp, key }));
                let lists = lists.collect();
                self.list_of_records(record, lists)
            }
        }
    }

    /// Returns the values of a key that occur most often. They are listed once, and then counted.
    pub(super) fn commonest(
        &mut self,
        of: SetId,
        temp: Temp,
        key: ExprId,
        ty: Option<Type>,
    ) -> Value {
        let values = self.b.set(Set::Keys { of, temp, key });
        let (member, other) = (self.scope.temp(Ty::INT), self.scope.temp(Ty::INT));
        let listed = self.scope.temp(Ty::list(ty));
        let [this, that] = [member, other].map(|temp| self.b.temp(temp));
        let value = match is_plain(ty) {
            true => values,
            false => {
                let condition = self.b.compare(Binary::NotEqual, that, NONE);
                self.b.filtered(values, other, condition)
            }
        };
        let all = self.b.set(Set::Temp(listed));
        let condition = self.b.binary(Binary::Equal, that, this);
        let alike = self.b.filtered(all, other, condition);
        let of = self.b.set(Set::Unique(all));
        let key = self.b.expr(Expr::Count(alike));
        let list = self.b.set(Set::With(ExtremeKey {
            of,
            temp: member,
            key,
            most: true,
        }));
        let temp = listed;
        Value::List(self.b.set(Set::LetList { value, temp, list }), ty)
    }

    // ---- folds with a shorter way for zones

    pub(super) fn count_of(&mut self, set: SetId) -> Value {
        let expr = if let Set::Zone(zone) = self.b.get_set(set) {
            Expr::ZoneCount(zone)
        } else {
            Expr::Count(set)
        };
        Value::One(self.b.expr(expr), Some(Type::Int))
    }

    /// Returns the first or the last member of a list.
    pub(super) fn end_of(&mut self, set: SetId, of: Option<Type>, is_last: bool) -> Value {
        let nothing = of.map_or(NONE, default_of);
        let expr = match (self.b.get_set(set), is_last) {
            (Set::Zone(zone), false) => Expr::ZoneFirst(zone),
            (Set::Zone(zone), true) => Expr::ZoneLast(zone),
            (_, false) => Expr::First(set, nothing),
            (_, true) => Expr::Last(set, nothing),
        };
        let found = Value::One(self.b.expr(expr), of);
        self.row_as_list(found)
    }
}
