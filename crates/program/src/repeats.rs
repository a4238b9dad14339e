//! Lists that can contain a value twice.

use super::{Program, QueryBody, Set, SetId};

/// The maximum depth of nested lists to examine for repetitions.
const FOLLOWED: u32 = 16;

/// Returns whether the same value may occur twice.
pub fn may_repeat(program: &Program, set: SetId) -> bool {
    may_repeat_within(program, set, FOLLOWED)
}

fn may_repeat_within(program: &Program, set: SetId, followed: u32) -> bool {
    let part = |of| followed == 0 || may_repeat_within(program, of, followed - 1);
    match program.sets.get(set as usize) {
        None => false,
        Some(set) => match *set {
            Set::Empty
            | Set::Zone(_)
            | Set::Range(..)
            | Set::SeatsFrom(_)
            | Set::Others(_)
            | Set::Unique(_)
            | Set::Bits(_)
            | Set::Keyed { repeats: false, .. }
            | Set::Within { .. }
            | Set::FreeCells(_)
            | Set::TakenCells(_) => false,
            Set::Where { of, .. }
            | Set::Sorted { of, .. }
            | Set::With { of, .. }
            | Set::Minus(of, _)
            | Set::Reversed(of)
            | Set::PhysicalOrder(of)
            | Set::UpTo { of, .. }
            | Set::Take(of, _) => part(of),
            Set::Let { list, .. } | Set::LetList { list, .. } | Set::After { list, .. } => {
                part(list)
            }
            Set::If(_, then, otherwise) => part(then) || part(otherwise),
            Set::Call { query, .. } => match program.queries.get(usize::from(query)) {
                Some(query) if query.deepest > 0 => true,
                Some(query) => matches!(query.body, QueryBody::List(body) if part(body)),
                None => false,
            },
            Set::Table(_)
            | Set::Keyed { .. }
            | Set::Local(_)
            | Set::LocalAt { .. }
            | Set::Temp(_)
            | Set::Words { .. }
            | Set::List { .. }
            | Set::Keys { .. }
            | Set::Joined { .. }
            | Set::Concat(..)
            | Set::CallKind { .. } => true,
        },
    }
}
