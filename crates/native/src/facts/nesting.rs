//! Which effects may be called by the code of others.

use crate::facts::stretch::calls;
use wyrmgate_program::Program;

/// The maximum number of effects whose code is running, one called by the other.
const NESTED_MAX: u32 = 12;

/// Returns by effect whether the code of other effects may call its code. An effect qualifies if it never calls itself,
/// directly or through others, and if its calls nest only a few levels deep.
pub(crate) fn nesting(program: &Program) -> Vec<bool> {
    let calls = calls(program);
    let mut may_nest = vec![false; calls.len()];
    for _ in 0..NESTED_MAX {
        // One level more than those found before.
        let is_known = |callee: &usize| may_nest.get(*callee) == Some(&true);
        let more = calls.iter().map(|called| called.iter().all(is_known));
        may_nest = more.collect();
    }
    may_nest
}
