//! Finds conditions whose parts exclude each other (`a and not a`, `n = 1 and n = 2`) or cover everything (`a or not
//! a`).

use super::alike::{alike, literal_number};
use wyrmgate_lang::ast::{BinaryOp, Expr, ExprKind, UnaryOp};

/// Two parts of a condition that decide it together, whatever the other parts are.
pub struct Clash<'e> {
    /// The value of the whole condition.
    pub holds: bool,
    pub first: &'e Expr,
    pub second: &'e Expr,
}

/// Finds the first such pair with one part on each side of this `and` or `or`. Called for every `and` and `or` of a
/// condition, it finds each pair once: where the two chains meet.
pub fn clash(expr: &Expr) -> Option<Clash<'_>> {
    let ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) = &expr.kind else {
        return None;
    };
    let (lefts, rights) = (chain(*op, left), chain(*op, right));
    let pairs = || {
        let of = |first| rights.iter().map(move |second| (first, *second));
        lefts.iter().flat_map(move |first| of(*first))
    };
    let decides = |one, other| match op {
        BinaryOp::And => is_opposite(one, other) || are_different_values(one, other),
        _ => is_opposite(one, other),
    };
    let (first, second) = pairs().find(|(one, other)| decides(one, other))?;
    Some(Clash {
        holds: *op == BinaryOp::Or,
        first,
        second,
    })
}

/// Returns the parts of `a and b and c`, or of `a or b or c`, without their clauses.
pub fn chain(op: BinaryOp, expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Binary(inner, a, b) if *inner == op => {
            let mut parts = chain(op, a);
            parts.extend(chain(op, b));
            parts
        }
        ExprKind::Cited(inner, _) => chain(op, inner),
        _ => vec![expr],
    }
}

/// Returns whether exactly one of the two holds in every state.
fn is_opposite(one: &Expr, other: &Expr) -> bool {
    if denied(one).is_some_and(|of| alike(of, other))
        || denied(other).is_some_and(|of| alike(of, one))
    {
        return true;
    }
    match (&one.kind, &other.kind) {
        (ExprKind::Binary(op, a, b), ExprKind::Binary(other_op, c, d)) => {
            let is_same = alike(a, c) && alike(b, d);
            let is_swapped = alike(a, d) && alike(b, c);
            opposite(*op).is_some_and(|opposite| {
                (is_same && opposite == *other_op)
                    || (is_swapped && swapped(opposite) == Some(*other_op))
            })
        }
        (
            ExprKind::Is {
                subject,
                negated,
                what,
            },
            ExprKind::Is {
                subject: other_subject,
                negated: other_negated,
                what: other_what,
            },
        ) => {
            negated != other_negated
                && what.text == other_what.text
                && alike(subject, other_subject)
        }
        _ => false,
    }
}

fn denied(expr: &Expr) -> Option<&Expr> {
    match &expr.kind {
        ExprKind::Unary(UnaryOp::Not, of) => Some(of),
        _ => None,
    }
}

fn opposite(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Equal => BinaryOp::NotEqual,
        BinaryOp::NotEqual => BinaryOp::Equal,
        BinaryOp::Less => BinaryOp::MoreOrEqual,
        BinaryOp::MoreOrEqual => BinaryOp::Less,
        BinaryOp::More => BinaryOp::LessOrEqual,
        BinaryOp::LessOrEqual => BinaryOp::More,
        BinaryOp::In => BinaryOp::NotIn,
        BinaryOp::NotIn => BinaryOp::In,
        _ => return None,
    })
}

/// Returns the same comparison with its sides swapped.
fn swapped(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Equal | BinaryOp::NotEqual => op,
        BinaryOp::Less => BinaryOp::More,
        BinaryOp::More => BinaryOp::Less,
        BinaryOp::LessOrEqual => BinaryOp::MoreOrEqual,
        BinaryOp::MoreOrEqual => BinaryOp::LessOrEqual,
        _ => return None,
    })
}

/// `n = 1` and `n = 2`.
fn are_different_values(one: &Expr, other: &Expr) -> bool {
    match (value_of(one), value_of(other)) {
        (Some((what, value)), Some((other_what, other_value))) => {
            value != other_value && alike(what, other_what)
        }
        _ => false,
    }
}

fn value_of(expr: &Expr) -> Option<(&Expr, i64)> {
    match &expr.kind {
        ExprKind::Binary(BinaryOp::Equal, what, value) => Some((what, literal_number(value)?)),
        _ => None,
    }
}
