//! Constant folding: options, data, and branches that can never be taken.

use super::{expr, replace_each};
use crate::compile::passes::masks::tree;
use wyrmgate_program::pure::{self, Known};
use wyrmgate_program::*;

/// Larger expressions are rarely constant, and take long to examine.
const WEIGHT_MAX: usize = 200;

pub fn simplify(program: &mut Program) {
    replace_each(program, |program, id| {
        let known = value_of(program, id).map(Expr::Const);
        known.or_else(|| branch_taken(program, id))
    });
}

fn value_of(program: &Program, id: ExprId) -> Option<i32> {
    if matches!(expr(program, id)?, Expr::Const(_) | Expr::ListArgument(_)) {
        return None;
    }
    let value = pure::value(program, id, &mut Known::default())?;
    let small = tree::weight(program, id, WEIGHT_MAX).is_some();
    (small && cites_nothing(program, id)).then_some(value)
}

/// Returns whether no part of an expression cites a clause. Parts that do are kept, to explain refusals.
pub fn cites_nothing(program: &Program, id: ExprId) -> bool {
    part_cites_nothing(program, Part::Expr(id))
}

fn part_cites_nothing(program: &Program, part: Part) -> bool {
    let cites = match part {
        Part::Expr(id) => program.cites_of(id),
        Part::Set(id) => program.cites_of_list(id),
    };
    let parts = program.node(part).map(|node| node.parts(program));
    cites.is_empty()
        && parts.is_some_and(|parts| {
            let mut parts = parts.into_iter();
            parts.all(|part| part_cites_nothing(program, part))
        })
}

/// Folds `if windy then a else b` if `windy` is known.
fn branch_taken(program: &Program, id: ExprId) -> Option<Expr> {
    let Some(Expr::If(condition, then, otherwise)) = expr(program, id) else {
        return None;
    };
    let holds = pure::truth(program, condition, &mut Known::default())?;
    let taken = if holds { then } else { otherwise };
    // An expression that may overflow reports its own place.
    let free = cites_nothing(program, condition) && program.span_of(taken).is_none();
    (free && program.cites_of(taken).is_empty()).then_some(expr(program, taken)?)
}
