//! Compares expressions by structure, and evaluates expressions of literals.

use wyrmgate_lang::ast::{BinaryOp, Expr, ExprKind, UnaryOp};

/// Returns whether two expressions have the same structure. Expressions are pure, so equal ones have the same value in
/// one state.
pub fn alike(one: &Expr, other: &Expr) -> bool {
    let (one, other) = (bare(one), bare(other));
    let (Some(head), Some(other_head)) = (head(one), head(other)) else {
        return false;
    };
    let (parts, others) = (one.parts(), other.parts());
    head == other_head
        && parts.len() == others.len()
        && parts.into_iter().zip(others).all(|(a, b)| alike(a, b))
}

/// Returns the expression without the clauses it cites.
fn bare(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cited(inner, _) => bare(inner),
        _ => expr,
    }
}

/// Returns the kind of an expression, apart from its parts; `None` for texts.
fn head(expr: &Expr) -> Option<String> {
    Some(match &expr.kind {
        ExprKind::Text(_) => return None,
        ExprKind::Int(number) => number.to_string(),
        ExprKind::Bool(truth) => truth.to_string(),
        ExprKind::None => "none".into(),
        ExprKind::It => "it".into(),
        ExprKind::Name(name) => name.text.clone(),
        ExprKind::ItField(name, args) => format!(".{} {}", name.text, args.is_some()),
        ExprKind::Field(_, name, args) => format!("_.{} {}", name.text, args.is_some()),
        ExprKind::Call(name, _) => format!("{}()", name.text),
        ExprKind::Index(..) => "index".into(),
        ExprKind::List(_) => "list".into(),
        ExprKind::Range(..) => "range".into(),
        ExprKind::Unary(op, _) => format!("{op:?}"),
        ExprKind::Binary(op, ..) => format!("{op:?}"),
        ExprKind::Is { negated, what, .. } => format!("is {negated} {}", what.text),
        ExprKind::If(..) => "if".into(),
        ExprKind::Where(..) => "where".into(),
        ExprKind::Sorted { descending, .. } => format!("sorted {descending}"),
        ExprKind::With { most, .. } => format!("with {most}"),
        ExprKind::Quantified {
            quantifier, name, ..
        } => format!("{quantifier:?} {}", name.text),
        ExprKind::Cited(..) => return None,
    })
}

/// Returns the truth of a condition over literals only.
pub fn literal_truth(expr: &Expr) -> Option<bool> {
    match &bare(expr).kind {
        ExprKind::Bool(truth) => Some(*truth),
        ExprKind::Unary(UnaryOp::Not, of) => Some(!literal_truth(of)?),
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (literal_number(a)?, literal_number(b)?);
            Some(match op {
                BinaryOp::Equal => a == b,
                BinaryOp::NotEqual => a != b,
                BinaryOp::Less => a < b,
                BinaryOp::LessOrEqual => a <= b,
                BinaryOp::More => a > b,
                BinaryOp::MoreOrEqual => a >= b,
                _ => return None,
            })
        }
        _ => None,
    }
}

/// Returns the literal number.
pub fn literal_number(expr: &Expr) -> Option<i64> {
    match &bare(expr).kind {
        ExprKind::Int(number) => Some(i64::from(*number)),
        ExprKind::Unary(UnaryOp::Negate, of) => Some(-literal_number(of)?),
        _ => None,
    }
}
