//! Helpers for lists and grids: lists that must be built before iteration, lists that become part of a frame, and
//! components moved one after the other.
//!
//! # Safety
//!
//! Only machine code calls these functions, with the context that it was given.

use crate::memory::context::{Context, GIVE_UP};
use crate::memory::lent::{with, with_game};
use crate::translator::helper::by_interpreter;
use wyrmgate_engine::choices::{Group, MemberOrder, Sizes};
use wyrmgate_engine::eval::in_physical_order;
use wyrmgate_engine::ops::random::die_of;
use wyrmgate_engine::rng::Label;
use wyrmgate_program::SetId;

/// Modes of [`arrange`].
pub(crate) const PHYSICAL_ORDER: u32 = 0;
pub(crate) const REVERSED: u32 = 1;
pub(crate) const UNIQUE: u32 = 2;

/// Modes of [`sort`].
pub(crate) const ASCENDING: u32 = 0;
pub(crate) const DESCENDING: u32 = 1;
pub(crate) const LEAST: u32 = 2;
pub(crate) const MOST: u32 = 3;

/// Lets the interpreter build a list in a buffer; returns its length.
pub(crate) unsafe extern "C" fn gather(context: *mut Context, set: SetId, number: u32) -> i32 {
    with(context, |context, m| {
        let members = by_interpreter(context, m, |m| m.gather(set));
        members.map_or(GIVE_UP, |members| context.put(number, &members))
    })
}

/// Stores a list where the interpreter reads it; returns its offset there. `bytes` is its size.
pub(crate) unsafe extern "C" fn keep(context: *mut Context, first: *const i32, bytes: u64) -> i32 {
    with(context, |_, m| {
        let count = bytes as usize / size_of::<i32>();
        // SAFETY: «room for members» or «the machine waits»: the list lies in a buffer or in the running frame.
        let members = unsafe { std::slice::from_raw_parts(first, count) };
        m.scratch.keep_list(members).0
    })
}

/// Reorders or filters the members of a buffer; returns their number.
pub(crate) unsafe extern "C" fn arrange(
    context: *mut Context,
    number: u32,
    count: u32,
    how: u32,
) -> i32 {
    with_game(context, |context, _, state| {
        let Some(members) = context.buffer(number, count as usize) else {
            return GIVE_UP;
        };
        match how {
            PHYSICAL_ORDER => in_physical_order(state, members),
            REVERSED => members.reverse(),
            _ => return each_once(members) as i32,
        }
        count as i32
    })
}

/// Keeps the first of equal members; returns how many remain.
fn each_once(members: &mut [i32]) -> usize {
    let mut kept = 0;
    for at in 0..members.len() {
        let (before, rest) = members.split_at_mut(at);
        let (Some(&mut member), Some(seen)) = (rest.first_mut(), before.get_mut(..kept)) else {
            break;
        };
        if seen.contains(&member) {
            continue;
        }
        if let Some(place) = members.get_mut(kept) {
            *place = member;
        }
        kept += 1;
    }
    kept
}

/// Sorts the members of a buffer by their keys in another one, or keeps those with the extreme key; returns their
/// number.
pub(crate) unsafe extern "C" fn sort(
    context: *mut Context,
    members: u32,
    keys: u32,
    count: u32,
    how: u32,
) -> i32 {
    with_game(context, |context, _, _| {
        let count = count as usize;
        let Some([members, keys]) = context.two_buffers([members, keys], count) else {
            return GIVE_UP;
        };
        match how {
            ASCENDING | DESCENDING => sort_by(members, keys, how == DESCENDING),
            _ => return keep_extreme(members, keys, how == MOST) as i32,
        }
        count as i32
    })
}

/// Sorts stably, by insertion, because lists are short.
fn sort_by(members: &mut [i32], keys: &mut [i32], descending: bool) {
    for end in 1..members.len() {
        for at in (1..=end).rev() {
            let pair = keys.get(at - 1).zip(keys.get(at));
            let is_wrong = pair.is_some_and(|(one, other)| match descending {
                true => one < other,
                false => one > other,
            });
            if !is_wrong {
                break;
            }
            keys.swap(at - 1, at);
            members.swap(at - 1, at);
        }
    }
}

fn keep_extreme(members: &mut [i32], keys: &[i32], most: bool) -> usize {
    let extreme = match most {
        true => keys.iter().max(),
        false => keys.iter().min(),
    };
    let mut kept = 0;
    for (at, key) in keys.iter().enumerate() {
        if Some(key) == extreme
            && let Some(member) = members.get(at).copied()
            && let Some(place) = members.get_mut(kept)
        {
            *place = member;
            kept += 1;
        }
    }
    kept
}

// ---- choices

/// Records a group: the first names, then a selection of the members in the buffer of the next name; returns whether
/// there are any.
pub(crate) unsafe extern "C" fn note_selections(
    context: *mut Context,
    option: u32,
    names: u32,
    count: u32,
    least: i32,
    most: i32,
    form: u32,
) -> i32 {
    with(context, |context, m| {
        let prefix = context.members.prefix;
        let prefix = prefix.get(..names as usize);
        let members = context.buffer(names, count as usize);
        let (Some(menu), Some(members), Some(prefix)) = (&mut m.menu, members, prefix) else {
            return 0;
        };
        let form = MemberOrder::numbered(form);
        let sizes = Sizes::between(least, most, form, members.len());
        let group = Group::Many(members, sizes);
        menu.note_group(option as u16, prefix, &group);
        i32::from(group.weight() > 0)
    })
}

/// Rolls the dice in a buffer, all with one stream.
pub(crate) unsafe extern "C" fn roll_all(context: *mut Context, number: u32, count: u32) {
    with(context, |context, m| {
        let dice = context.buffer(number, count as usize).unwrap_or_default();
        let mut rng = m.next_stream(Label::Roll);
        for die in dice {
            if let Some((word, faces, _)) = die_of(m.program, *die) {
                let side = rng.below(faces.len() as u32);
                if let Some(face) = faces.get(side as usize) {
                    m.state.set_var(word, *face);
                }
            }
        }
    });
}

// ---- grids

/// Stores the free cells of an open grid in a buffer; returns their number.
pub(crate) unsafe extern "C" fn free_cells(context: *mut Context, zone: i32, number: u32) -> i32 {
    with(context, |context, m| {
        let free = m.scratch.memo.free(m.state, zone);
        let count = context.put(number, &free);
        m.scratch.memo.keep_free(m.state, zone, free);
        count
    })
}

/// Makes an open grid available to code.
pub(crate) unsafe extern "C" fn look_at_grid(context: *mut Context, zone: i32) {
    with(context, |context, m| {
        let places = m.scratch.memo.places(m.state, zone);
        let table = places.map(|places| places.as_table());
        context.grid.look_at(zone, m.state.changes.grids, table);
    });
}

// ---- frames

/// Pushes the members of a buffer on the stack; returns their distance from the running frame.
pub(crate) unsafe extern "C" fn push(context: *mut Context, number: u32, count: u32) -> i32 {
    with_game(context, |context, _, state| {
        let Some(members) = context.buffer(number, count as usize) else {
            return GIVE_UP;
        };
        let Some(start) = state.push_words(members) else {
            return GIVE_UP;
        };
        let base = context.frames.base as usize;
        context.refresh_state(state, base);
        start.saturating_sub(base) as i32
    })
}
