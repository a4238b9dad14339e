//! Decides which expressions can be evaluated before a loop instead of in it.

use wyrmgate_program::*;

/// Returns whether this expression may be evaluated before a loop over `temp`: it does not depend on the member, and it
/// cannot overflow.
pub fn can_go_first(program: &Program, id: ExprId, temp: Temp) -> bool {
    program.every_node(Part::Expr(id), &mut |node| {
        !reads(node, temp) && !node.facts().overflows
    })
}

fn reads(node: Node, temp: Temp) -> bool {
    let mut reads = false;
    node.each_field(&mut |field| {
        if let Field::Temp(read) | Field::ListTemp(read) = field {
            reads |= *read == temp;
        }
    });
    reads
}

/// Returns whether this list may be built before a loop over `temp`: it does not depend on the member, building it cannot
/// fail, and nothing in it counts how often it is evaluated.
pub fn list_goes_before(program: &Program, id: SetId, temp: Temp) -> bool {
    let is_same = program.every_node(Part::Set(id), &mut |node| {
        !reads(node, temp) && !matches!(node, Node::Expr(Expr::Revealed { .. }))
    });
    is_same && !Overflow::new(program, &[]).of_set(id)
}

/// Returns whether evaluating this expression can overflow.
pub fn can_overflow(program: &Program, id: ExprId) -> bool {
    !program.every_node(Part::Expr(id), &mut |node| !node.facts().overflows)
}
