//! Lists in which looking for a value costs a walk.

use super::{Field, Program, QueryBody, Set, SetId};

/// The maximum depth of nested lists to examine.
const FOLLOWED: u32 = 16;

/// Returns whether finding out if a value is in the list costs a walk through it, not only a comparison or a look into a
/// table. Such a list is built once where many values are looked for.
pub fn is_searched(program: &Program, set: SetId) -> bool {
    is_searched_within(program, set, FOLLOWED)
}

fn is_searched_within(program: &Program, set: SetId, followed: u32) -> bool {
    let Some(set) = program.sets.get(set as usize) else {
        return false;
    };
    let Some(followed) = followed.checked_sub(1) else {
        return true;
    };
    let of = |list| is_searched_within(program, list, followed);
    if let Set::Call { query, .. } = *set {
        let info = program.query(query);
        return info.is_some_and(|info| matches!(info.body, QueryBody::List(body) if of(body)));
    }
    let mut walked = set.facts().walked;
    // Not by `parts`, which allocates: the interpreter asks while it plays.
    set.each_field(&mut |field| {
        if let Field::Set(list) = field {
            walked = walked || of(*list);
        }
    });
    walked
}
