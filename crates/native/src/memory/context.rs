//! The data that machine code and its helpers share: one block of memory whose layout both know.

use std::ffi::c_void;
use std::ptr::null_mut;

use crate::memory::ahead::StreamsAhead;
use crate::memory::buffers::{BUFFERS_MAX, NAMES_MAX, STRIDE};
use crate::memory::grid::OpenGrid;
use crate::memory::paths::{PATH, PATHS_MAX};
use crate::memory::positions::NumberedPosition;
use crate::memory::row::ChoiceRow;
use crate::memory::selecting::Selecting;
use crate::memory::strip::Strip;
use crate::memory::undo::SavedWord;
use wyrmgate_engine::FaultKind;
use wyrmgate_engine::changes::Changes;
use wyrmgate_engine::eval::Scratch;
use wyrmgate_engine::limit::{FUEL_PER_ENUMERATION, STATE_WORDS_MAX};
use wyrmgate_engine::machine::Machine;
use wyrmgate_engine::state::State;
use wyrmgate_program::NONE;

/// The work that code may do to find choices in a move, and the work that helpers may do for the same. The driver tests
/// afterwards that they have not done more together than the interpreter may.
pub(crate) const LOOKING: i64 = FUEL_PER_ENUMERATION as i64;
pub(crate) const LOOKING_OF_HELPERS: u32 = FUEL_PER_ENUMERATION / 2;

/// The number of words by which recorded positions may make a state longer in one move.
pub(crate) const MARGIN: usize = 64;

/// The maximum number of recursive queries; further ones are left to the interpreter.
pub(crate) const QUERIES_MAX: usize = 8;

/// Result of machine code: a decision is pending or the game is over.
pub(crate) const REST: i32 = -1;
/// Result of machine code: the game is over.
pub(crate) const OVER: i32 = -3;
/// Result of machine code: it cannot continue as the rules require; the interpreter must replay the move.
pub(crate) const GIVE_UP: i32 = -2;

/// The code of an effect: from the context, the number of an entry and that of a choice (if one is taken) to what is
/// next, an address or one of [`REST`], [`OVER`], [`GIVE_UP`].
pub(crate) type Function = unsafe extern "C" fn(*mut Context, i32, u32) -> i32;

/// An entry point.
#[derive(Clone, Copy)]
pub(crate) struct EntryPoint {
    pub function: Function,
    pub number: i32,
    /// The number of slots in the frame of the code.
    pub slots: usize,
}

/// The stack of frames. Pointers are renewed whenever a helper has run.
#[repr(C)]
pub(crate) struct FrameMemory {
    pub words: *mut i32,
    pub len: u64,
    /// Where the state keeps the number of words on the stack, and how many frames can bring it to.
    pub top: *mut usize,
    pub room: u64,
    /// The first word of the running frame, all of whose slots are on the stack, and the number of words below it. The
    /// machine and the state are updated before they are used again.
    pub frame: *mut i32,
    pub base: u64,
}

/// Lower bounds of the remaining work and events. If one is negative, the interpreter must check exactly.
#[repr(C)]
#[derive(Default)]
pub(crate) struct Remaining {
    pub fuel: i64,
    pub events: i64,
    /// The remaining work for finding choices in this move.
    pub looking: i64,
}

/// Members of masks and names.
#[repr(C)]
pub(crate) struct MemberMemory {
    /// The bits of a mask that a helper computed, and those of the choices at a rest.
    pub low: u64,
    pub high: u64,
    /// The values of the names before the last one, and a buffer for the members of each.
    pub prefix: [i32; NAMES_MAX],
    pub buffers: *mut i32,
    /// The buffers of the code of effects. A recursive query has other ones. Then: the last ones that it can have.
    pub first: *mut i32,
    pub last: *mut i32,
}

/// What-ifs, and the positions about which they ask.
#[repr(C)]
pub(crate) struct WhatIfMemory {
    /// The number of a position that is being computed.
    pub positions: *mut NumberedPosition,
    /// Paths that searches have found; see [`crate::searches::path`].
    pub paths: *mut i32,
    /// The old words of what-ifs in place.
    pub undo: Strip<SavedWord>,
    /// The number of words that the state has room for on the stack, without positions that code records.
    pub room: i64,
    /// Changes whenever the position may have changed, except by what-ifs in place; 0 for no position.
    pub base_number: u64,
}

