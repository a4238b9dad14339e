//! Which effects may be called by the code of others.

use crate::facts::stretch::range_of;
use wyrmgate_program::{EffectId, Op, Program};

/// The maximum number of effects whose code is running, one called by the other.
const NESTED_MAX: u32 = 12;

/// Returns by effect whether the code of other effects may call its code. An effect qualifies if it never calls itself,
/// directly or through others, and if its calls nest only a few levels deep.
pub(crate) fn nesting(program: &Program) -> Vec<bool> {
    let effects = 0..program.effects.len();
    let calls: Vec<Vec<usize>> = effects.map(|effect| called_by(program, effect)).collect();
    let mut may_nest = vec![false; calls.len()];
    for _ in 0..NESTED_MAX {
        // One level more than those found before.
        let is_known = |callee: &usize| may_nest.get(*callee) == Some(&true);
        let more = calls.iter().map(|called| called.iter().all(is_known));
        may_nest = more.collect();
    }
    may_nest
}

fn called_by(program: &Program, effect: usize) -> Vec<usize> {
    let range = range_of(program, effect as EffectId).map(|(_, range)| range);
    let range = range.unwrap_or_default();
    let ops = program
        .code
        .optimized
        .get(range.start as usize..range.end as usize);
    let mut called = Vec::new();
    for op in ops.unwrap_or_default() {
        match *op {
            Op::Call { effect, .. } => called.push(usize::from(effect)),
            Op::CallKind { dispatch, .. } => {
                let dispatch = program.dispatches.get(usize::from(dispatch));
                let effects = dispatch.map_or(&[][..], |dispatch| &dispatch.effects);
                called.extend(effects.iter().flatten().map(|effect| usize::from(*effect)));
            }
            _ => {}
        }
    }
    called
}
