//! Lists in which looking for a value costs a walk.

use super::{Program, QueryBody, Set, SetId};

/// The maximum depth of nested lists to examine.
const FOLLOWED: u32 = 16;

/// Returns whether finding out if a value is in the list costs a walk through it, not only a comparison or a look into a
/// table. Such a list is built once where many values are looked for.
pub fn is_searched(program: &Program, set: SetId) -> bool {
    is_searched_within(program, set, FOLLOWED)
}

fn is_searched_within(program: &Program, set: SetId, followed: u32) -> bool {
    let part = |of| followed == 0 || is_searched_within(program, of, followed - 1);
    match program.sets.get(set as usize) {
        None => false,
        Some(set) => match *set {
            Set::Empty
            | Set::Zone(_)
            | Set::Range(..)
            | Set::Table(_)
            | Set::Keyed { .. }
            | Set::SeatsFrom(_)
            | Set::Others(_)
            | Set::Local(_)
            | Set::LocalAt { .. }
            | Set::Temp(_)
            | Set::Words { .. }
            | Set::List { .. }
            | Set::Bits(_) => false,
            Set::Keys { .. }
            | Set::Joined { .. }
            | Set::With { .. }
            | Set::UpTo { .. }
            | Set::Take(..)
            | Set::CallKind { .. }
            | Set::Within { .. }
            | Set::FreeCells(_)
            | Set::TakenCells(_)
            | Set::LetList { .. }
            | Set::After { .. } => true,
            Set::Where { of, .. }
            | Set::Sorted { of, .. }
            | Set::Reversed(of)
            | Set::PhysicalOrder(of)
            | Set::Unique(of)
            | Set::Let { list: of, .. } => part(of),
            Set::Concat(one, other) | Set::Minus(one, other) | Set::If(_, one, other) => {
                part(one) || part(other)
            }
            Set::Call { query, .. } => match program.queries.get(usize::from(query)) {
                Some(query) => matches!(query.body, QueryBody::List(body) if part(body)),
                None => false,
            },
        },
    }
}
