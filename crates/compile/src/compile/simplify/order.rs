//! What can be evaluated before a loop instead of in it.

use super::{expr, set};
use wyrmgate_program::*;

/// Returns whether this expression may be evaluated before a loop over `temp`: it does not depend on the member, and it
/// cannot overflow.
pub fn can_go_first(program: &Program, id: ExprId, temp: Temp) -> bool {
    goes_before(program, id, &[temp])
}

/// Returns whether this expression depends on none of these temps and cannot overflow.
pub fn goes_before(program: &Program, id: ExprId, temps: &[Temp]) -> bool {
    expr(program, id).is_some_and(|expr| operation_goes_before(program, expr, temps))
}

fn operation_goes_before<T: Operation>(program: &Program, operation: T, temps: &[Temp]) -> bool {
    let mut looks = false;
    operation.each_field(&mut |field| {
        if let Field::Temp(read) | Field::ListTemp(read) = field {
            looks |= temps.contains(read);
        }
    });
    let safe = !looks && !operation.facts().overflows;
    safe && operation.parts(program).into_iter().all(|part| match part {
        Part::Expr(id) => goes_before(program, id, temps),
        Part::Set(id) => {
            set(program, id).is_some_and(|set| operation_goes_before(program, set, temps))
        }
    })
}

/// Returns whether evaluating this expression can overflow.
pub fn can_overflow(program: &Program, id: ExprId) -> bool {
    expr(program, id).is_some_and(|expr| overflows(program, expr))
}

fn overflows<T: Operation>(program: &Program, operation: T) -> bool {
    operation.facts().overflows
        || operation.parts(program).into_iter().any(|part| match part {
            Part::Expr(id) => can_overflow(program, id),
            Part::Set(id) => set(program, id).is_some_and(|set| overflows(program, set)),
        })
}

/// Returns whether evaluating this list can overflow.
pub fn can_set_overflow(program: &Program, id: SetId) -> bool {
    set(program, id).is_some_and(|set| overflows(program, set))
}
