//! Rearranges constant lists whose number is an entry of a table, such as the neighbors of a space, so that their number
//! is the index of that table instead.

use super::known::cites_nothing;
use super::replace_each_set;
use super::tables::{Entries, table};
use crate::compile::passes::masks::tree::get_set;
use wyrmgate_program::*;

/// The maximum size of the new lists together.
const MEMBERS_MAX: usize = 16_384;

pub fn simplify(program: &mut Program) {
    replace_each_set(program, by_index);
}

fn by_index(program: &mut Program, id: SetId) -> Option<Set> {
    let Set::Keyed(keyed) = get_set(program, id) else {
        return None;
    };
    let entries = Entries::of(program, keyed.value)?;
    let list_of = |number: i32| {
        program.listed(
            keyed.starts,
            keyed.members,
            number.saturating_sub(keyed.low),
        )
    };
    if !list_of(entries.default).is_empty() || !cites_nothing(program, keyed.value) {
        return None;
    }
    let (mut starts, mut all) = (vec![0], Vec::new());
    for index in entries.low..entries.end()? {
        all.extend_from_slice(list_of(entries.at(program, index)?));
        starts.push(i32::try_from(all.len()).ok()?);
        if all.len() > MEMBERS_MAX {
            return None;
        }
    }
    let (starts, members) = (table(program, starts), table(program, all));
    Some(Set::Keyed(KeyedList {
        starts,
        members,
        low: entries.low,
        value: entries.index,
        repeats: keyed.repeats,
    }))
}
