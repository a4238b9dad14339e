//! Evaluates arithmetic over literals, to report overflow and division by zero before anybody plays.

use super::alike::literal_number;
use wyrmgate_base::diagnostic::Diagnostic;
use wyrmgate_lang::ast::{BinaryOp, Expr, ExprKind};

/// Returns a warning if this calculation overflows or divides by 0.
pub fn doubt(expr: &Expr) -> Option<Diagnostic> {
    let ExprKind::Binary(op, _, divisor) = &expr.kind else {
        return None;
    };
    if matches!(op, BinaryOp::Divide | BinaryOp::Modulo) && literal_number(divisor) == Some(0) {
        let message = "this divides by 0, and the result is 0";
        let help = "divide by something else; the number may be a typo";
        return Some(Diagnostic::warning("division-by-zero", expr.span, message).help(help));
    }
    let is_too_large = |number: i64| i32::try_from(number).is_err();
    let is_first = !expr
        .parts()
        .into_iter()
        .any(|part| worth(part).is_some_and(is_too_large));
    worth(expr)
        .filter(|number| is_first && is_too_large(*number))
        .map(|number| {
            let message = format!("the result {number} is too large");
            let help = "numbers range from -2147483648 to 2147483647; beyond that, a game stops";
            Diagnostic::warning("number-too-large", expr.span, message).help(help)
        })
}

/// Returns the value of literals, even if it overflows.
fn worth(expr: &Expr) -> Option<i64> {
    if let Some(number) = literal_number(expr) {
        return Some(number);
    }
    let ExprKind::Binary(op, a, b) = &expr.kind else {
        return None;
    };
    let (a, b) = (worth(a)?, worth(b)?);
    match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Subtract => a.checked_sub(b),
        BinaryOp::Multiply => a.checked_mul(b),
        _ => None,
    }
}
