//! Components that are swapped, rotated or laid onto an open grid: helpers that touch only the state.
//!
//! # Safety
//!
//! Only machine code calls the helpers, with the context that it was given.

use cranelift_codegen::ir::Value;

use crate::memory::context::Context;
use crate::memory::lent::with_game;
use crate::memory::moves::FACE_DOWN;
use crate::translator::emit::Translator;
use wyrmgate_engine::ops::moving::{
    Lying, WantedPosition, lay_silently, rotate_silently, shift_silently, swap_silently,
};
use wyrmgate_program::{CellMove, ExprId, SetId};

impl Translator<'_> {
    /// Returns `None` inside a what-if in place, because it cannot undo what these helpers change.
    fn is_for_good(&self) -> Option<()> {
        (!self.inlining.is_inside()).then_some(())
    }

    /// Moves a component to a cell of a zone, rotated by a number of quarter turns.
    pub fn move_to_cell(&mut self, how: CellMove) -> Option<()> {
        self.is_for_good()?;
        let arguments = [how.what, how.zone, how.cell, how.turned].map(|of| self.word_of(of));
        let helper = match how.face_down {
            true => lay_face_down as *const u8,
            false => lay as *const u8,
        };
        self.call_helper(helper, &arguments, None);
        Some(())
    }

    pub fn swap(&mut self, one: ExprId, other: ExprId) -> Option<()> {
        self.is_for_good()?;
        let pair = [one, other].map(|of| self.word_of(of));
        self.call_helper(exchange as *const u8, &pair, None);
        Some(())
    }

    /// Moves a component to a numbered place of a zone.
    pub fn move_to_place(
        &mut self,
        what: ExprId,
        to: ExprId,
        place: ExprId,
        how: u32,
    ) -> Option<()> {
        self.is_for_good()?;
        let [what, to, place] = [what, to, place].map(|of| self.word_of(of));
        let how = self.int(how as i32);
        self.call_helper(insert as *const u8, &[what, to, place, how], None);
        Some(())
    }

    pub fn rotate(&mut self, zones: SetId) -> Option<()> {
        self.is_for_good()?;
        let (number, count) = self.gathered(zones);
        self.call_helper(rotate_all as *const u8, &[number, count], None);
        self.close_buffer();
        Some(())
    }

    /// Emits the number of a buffer with the members of a list, and how many there are; the caller closes it.
    fn gathered(&mut self, set: SetId) -> (Value, Value) {
        let number = self.open_buffer();
        let count = self.gather_list(set, number);
        (self.int(number as i32), count)
    }
}

unsafe extern "C" fn lay(context: *mut Context, what: i32, zone: i32, cell: i32, turned: i32) {
    put_on_cell(context, what, zone, Lying::new(cell, turned, false));
}

unsafe extern "C" fn lay_face_down(
    context: *mut Context,
    what: i32,
    zone: i32,
    cell: i32,
    turned: i32,
) {
    put_on_cell(context, what, zone, Lying::new(cell, turned, true));
}

fn put_on_cell(context: *mut Context, what: i32, zone: i32, how: Lying) {
    with_game(context, |context, program, state| {
        let moved = lay_silently(program, state, what, zone, how);
        context.note_moved(moved, 1);
    });
}

unsafe extern "C" fn exchange(context: *mut Context, one: i32, other: i32) {
    with_game(context, |context, program, state| {
        let swapped = swap_silently(program, state, one, other);
        context.note_moved(swapped, 2);
    });
}

unsafe extern "C" fn insert(context: *mut Context, what: i32, to: i32, place: i32, how: u32) {
    with_game(context, |context, program, state| {
        let (place, face_down) = (WantedPosition::At(place), how & FACE_DOWN != 0);
        let moved = shift_silently(program, state, what, to, place, face_down);
        context.note_moved(moved, 1);
    });
}

unsafe extern "C" fn rotate_all(context: *mut Context, number: u32, count: u32) {
    with_game(context, |context, program, state| {
        let zones = context.buffer(number, count as usize).unwrap_or_default();
        let rotated = rotate_silently(program, state, zones);
        let count = rotated.map_or(0, |count| count as i64);
        context.remaining.fuel -= count;
        context.note_moved(rotated.map(|_| true), count);
    });
}
