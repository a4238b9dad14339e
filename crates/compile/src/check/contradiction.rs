//! Finds conditions whose parts exclude each other (`a and not a`, `n = 1 and n = 2`) or cover everything (`a or not
//! a`).

use indexmap::IndexSet;

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
/// `values` are the names of values, each of which equals no other.
pub fn clash<'e>(expr: &'e Expr, values: &IndexSet<&str>) -> Option<Clash<'e>> {
    let ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) = &expr.kind else {
        return None;
    };
    let (lefts, rights) = (chain(*op, left), chain(*op, right));
    let pairs = || {
        let of = |first| rights.iter().map(move |second| (first, *second));
        lefts.iter().flat_map(move |first| of(*first))
    };
    let decides = |one, other| match op {
        BinaryOp::And => is_opposite(one, other) || are_apart(one, other, values),
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

/// `n = 1` and `n = 2`, `n > 100` and `n < 50`, `suit = hearts` and `suit = spades`: no value is in both ranges.
fn are_apart(one: &Expr, other: &Expr, values: &IndexSet<&str>) -> bool {
    match (range_of(one, values), range_of(other, values)) {
        (Some((what, low, high)), Some((other_what, other_low, other_high))) => {
            (low > other_high || other_low > high) && alike(what, other_what)
        }
        _ => false,
    }
}

/// Returns what a condition compares with a number or a name, and the least and the greatest number that it allows.
fn range_of<'e>(expr: &'e Expr, values: &IndexSet<&str>) -> Option<(&'e Expr, i64, i64)> {
    let ExprKind::Binary(op, what, value) = &expr.kind else {
        return None;
    };
    let named = || Some(values.get_index_of(value.as_name()?.text.as_str())? as i64);
    let number = literal_number(value).or_else(named)?;
    let (low, high) = match op {
        BinaryOp::Equal => (number, number),
        BinaryOp::Less => (i64::MIN, number - 1),
        BinaryOp::LessOrEqual => (i64::MIN, number),
        BinaryOp::More => (number + 1, i64::MAX),
        BinaryOp::MoreOrEqual => (number, i64::MAX),
        _ => return None,
    };
    Some((what, low, high))
}
