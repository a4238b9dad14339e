//! Mutations of conditions: removes their parts one after the other, and negates conditions without an operator to
//! change.

use super::walk::MutationWalk;
use wyrmgate_lang::ast::{BinaryOp, Expr, ExprKind, UnaryOp};

impl MutationWalk {
    /// Mutates an expression in the position of a condition.
    pub(super) fn condition(&mut self, condition: &mut Expr) {
        let span = condition.span;
        match &mut condition.kind {
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                let (in_left, in_right) = (left.span, right.span);
                if self.is(in_left, "this part of the condition is left out") {
                    *condition = take(right);
                } else if self.is(in_right, "this part of the condition is left out") {
                    *condition = take(left);
                } else {
                    self.condition(left);
                    self.condition(right);
                }
            }
            ExprKind::Cited(inner, _) => self.condition(inner),
            ExprKind::Name(_)
            | ExprKind::Field(..)
            | ExprKind::ItField(..)
            | ExprKind::Call(..)
            | ExprKind::Index(..) => {
                if self.is(span, "the condition is negated") {
                    *condition = Expr::new(
                        ExprKind::Unary(UnaryOp::Not, Box::new(take(condition))),
                        span,
                    );
                } else {
                    self.expr(condition);
                }
            }
            _ => self.expr(condition),
        }
    }
}

fn take(expr: &mut Expr) -> Expr {
    let span = expr.span;
    let nothing = Expr::new(ExprKind::None, span);
    std::mem::replace(expr, nothing)
}
