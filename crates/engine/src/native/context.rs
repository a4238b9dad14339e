//! The data that machine code and its helpers share: one block of memory whose layout both know.

use std::ffi::c_void;

use super::ahead::Ahead;
use super::grid::Grid;
use super::menu::Row;
use crate::changes::Changes;
use crate::eval::Scratch;
use crate::machine::Machine;
use crate::state::State;
use wyrmgate_program::NONE;

/// Answer of native code: a decision is owed or the game is over.
pub(super) const REST: i32 = -1;
/// Answer of native code: the game is over, for certain.
pub(super) const OVER: i32 = -3;
/// Answer of native code: it cannot go on as the rules say; the move has to be played again by the interpreter.
pub(super) const GIVE_UP: i32 = -2;

/// Names that a choice noted in place can have, and members its last name can stand for.
pub(super) const NAMES_MAX: usize = 8;
pub(super) const MEMBERS_MAX: usize = 1_024;
/// Buffers of members: one a name, the others for lists.
pub(super) const BUFFERS_MAX: usize = NAMES_MAX + LISTS_MAX;
pub(super) const LISTS_MAX: usize = 16;

/// Everything machine code reads and writes. Pointers are made anew from the machine whenever a helper has run, because
/// a helper may have moved what they point to.
#[repr(C)]
pub(super) struct Context {
    /// The words of the state: as many as the layout says.
    pub words: *mut i32,
    pub stack: *mut i32,
    pub stack_len: u64,
    /// The first word of the running frame, all of whose slots are on the stack, and how many words lie below it. The
    /// machine and the state are told when they are used again.
    pub frame: *mut i32,
    pub base: u64,
    /// The lowest window of temps, large enough for every expression of the program.
    pub temps: *mut i32,
    /// Answers of masks that are kept, four words of 64 bits a slot: after how many changes, for which temps, the bits.
    pub kept: *mut [u64; 4],
    /// What the driver lends to helpers for the move: a [`super::lent::Lent`].
    pub lent: *mut c_void,
    /// Those of the state.
    pub changes: *mut Changes,
    /// At most so much work and so many events are left; below zero, the interpreter has to look closely.
    pub fuel: i64,
    pub events: i64,
    /// The bits of a mask that a helper worked out, and those of the choices at a rest.
    pub low: u64,
    pub high: u64,
    /// The values of the names before the last one, and a buffer for the members of each.
    pub prefix: [i32; NAMES_MAX],
    pub members: *mut i32,
    /// The open grid that was looked at last.
    pub grid: Grid,
    /// How many choices there are at a rest, if code has noted them all.
    pub choices: u64,
    /// Where the next row of choices goes; rows may be put there up to the last.
    pub next_row: *mut Row,
    pub first_row: *mut Row,
    pub last_row: *mut Row,
    /// Where the next member of a row goes that lists them; members may be put there up to the last.
    pub next_listed: *mut i32,
    pub first_listed: *mut i32,
    pub last_listed: *mut i32,
    /// The site at which native code has come to rest with all choices noted here; nothing after other rests.
    pub site: i32,
    /// Whose choices are to be noted, where several seats decide.
    pub seat: i32,
    /// Evaluation has failed somewhere on the way: what has come of it is worth nothing.
    pub failed: i32,
    /// Numbers at random that are known beforehand. Not for machine code.
    pub ahead: Ahead,
}

impl Context {
    pub fn new() -> Context {
        Context {
            words: std::ptr::null_mut(),
            stack: std::ptr::null_mut(),
            stack_len: 0,
            frame: std::ptr::null_mut(),
            base: 0,
            temps: std::ptr::null_mut(),
            kept: std::ptr::null_mut(),
            lent: std::ptr::null_mut(),
            changes: std::ptr::null_mut(),
            fuel: 0,
            events: 0,
            low: 0,
            high: 0,
            prefix: [0; NAMES_MAX],
            members: std::ptr::null_mut(),
            grid: Grid::none(),
            choices: 0,
            next_row: std::ptr::null_mut(),
            first_row: std::ptr::null_mut(),
            last_row: std::ptr::null_mut(),
            next_listed: std::ptr::null_mut(),
            first_listed: std::ptr::null_mut(),
            last_listed: std::ptr::null_mut(),
            site: NONE,
            seat: 0,
            failed: 0,
            ahead: Ahead::new(),
        }
    }

    /// Nothing is known of the choices any more, and nothing has failed yet; where the memory lies with which the next
    /// move begins.
    #[inline]
    pub fn set_out(&mut self, state: &mut State, scratch: &mut Scratch, base: usize) {
        (self.site, self.failed) = (NONE, 0);
        self.look_up_state(state, base);
        self.temps = scratch.temps.as_mut_ptr();
    }

    /// Takes over from the machine: what it has counted, and where its memory lies now.
    pub fn take_over(&mut self, m: &mut Machine<'_>) {
        self.fuel = i64::from(m.scratch.fuel);
        self.events = i64::from(m.events_left());
        self.look_up(m);
    }

    /// Where the machine's memory lies now.
    pub fn look_up(&mut self, m: &mut Machine<'_>) {
        self.look_up_state(m.state, m.base);
        self.temps = m.scratch.temps.as_mut_ptr();
    }

    /// Where the words of the state lie now, and the frame that begins there.
    #[inline]
    pub fn look_up_state(&mut self, state: &mut State, base: usize) {
        self.words = state.words.as_mut_ptr();
        self.stack = state.stack.as_mut_ptr();
        self.stack_len = state.stack.len() as u64;
        self.changes = &raw mut state.changes;
        // Used only after the driver has made sure that the whole frame is there.
        self.frame = self.stack.wrapping_add(base);
        self.base = base as u64;
    }

    /// Hands over to the machine.
    pub fn hand_over(&self, m: &mut Machine<'_>) {
        m.scratch.fuel = self.fuel.clamp(0, i64::from(u32::MAX)) as u32;
        m.set_events_left(self.events.clamp(0, i64::from(u32::MAX)) as u32);
    }
}
