//! `x is W`: what kind of thing something is, or what a query of one parameter says of it.

use super::Compiler;
use super::value::Value;
use crate::check::types::{Families, Ty};
use crate::check::world::Symbol;
use crate::diagnostic::Span;
use crate::lang::ast::{self, Name};
use crate::program::*;

impl Compiler<'_> {
    pub fn is(&mut self, subject: &ast::Expr, negated: bool, what: &Name) -> Option<Value> {
        let value = self.expr(subject, None)?;
        let test = self.is_test(value, subject.span, what)?;
        let test = if negated { self.b.not(test) } else { test };
        Some(Value::One(test, Some(Type::Bool)))
    }

    fn is_test(&mut self, value: Value, span: Span, what: &Name) -> Option<ExprId> {
        match what.text.as_str() {
            "empty" => return Some(self.is_empty(value)),
            "none" => {
                let expr = self.single(value, span)?;
                return Some(self.compare(Binary::Equal, expr, NONE));
            }
            "some" => {
                let expr = self.single(value, span)?;
                return Some(self.compare(Binary::NotEqual, expr, NONE));
            }
            "free" => return self.is_free(value, span),
            _ => {}
        }
        if let (Value::One(expr, Some(of @ Type::Enum(id))), true) =
            (value, self.scope.find(&what.text).is_none())
            && let Some(ordinal) = self.world.enum_value(id, &what.text)
            && !matches!(self.world.symbol(&what.text), Some(Symbol::Query(_)))
        {
            let _ = of;
            return Some(self.compare(Binary::Equal, expr, ordinal));
        }
        if let (Value::One(expr, Some(Type::Component(_))), Some(Symbol::Kind(kind))) =
            (value, self.world.symbol(&what.text))
        {
            return Some(self.b.expr(Expr::IsKind { kind, of: expr }));
        }
        if let (Value::One(expr, Some(Type::Zone(_))), Some(Symbol::Family(family))) =
            (value, self.world.symbol(&what.text))
        {
            let inside = self.b.expr(Expr::ZoneIn { family, zone: expr });
            return Some(self.compare(Binary::NotEqual, inside, NONE));
        }
        if matches!(value, Value::One(_, Some(Type::Component(_))))
            && matches!(what.text.as_str(), "face_up" | "face_down")
        {
            let expr = self.single(value, span)?;
            let up = self.b.expr(Expr::IsFaceUp(expr));
            return Some(if what.text == "face_up" {
                up
            } else {
                self.b.not(up)
            });
        }
        // any other word is a question about the subject: `d is ridden` asks ridden(d)
        let answer = self.member(value, span, what, None)?;
        match answer {
            Value::One(expr, of) if self.world.fits(of, Some(Type::Bool)) => Some(expr),
            Value::One(expr, _) => match (value, answer) {
                (Value::One(subject, of), Value::One(_, other)) if self.world.fits(of, other) => {
                    Some(self.b.expr(Expr::Binary(Binary::Equal, subject, expr)))
                }
                _ => self.mismatch(what.span, answer.ty(), Ty::BOOL),
            },
            other => self.mismatch(what.span, other.ty(), Ty::BOOL),
        }
    }

    fn is_empty(&mut self, value: Value) -> ExprId {
        if let Value::One(zone, Some(Type::Zone(_))) = value {
            let count = self.b.expr(Expr::ZoneCount(zone));
            return self.compare(Binary::Equal, count, 0);
        }
        let (set, _) = self.list_of(value);
        self.b.expr(Expr::IsEmpty(set))
    }

    /// A zone that exists and holds nothing.
    fn is_free(&mut self, value: Value, span: Span) -> Option<ExprId> {
        let zone = self.one_from(value, Type::Zone(None), span)?;
        let exists = self.compare(Binary::NotEqual, zone, NONE);
        let empty = self.is_empty(value);
        Some(self.b.and(exists, empty))
    }

    fn compare(&mut self, binary: Binary, expr: ExprId, with: i32) -> ExprId {
        let with = self.b.constant(with);
        self.b.expr(Expr::Binary(binary, expr, with))
    }
}
