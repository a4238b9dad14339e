//! Conditions on later names of a choice that do not depend on those names: an earlier name needs no values for which they
//! fail, because no choice begins with them.
//!
//! The conditions as written remain, to explain refusals.

use super::expr;
use super::order::goes_before;
use crate::compile::passes::masks::tree::add;
use wyrmgate_program::pure::{self, Known};
use wyrmgate_program::*;

/// The maximum number of operations in a condition that is evaluated before all members.
const FIRST_MAX: usize = 24;

/// Returns conditions that a value of this name must fulfill so that later names can have values, too.
pub fn of_later(program: &mut Program, binders: &[BinderInfo], name: usize) -> Vec<ExprId> {
    let mut needed = Vec::new();
    let Some((binder, later)) = binders
        .get(name..)
        .and_then(|binders| binders.split_first())
    else {
        return needed;
    };
    if binder.count != BinderSize::One || binder.path.is_some() {
        return needed;
    }
    // What could fail with a fault must be evaluated for the same members as written.
    let ranges = ranges_of(program, binders);
    let mut temps: Vec<Temp> = Vec::new();
    for one in later {
        let mut overflow = Overflow::new(program, &ranges);
        if one.path.is_some() || overflow.of_set(one.domain) || sizes_fail(&mut overflow, one) {
            break;
        }
        temps.extend([one.temp, one.temp.saturating_add(1)]);
        let mut is_safe = true;
        for filter in &one.filters {
            is_safe &= !Overflow::new(program, &ranges).of_expr(filter.test);
            if is_safe {
                needed.extend(necessary(program, filter.test, &temps));
            }
        }
        let mut overflow = Overflow::new(program, &ranges);
        let mut together = one.together.iter();
        if !is_safe || together.any(|condition| overflow.of_expr(condition.test)) {
            break;
        }
    }
    // The first name is asked for what depends on no name; others only for what depends on them.
    needed.retain(|test| name == 0 || !goes_before(program, *test, &[binder.temp]));
    needed
}

/// Returns the values of the names that stand for one number each.
pub fn ranges_of(program: &Program, binders: &[BinderInfo]) -> Vec<(Temp, i32, i32)> {
    let mut ranges = Vec::new();
    for binder in binders {
        let is_number = binder.count == BinderSize::One
            && binder.path.is_none()
            && matches!(binder.of, Type::Int);
        let ends = range_of_members(program, binder.domain, &ranges);
        let ends = ends.filter(|_| is_number);
        ranges.extend(ends.map(|(low, high)| (binder.temp, low, high)));
    }
    ranges
}

fn sizes_fail(overflow: &mut Overflow<'_>, binder: &BinderInfo) -> bool {
    match binder.count {
        BinderSize::Many { least, most, .. } | BinderSize::Repeated { least, most } => {
            overflow.of_expr(least) || overflow.of_expr(most)
        }
        BinderSize::One | BinderSize::Any | BinderSize::Permutation => false,
        BinderSize::Path { .. } => true,
    }
}

/// Returns a short condition that does not depend on these temps, and must hold if the test is to hold.
pub fn necessary(program: &mut Program, test: ExprId, temps: &[Temp]) -> Option<ExprId> {
    if is_short(program, test) && goes_before(program, test, temps) {
        return Some(test);
    }
    match expr(program, test)? {
        Expr::And(one, other) => {
            let one = necessary(program, one, temps);
            let other = necessary(program, other, temps);
            match (one, other) {
                (Some(one), Some(other)) => Some(add(program, Expr::And(one, other))),
                (one, other) => one.or(other),
            }
        }
        Expr::Or(one, other) => {
            let one = necessary(program, one, temps)?;
            let other = necessary(program, other, temps)?;
            Some(add(program, Expr::Or(one, other)))
        }
        _ => None,
    }
}

/// Returns whether a condition reads a few words, and depends on the state.
fn is_short(program: &Program, test: ExprId) -> bool {
    let is_known = pure::truth(program, test, &mut Known::default()).is_some();
    !is_known && program.operations_without_lists(test, FIRST_MAX).is_some()
}
