//! Decides which expressions can be evaluated before a loop instead of in it.

use wyrmgate_program::*;

/// Returns whether this expression may be evaluated before a loop over `temp`: it does not depend on the member, and it
/// cannot overflow.
pub fn can_go_first(program: &Program, id: ExprId, temp: Temp) -> bool {
    program.every_node(Part::Expr(id), &mut |node| {
        let mut reads = false;
        node.each_field(&mut |field| {
            if let Field::Temp(read) | Field::ListTemp(read) = field {
                reads |= *read == temp;
            }
        });
        !reads && !node.facts().overflows
    })
}

/// Returns whether evaluating this expression can overflow.
pub fn can_overflow(program: &Program, id: ExprId) -> bool {
    !program.every_node(Part::Expr(id), &mut |node| !node.facts().overflows)
}
