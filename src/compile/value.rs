//! A translated expression: a single value or a list, with its type; and the ways one becomes the other.

use super::Compiler;
use crate::check::types::{Families, Ty};
use crate::diagnostic::{Diagnostic, Span};
use crate::lang::ast;
use crate::program::*;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    One(ExprId, Option<Type>),
    List(SetId, Option<Type>),
}

impl Value {
    pub fn ty(self) -> Ty {
        match self {
            Value::One(_, of) => Ty { of, list: false },
            Value::List(_, of) => Ty { of, list: true },
        }
    }
}

impl Compiler<'_> {
    /// What a zone's members are.
    pub fn members_of(&self, family: Option<FamilyId>) -> Type {
        let holds = family
            .and_then(|f| self.world.families.get(f as usize))
            .and_then(|f| f.holds);
        Type::Component(holds)
    }

    /// A list: as it is, the contents of a zone, or one value alone.
    pub fn list_of(&mut self, value: Value) -> (SetId, Option<Type>) {
        match value {
            Value::List(set, of) => (set, of),
            Value::One(expr, Some(Type::Zone(family))) => {
                let of = self.members_of(family);
                (self.b.set(Set::Zone(expr)), Some(of))
            }
            Value::One(expr, of) => {
                let first = self.b.row(&[expr]);
                (self.b.set(Set::List { first, count: 1 }), of)
            }
        }
    }

    /// A translated list expression.
    pub fn list(&mut self, expr: &ast::Expr) -> Option<(SetId, Option<Type>)> {
        let value = self.expr(expr, None)?;
        Some(self.list_of(value))
    }

    /// A list whose members fit `wanted`.
    pub fn list_typed(&mut self, expr: &ast::Expr, wanted: Type) -> Option<SetId> {
        let value = self.expr(expr, Some(wanted))?;
        let (set, of) = match (value, wanted) {
            // where zones are wanted, a zone is a member and not its contents
            (Value::One(e, Some(Type::Zone(_))), Type::Zone(_)) => {
                let first = self.b.row(&[e]);
                (self.b.set(Set::List { first, count: 1 }), Some(wanted))
            }
            _ => self.list_of(value),
        };
        if !self.world.fits(of, Some(wanted)) {
            return self.mismatch(expr.span, Ty { of, list: true }, Ty::list(wanted));
        }
        Some(set)
    }

    /// A single value that fits `wanted`.
    pub fn one(&mut self, expr: &ast::Expr, wanted: Type) -> Option<ExprId> {
        let value = self.expr(expr, Some(wanted))?;
        self.one_from(value, wanted, expr.span)
    }

    pub fn one_from(&mut self, value: Value, wanted: Type, span: Span) -> Option<ExprId> {
        match value {
            Value::One(id, of) if self.world.fits(of, Some(wanted)) => Some(id),
            other => self.mismatch(span, other.ty(), Ty::one(wanted)),
        }
    }

    pub fn condition(&mut self, expr: &ast::Expr) -> Option<ExprId> {
        self.one(expr, Type::Bool)
    }

    pub fn number(&mut self, expr: &ast::Expr) -> Option<ExprId> {
        self.one(expr, Type::Int)
    }

    pub fn mismatch<T>(&mut self, span: Span, found: Ty, wanted: Ty) -> Option<T> {
        let (found, wanted) = (self.world.name_of(found), self.world.name_of(wanted));
        self.report.push(
            Diagnostic::error(
                "wrong-type",
                span,
                format!("{wanted} is needed here, this is {found}"),
            )
            .label(format!("this is {found}")),
        );
        None
    }

    pub fn problem<T>(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Option<T> {
        self.report
            .push(Diagnostic::error(code, span, message).help(help));
        None
    }

    /// A constant of the game as an expression or a list.
    pub fn constant_value(&mut self, constant: &crate::check::constant::Constant) -> Value {
        use crate::check::constant::Constant;
        match constant {
            Constant::One(of, value) => Value::One(self.b.constant(*value), *of),
            Constant::List(of, _) => {
                let table = self.b.table(constant.values());
                Value::List(self.b.set(Set::Table(table)), *of)
            }
        }
    }
}