/// What code says when it comes to rest.
#[repr(C)]
pub(crate) struct RestMemory {
    /// The number of choices, if code has recorded them all.
    pub choices: u64,
    /// Rows of choices, and the members of rows that list them.
    pub rows: Strip<ChoiceRow>,
    pub listed: Strip<i32>,
    /// The site at which machine code has come to rest with all choices recorded here; NONE after other rests.
    pub site: i32,
    /// The seat whose choices are to be recorded, if several seats decide.
    pub seat: i32,
    /// Not zero if an evaluation has failed, so that its results are meaningless.
    pub failed: i32,
}

/// Everything that machine code reads and writes: code knows the places of the parts and of what they contain. Pointers are
/// renewed from the machine whenever a helper has run, because a helper may have moved their targets.
#[repr(C)]
pub(crate) struct Context {
    /// The words of the state, as many as the layout says.
    pub words: *mut i32,
    pub frames: FrameMemory,
    /// The lowest window of temps, large enough for every expression of the program.
    pub temps: *mut i32,
    /// Cached results of masks, four words of 64 bits per slot: the change count, the temps, the bits.
    pub kept: *mut [u64; 4],
    /// Data that the driver lends to helpers for the move: a [`crate::memory::lent::LentMemory`].
    pub lent: *mut c_void,
    /// The change counts of the state.
    pub changes: *mut Changes,
    pub remaining: Remaining,
    pub members: MemberMemory,
    /// The current depth of each recursive query.
    pub levels: [i32; QUERIES_MAX],
    /// The selections that are being looked for.
    pub selecting: *mut Selecting,
    pub what_if: WhatIfMemory,
    /// The open grid that was used last.
    pub grid: OpenGrid,
    pub rest: RestMemory,
    /// Random numbers computed ahead.
    pub ahead: StreamsAhead,
    /// By address: the code of the program, for effects that are only supposed. Not used by machine code.
    pub entries: *const [Option<EntryPoint>],
}

impl Context {
    /// Returns this many members of a buffer.
    pub fn buffer(&mut self, number: u32, count: usize) -> Option<&mut [i32]> {
        self.buffers().get_mut(number as usize)?.get_mut(..count)
    }

    /// Stores members in a buffer; returns their number.
    pub fn put(&mut self, number: u32, members: &[i32]) -> i32 {
        match self.buffer(number, members.len()) {
            Some(buffer) => {
                buffer.copy_from_slice(members);
                members.len() as i32
            }
            None => GIVE_UP,
        }
    }

    /// Counts the events of what a helper has moved, if it has. What is a fault is left to the interpreter, which reports it.
    pub fn note_moved(&mut self, moved: Result<bool, FaultKind>, events: i64) {
        match moved {
            Ok(true) => self.remaining.events -= events,
            Ok(false) => {}
            Err(_) => self.rest.failed = 1,
        }
    }

    /// Returns this many members of two buffers; `None` if it is the same one twice.
    pub fn two_buffers(&mut self, numbers: [u32; 2], count: usize) -> Option<[&mut [i32]; 2]> {
        let numbers = numbers.map(|number| number as usize);
        let [one, other] = self.buffers().get_disjoint_mut(numbers).ok()?;
        Some([one.get_mut(..count)?, other.get_mut(..count)?])
    }

    /// Returns the words of a path.
    pub fn path(&mut self, number: usize) -> Option<&mut [i32; PATH]> {
        if self.what_if.paths.is_null() || number >= PATHS_MAX {
            return None;
        }
        // SAFETY: «the memory of the driver waits»: it has memory for that many paths, and only this context refers to them.
        Some(unsafe { &mut *self.what_if.paths.add(number * PATH).cast() })
    }

    fn buffers(&mut self) -> &mut [[i32; STRIDE]] {
        if self.members.buffers.is_null() {
            return &mut [];
        }
        // SAFETY: «room for members»: there are `BUFFERS_MAX` buffers from here on, and only this context refers to them.
        unsafe { std::slice::from_raw_parts_mut(self.members.buffers.cast(), BUFFERS_MAX) }
    }

