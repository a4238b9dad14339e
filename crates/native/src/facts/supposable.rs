//! Which effects only write words, so that what-ifs may perform them in the state itself.

use crate::facts::stretch;
use wyrmgate_program::{DispatchId, EffectId, Op, Program};

/// Returns by effect whether the effect and everything that it calls only write words of the state.
pub(crate) fn supposable(program: &Program) -> Vec<bool> {
    let stretches = stretch::stretches(program);
    let of = |effect: EffectId| {
        let entry = program.effect(effect)?.entry;
        stretches.iter().find(|stretch| stretch.first == entry)
    };
    let ops = |effect| {
        let stretch = of(effect)?;
        program
            .code
            .optimized
            .get(stretch.first as usize..stretch.end as usize)
    };
    let mut can: Vec<bool> = (0..program.effects.len())
        .map(|effect| ops(effect as EffectId).is_some_and(|ops| ops.iter().all(only_writes)))
        .collect();
    // An effect that calls one that does more does more itself.
    loop {
        let calls = |effect: usize| {
            let ops = ops(effect as EffectId).unwrap_or_default();
            ops.iter()
                .all(|op| called(program, op).all(|effect| can.get(effect) == Some(&true)))
        };
        let next: Vec<bool> = can
            .iter()
            .enumerate()
            .map(|(effect, can)| *can && calls(effect))
            .collect();
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

fn called<'p>(program: &'p Program, op: &Op) -> impl Iterator<Item = usize> + use<'p> {
    let one = match *op {
        Op::Call { effect, .. } => Some(usize::from(effect)),
        _ => None,
    };
    let of_kinds = |dispatch: DispatchId| program.dispatches.get(usize::from(dispatch));
    let kinds = match *op {
        Op::CallKind { dispatch, .. } => of_kinds(dispatch),
        _ => None,
    };
    let of_kinds = kinds.into_iter().flat_map(|dispatch| &dispatch.effects);
    let of_kinds = of_kinds.flatten().map(|effect| usize::from(*effect));
    one.into_iter().chain(of_kinds)
}
