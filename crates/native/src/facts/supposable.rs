//! Which effects only write words, so that what-ifs may perform them in the state itself.

use crate::facts::stretch::{calls, ops_of};
use wyrmgate_program::{EffectId, Op, Program};

/// Returns by effect whether the effect and everything that it calls only write words of the state.
pub(crate) fn supposable(program: &Program) -> Vec<bool> {
    let calls = calls(program);
    let effects = 0..program.effects.len();
    let mut can: Vec<bool> = effects
        .map(|effect| {
            let ops = ops_of(program, effect as EffectId);
            ops.is_some_and(|ops| ops.iter().all(only_writes))
        })
        .collect();
    // An effect that calls one that does more does more itself.
    loop {
        let are_able = |calls: &[usize]| calls.iter().all(|effect| can.get(*effect) == Some(&true));
        let next = can.iter().zip(&calls);
        let next: Vec<bool> = next.map(|(can, calls)| *can && are_able(calls)).collect();
        if next == can {
            return can;
        }
        can = next;
    }
}

fn only_writes(op: &Op) -> bool {
    let facts = op.facts();
    let is_more = facts.asks || facts.random || facts.finishes;
    !is_more && !matches!(op, Op::Record { .. })
}
