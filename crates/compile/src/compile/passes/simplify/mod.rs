//! Optimizes a program. Expressions are replaced in place by equivalent ones that cost less. Expressions that cite a
//! clause stay as written, because they explain refusals.
//!
//! `known`: constant folding. `keyed`: members of a kind by a constant field.

mod keyed;
mod known;
pub mod order;

use wyrmgate_program::*;

/// Optimizes a program without changing its meaning.
pub fn simplify(program: &mut Program) {
    known::simplify(program);
    keyed::simplify(program);
}

/// Returns the ids of the current expressions; those added later need no second visit.
fn all(program: &Program) -> std::ops::Range<ExprId> {
    0..program.exprs.len() as ExprId
}

fn expr(program: &Program, id: ExprId) -> Option<Expr> {
    program.exprs.get(id as usize).copied()
}

fn set(program: &Program, id: SetId) -> Option<Set> {
    program.sets.get(id as usize).copied()
}

/// Replaces expressions for which there is a new form.
fn replace_each(
    program: &mut Program,
    mut new_form: impl FnMut(&mut Program, ExprId) -> Option<Expr>,
) {
    for id in all(program) {
        if let Some(new) = new_form(program, id) {
            replace(program, id, new);
        }
    }
}

/// Replaces lists for which there is a new form.
fn replace_each_set(
    program: &mut Program,
    mut new_form: impl FnMut(&mut Program, SetId) -> Option<Set>,
) {
    for id in 0..program.sets.len() as SetId {
        if let Some(new) = new_form(program, id)
            && let Some(old) = program.sets.get_mut(id as usize)
        {
            *old = new;
        }
    }
}

fn replace(program: &mut Program, id: ExprId, new: Expr) {
    if let Some(old) = program.exprs.get_mut(id as usize) {
        *old = new;
    }
}

fn constant(program: &Program, id: ExprId) -> Option<i32> {
    match expr(program, id)? {
        Expr::Const(value) => Some(value),
        _ => None,
    }
}

/// Splits `a and b and c`; `None` if a part cites a clause: it explains refusals as it is written.
fn conjuncts(program: &Program, condition: ExprId) -> Option<Vec<ExprId>> {
    if !program.cites_of(condition).is_empty() {
        return None;
    }
    let Expr::And(one, other) = expr(program, condition)? else {
        return Some(vec![condition]);
    };
    let mut parts = conjuncts(program, one)?;
    parts.extend(conjuncts(program, other)?);
    Some(parts)
}

/// Returns the ends of a constant run of numbers, such as all components of a kind.
fn constant_range(program: &Program, id: SetId) -> Option<(i32, i32)> {
    let Set::Range(low, high) = set(program, id)? else {
        return None;
    };
    let (low, high) = (constant(program, low)?, constant(program, high)?);
    (0 <= low && low <= high).then_some((low, high))
}

/// Returns the two sides of `field of the member = value`, if `find` recognizes the field and the value does not depend
/// on the member.
fn equality<T>(
    program: &Program,
    condition: ExprId,
    temp: Temp,
    find: impl Fn(&Program, ExprId) -> Option<T>,
) -> Option<(T, ExprId)> {
    let Expr::Binary(Binary::Equal, left, right) = expr(program, condition)? else {
        return None;
    };
    [(left, right), (right, left)]
        .into_iter()
        .find_map(|(field, value)| {
            let found = find(program, field)?;
            order::can_go_first(program, value, temp).then_some((found, value))
        })
}
