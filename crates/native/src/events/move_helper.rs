//! Helpers that move components one after the other.
//!
//! # Safety
//!
//! Only machine code calls these functions, with the context that it was given.

use crate::memory::context::Context;
use crate::memory::lent::with_game;
use crate::memory::moves::{FACE_DOWN, FIRST, UNDONE};
use crate::memory::undo::SavedWord;
use wyrmgate_engine::layout::{self, NEXT, PREVIOUS, ZONE_WORDS};
use wyrmgate_engine::ops::moving::{WantedPosition, shift_silently};
use wyrmgate_engine::state::State;
use wyrmgate_program::Program;

/// Moves a component to the first or last place of a zone.
pub(crate) unsafe extern "C" fn shift(context: *mut Context, what: i32, to: i32, how: u32) {
    with_game(context, |context, program, state| {
        moving(context, program, state, how).shift(what, to)
    });
}

/// Moves the members of a buffer to the first or last place of a zone, one after the other.
pub(crate) unsafe extern "C" fn shift_all(
    context: *mut Context,
    number: u32,
    count: u32,
    to: i32,
    how: u32,
) {
    with_game(context, |context, program, state| {
        let mut moving = moving(context, program, state, how);
        for at in 0..count as usize {
            let members = moving.context.buffer(number, count as usize);
            if let Some(&mut what) = members.and_then(|members| members.get_mut(at)) {
                moving.shift(what, to);
            }
        }
    });
}

/// Draws this many components from the top of a zone.
pub(crate) unsafe extern "C" fn draw(
    context: *mut Context,
    count: i32,
    from: i32,
    to: i32,
    how: u32,
) {
    with_game(context, |context, program, state| {
        let count = count.min(state.zone_count(from));
        context.remaining.fuel -= i64::from(count.max(0));
        let has_room = has_room_for(program, state, to, count);
        if from != to && how & (FIRST | UNDONE) == 0 && has_room {
            let flags = match how & FACE_DOWN {
                0 => 0,
                _ => layout::FACE_DOWN,
            };
            state.deal(count, from, to, flags);
            context.remaining.events -= i64::from(count.max(0));
            return;
        }
        let mut moving = moving(context, program, state, how);
        for _ in 0..count {
            let top = moving.state.zone_last(from);
            moving.shift(top, to);
        }
    });
}

/// Returns whether this many components can move to a zone from anywhere else, without a place on a grid.
fn has_room_for(program: &Program, state: &State, zone: i32, count: i32) -> bool {
    let info = program
        .zone_info(zone)
        .filter(|_| !state.layout.has_cells());
    info.is_some_and(|info| {
        let capacity = info.capacity.map_or(i32::MAX, i32::from);
        info.inside.is_none() && count <= capacity.saturating_sub(state.zone_count(zone))
    })
}

/// Moves of components without events. The memory of the state stays in place.
struct Moving<'m> {
    context: &'m mut Context,
    program: &'m Program,
    state: &'m mut State,
    how: (WantedPosition, bool),
    is_undone: bool,
}

fn moving<'m>(
    context: &'m mut Context,
    program: &'m Program,
    state: &'m mut State,
    how: u32,
) -> Moving<'m> {
    let place = match how & FIRST {
        0 => WantedPosition::Last,
        _ => WantedPosition::First,
    };
    Moving {
        context,
        program,
        state,
        how: (place, how & FACE_DOWN != 0),
        is_undone: how & UNDONE != 0,
    }
}

impl Moving<'_> {
    fn shift(&mut self, what: i32, to: i32) {
        if self.is_undone && !note_move(self.context, self.state, what, to) {
            self.context.rest.failed = 1;
            return;
        }
        let (place, face_down) = self.how;
        let moved = shift_silently(self.program, self.state, what, to, place, face_down);
        self.context.note_moved(moved, 1);
    }
}

/// Stores the words that a move to the first or last place of a zone changes; `false` if there is no room for them.
fn note_move(context: &mut Context, state: &State, what: i32, to: i32) -> bool {
    let zone = |zone| {
        let first = state.zone_at(zone);
        first.map_or(0..0, |first| first..first + ZONE_WORDS)
    };
    let (from, to_words) = (zone(state.zone_of(what)), zone(to));
    let row = state.row_at(what);
    let row = row.map_or(0..0, |first| first..first + state.layout.row);
    let [before, after] = [state.previous(what), state.next(what)];
    let [first, last] = [state.zone_first(to), state.zone_last(to)];
    let others = [before, after, first, last].into_iter();
    let links = others.filter_map(|component| state.row_at(component));
    let links = links.flat_map(|row| [row + NEXT, row + PREVIOUS]);
    let mut words = from.chain(to_words).chain(row).chain(links);
    words.all(|word| note_word(context, state, word))
}

fn note_word(context: &mut Context, state: &State, word: usize) -> bool {
    let Some(value) = state.words.get(word) else {
        return true; // nothing lies there, so nothing changes
    };
    let next = &mut context.what_if.undo.next;
    if *next > context.what_if.undo.last {
        return false;
    }
    // SAFETY: «room for old words»: the place is between the first and the last of the driver's.
    unsafe {
        **next = SavedWord {
            word: word as u32,
            value: *value,
        };
    }
    *next = next.wrapping_add(1);
    true
}