    /// Returns the old words of what-ifs in place, in the order in which they were changed.
    pub fn undone<'c>(&self) -> &'c [SavedWord] {
        let undo = &self.what_if.undo;
        // SAFETY: «room for old words»: code has stored that many entries, and adds none while a helper reads them.
        unsafe { std::slice::from_raw_parts(undo.first, undo.used()) }
    }

    /// Returns the context of a game with memory for old words, rows and the members that they list.
    pub fn new(undo: Strip<SavedWord>, rows: Strip<ChoiceRow>, listed: Strip<i32>) -> Context {
        Context {
            words: null_mut(),
            frames: FrameMemory {
                words: null_mut(),
                len: 0,
                top: null_mut(),
                room: 0,
                frame: null_mut(),
                base: 0,
            },
            temps: null_mut(),
            kept: null_mut(),
            lent: null_mut(),
            changes: null_mut(),
            remaining: Remaining::default(),
            members: MemberMemory {
                low: 0,
                high: 0,
                prefix: [0; NAMES_MAX],
                buffers: null_mut(),
                first: null_mut(),
                last: null_mut(),
            },
            levels: [0; QUERIES_MAX],
            selecting: null_mut(),
            what_if: WhatIfMemory {
                positions: null_mut(),
                paths: null_mut(),
                undo,
                room: 0,
                base_number: 1,
            },
            grid: OpenGrid::none(),
            rest: RestMemory {
                choices: 0,
                rows,
                listed,
                site: NONE,
                seat: 0,
                failed: 0,
            },
            ahead: StreamsAhead::new(),
            entries: &[],
        }
    }

    /// Returns the entry point at an address.
    #[inline]
    pub fn entry(&self, at: usize) -> Option<EntryPoint> {
        // SAFETY: «finished code is only read»: the driver keeps the code and its entries as long as this context.
        let entries = unsafe { self.entries.as_ref() };
        entries?.get(at).copied().flatten()
    }

    /// Prepares for a move: resets choices and failures, and sets the pointers to memory.
    #[inline]
    pub fn prepare_move(&mut self, state: &mut State, scratch: &mut Scratch, base: usize) {
        (self.rest.site, self.rest.failed) = (NONE, 0);
        self.remaining.looking = LOOKING;
        self.what_if.base_number += 1;
        self.what_if.undo.next = self.what_if.undo.first;
        self.refresh_state(state, base);
        self.temps = scratch.temps.as_mut_ptr();
    }

    /// Copies the counters of the machine into the context, and updates the pointers to its memory.
    pub fn update_from(&mut self, m: &mut Machine<'_>) {
        self.remaining.fuel = i64::from(m.scratch.fuel);
        self.remaining.events = i64::from(m.events_left());
        self.refresh(m);
    }

    /// Updates the pointers to the machine's memory.
    pub fn refresh(&mut self, m: &mut Machine<'_>) {
        self.refresh_state(m.state, m.base);
        self.temps = m.scratch.temps.as_mut_ptr();
    }

    /// Updates the pointers to the words of the state and to the frame that begins at `base`.
    #[inline]
    pub fn refresh_state(&mut self, state: &mut State, base: usize) {
        self.words = state.words.as_mut_ptr();
        self.frames.len = state.stack.len() as u64;
        let room = STATE_WORDS_MAX.saturating_sub(state.words.len() + state.history.words());
        self.what_if.room = room as i64;
        let (stack, memory, top) = state.stack.memory();
        (self.frames.words, self.frames.top) = (stack, top);
        // Positions may still be recorded in this move.
        self.frames.room = memory.min(room.saturating_sub(MARGIN)) as u64;
        self.changes = &raw mut state.changes;
        // Used only after the driver has checked that the whole frame exists.
        self.frames.frame = self.frames.words.wrapping_add(base);
        self.frames.base = base as u64;
    }

    /// Copies the counters and the base of the frame back to the machine.
    pub fn write_back(&self, m: &mut Machine<'_>) {
        m.scratch.fuel = self.remaining.fuel.clamp(0, i64::from(u32::MAX)) as u32;
        m.set_events_left(self.remaining.events.clamp(0, i64::from(u32::MAX)) as u32);
    }
}
