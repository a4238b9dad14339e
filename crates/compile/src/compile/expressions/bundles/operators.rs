//! `2 wood`, `a + b`, `a - b`, `n * a`, `a <= b`: each amount alone.

use super::BundleType;
use crate::compile::compiler::{Attempt, Compiler};
use crate::compile::terms::value::{Value, ValueAt};
use crate::names::types::Ty;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::{self, BinaryOp};
use wyrmgate_program::*;

/// The operators of which both sides are bundles.
const OPERATORS: [(BinaryOp, Binary); 4] = [
    (BinaryOp::Add, Binary::Add),
    (BinaryOp::Subtract, Binary::Subtract),
    (BinaryOp::LessOrEqual, Binary::LessOrEqual),
    (BinaryOp::MoreOrEqual, Binary::MoreOrEqual),
];

impl Compiler<'_> {
    /// `2 wood`
    pub(crate) fn portion(
        &mut self,
        number: &ast::Expr,
        value: &ast::Expr,
        wanted: Option<Type>,
        span: Span,
    ) -> Option<Value> {
        let number = self.number(number)?;
        let found = self.expr(value, self.values_meant(value, wanted))?;
        self.portion_of(number, found.at(value.span), span)
    }

    /// Returns the type of a value that several types have, if there are bundles of only one of them.
    fn values_meant(&self, value: &ast::Expr, wanted: Option<Type>) -> Option<Type> {
        let wanted = wanted.and_then(|of| self.bundle_type(Ty::one(of)));
        if let Some(ty) = wanted {
            return Some(Type::Enum(ty.values));
        }
        let types = self.world.enums_with(&value.as_name()?.text);
        let mut types = types
            .iter()
            .filter(|(of, _)| self.bundles_of(*of).is_some());
        match (types.next(), types.next()) {
            (Some((of, _)), None) => Some(Type::Enum(*of)),
            _ => None,
        }
    }

    /// Returns the bundle of this many of a value.
    fn portion_of(&mut self, number: ExprId, value: ValueAt, span: Span) -> Option<Value> {
        let Value::One(which, Some(Type::Enum(values))) = value.value else {
            return self.counts_nothing(value.value.ty(), value.span);
        };
        let Some(ty) = self.bundles_of(values) else {
            return self.counts_nothing(value.value.ty(), value.span);
        };
        let number = self.natural(number, span);
        let amounts = self.amounts_of_one(number, which, ty);
        Some(self.record_with(ty.record, &amounts))
    }

    /// Returns amounts that are 0 except for one value.
    pub(super) fn amounts_of_one(
        &mut self,
        number: ExprId,
        which: ExprId,
        ty: BundleType,
    ) -> Vec<ExprId> {
        let zero = self.b.constant(0);
        let count = self.record_decl(ty.record).parts.len() as i32;
        let amount = |c: &mut Self, value| {
            if let Expr::Const(only) = c.b.get(which) {
                return if only == value { number } else { zero };
            }
            let is_it = c.b.compare(Binary::Equal, which, value);
            c.b.expr(Expr::If(is_it, number, zero))
        };
        (0..count).map(|value| amount(self, value)).collect()
    }

    /// `n * b`, `b * n`, `n * wood`; `None`: neither side belongs to a bundle.
    pub(crate) fn multiplied(
        &mut self,
        one: ValueAt,
        other: ValueAt,
        span: Span,
    ) -> Attempt<Value> {
        let is_number = |side: ValueAt| side.value.ty() == Ty::INT;
        let is_value = |side: ValueAt| matches!(side.value, Value::One(_, Some(Type::Enum(_))));
        let bundle = |c: &Self, side: ValueAt| c.bundle_type(side.value.ty());
        let (number, of) = match (bundle(self, one), bundle(self, other)) {
            (None, None) if is_number(one) && is_value(other) => (one, other),
            (None, None) if is_value(one) && is_number(other) => (other, one),
            (None, None) => return None,
            (Some(_), _) => (other, one),
            (None, Some(_)) => (one, other),
        };
        let number = self.one_from(number.value, Type::Int, number.span);
        Some(number.and_then(|number| self.times_bundle(number, of, span)))
    }

    fn times_bundle(&mut self, number: ExprId, of: ValueAt, span: Span) -> Option<Value> {
        let Some(ty) = self.bundle_type(of.value.ty()) else {
            return self.portion_of(number, of, span);
        };
        let number = self.natural(number, span);
        let amounts = self.amounts_in(of.value, ty).into_iter();
        let amounts = amounts.map(|amount| self.calculated(Binary::Multiply, amount, number, span));
        let amounts: Vec<ExprId> = amounts.collect();
        Some(self.record_with(ty.record, &amounts))
    }

    /// `a + b`, `a - b`, `a <= b`, `a >= b`; `None`: neither is a bundle.
    pub(crate) fn of_bundles(
        &mut self,
        op: BinaryOp,
        one: ValueAt,
        other: ValueAt,
        span: Span,
    ) -> Attempt<Value> {
        let ty = self.bundle_type(one.value.ty());
        let ty = ty.or_else(|| self.bundle_type(other.value.ty()))?;
        let known = OPERATORS.iter().find(|(known, _)| *known == op);
        let Some((_, binary)) = known.copied() else {
            return Some(self.no_such_operator(op, span));
        };
        let left = self.parts_of(one.value, ty.record, one.span);
        let right = self.parts_of(other.value, ty.record, other.span);
        Some(match (left, right) {
            (Some(left), Some(right)) => {
                let both = left.into_iter().zip(right).collect();
                self.each_amount(binary, both, ty, span)
            }
            (None, _) | (_, None) => None,
        })
    }

    fn each_amount(
        &mut self,
        binary: Binary,
        both: Vec<(ExprId, ExprId)>,
        ty: BundleType,
        span: Span,
    ) -> Option<Value> {
        if matches!(binary, Binary::LessOrEqual | Binary::MoreOrEqual) {
            let mut all = self.b.constant(1);
            for (one, other) in both {
                let holds = self.b.binary(binary, one, other);
                all = self.b.and(all, holds);
            }
            return Some(Value::One(all, Some(Type::Bool)));
        }
        let mut amounts = Vec::new();
        for (one, other) in both {
            let amount = self.calculated(binary, one, other, span);
            let may_lack = binary == Binary::Subtract && self.b.get(other) != Expr::Const(0);
            amounts.push(match may_lack {
                true => self.natural(amount, span),
                false => amount,
            });
        }
        Some(self.record_with(ty.record, &amounts))
    }

    /// Calculates what is constant.
    pub(crate) fn calculated(
        &mut self,
        binary: Binary,
        one: ExprId,
        other: ExprId,
        span: Span,
    ) -> ExprId {
        let (x, y) = (self.b.get(one), self.b.get(other));
        if let (Expr::Const(x), Expr::Const(y)) = (x, y)
            && let Some(value) = binary.of(x, y)
        {
            return self.b.constant(value);
        }
        if binary == Binary::Subtract && one == other {
            return self.b.constant(0);
        }
        if binary != Binary::Multiply && y == Expr::Const(0) {
            return one;
        }
        if binary == Binary::Add && x == Expr::Const(0) {
            return other;
        }
        self.b.checked_expr(Expr::Binary(binary, one, other), span)
    }

    /// Returns a number that is a fault at this place if it is negative: calculated so that it leaves the range of numbers.
    /// What is negative whatever happens is reported.
    pub(super) fn natural(&mut self, number: ExprId, span: Span) -> ExprId {
        if matches!(self.b.get(number), Expr::Const(0..) | Expr::Count(_)) {
            return number;
        }
        if matches!(self.b.get(number), Expr::Const(_)) {
            let message = "this takes more of something than there is";
            let help =
                "no amount of a bundle is negative; change the order of the two, or the numbers";
            self.problem::<()>("negative-amount", span, message, help);
        }
        let least = self.b.constant(i32::MIN);
        let moved = Expr::Binary(Binary::Add, number, least);
        let moved = self.b.checked_expr(moved, span);
        let back = Expr::Binary(Binary::Subtract, moved, least);
        self.b.checked_expr(back, span)
    }

    fn no_such_operator<T>(&mut self, op: BinaryOp, span: Span) -> Option<T> {
        let sign = op.sign();
        let message = format!("there is no `{sign}` between bundles");
        let help = match op.is_comparison() {
            true => format!(
                "write `a {sign}= b`, which is about each amount, or `sum(a) {sign} sum(b)`"
            ),
            false => "bundles have `+`, `-`, `<=`, `>=`, `=`, and `n * b` with a number".to_owned(),
        };
        self.problem("wrong-type", span, message, help)
    }

    /// `sum(b)`: how many there are together.
    pub(crate) fn total(&mut self, bundle: Value, ty: BundleType, span: Span) -> ExprId {
        let amounts = self.amounts_in(bundle, ty).into_iter();
        let total = amounts.reduce(|one, other| self.calculated(Binary::Add, one, other, span));
        total.unwrap_or_else(|| self.b.constant(0))
    }

    /// Translates both sides of an operator for bundles and numbers; a bare value takes the type of the other side.
    pub(crate) fn sides(&mut self, a: &ast::Expr, b: &ast::Expr) -> Option<(ValueAt, ValueAt)> {
        let one = self.expr(a, Some(Type::Int));
        let of = one.map(|one| one.ty());
        let of = of.filter(|ty| self.bundle_type(*ty).is_some());
        let other = self.expr(b, of.map_or(Some(Type::Int), |ty| ty.of));
        Some((one?.at(a.span), other?.at(b.span)))
    }
}
