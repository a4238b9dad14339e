//! Questions about the contents of zones inside of conditions that are evaluated member by member: `count(hand(p) where
//! .rank = r)` for each `r`. Each of them becomes a few bits of the zone's contents, which are known once for all members.

use wyrmgate_program::*;

/// The maximum size of conditions that are evaluated for members that nobody may ask about.
const SHORT: usize = 24;

/// Returns whether a mask takes a few steps, however many members it has.
pub(super) fn is_quick(program: &Program, mask: MaskId) -> bool {
    let Some(info) = program.masks.get(mask as usize) else {
        return false;
    };
    match info.mask {
        Mask::Const(_) | Mask::Kept { .. } | Mask::KeptFor { .. } => true,
        Mask::Row { index, .. } => is_short(program, index),
        Mask::And(one, other) | Mask::Or(one, other) => {
            is_quick(program, one) && is_quick(program, other)
        }
        Mask::Not(of) => is_quick(program, of),
        Mask::When(_)
        | Mask::Free
        | Mask::Tops { .. }
        | Mask::Lying { .. }
        | Mask::Inside(_)
        | Mask::Words { .. }
        | Mask::Through { .. }
        | Mask::ThroughBy { .. }
        | Mask::Shifted { .. }
        | Mask::Around { .. }
        | Mask::Over { .. }
        | Mask::Each { .. } => false,
    }
}

/// Returns whether a condition is short, and walks no list.
fn is_short(program: &Program, condition: ExprId) -> bool {
    let mut count = 0;
    program.every_node(Part::Expr(condition), &mut |node| {
        count += 1;
        count <= SHORT && matches!(node, Node::Expr(_))
    })
}
