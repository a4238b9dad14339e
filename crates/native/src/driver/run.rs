//! Runs machine code from one rest (a state in which a seat must decide) to the next, and handles code that gives up.

mod noted;

pub use noted::NotedChoices;

use crate::choices::kind::RecordingKind;
use crate::choices::select::Select;
use crate::driver::menu;
use crate::driver::menu::TakenChoice;
use crate::memory::buffers::{BUFFERS_MAX, STRIDE, buffers};
use crate::memory::context::{Context, EntryPoint, GIVE_UP, QUERIES_MAX, REST};
use crate::memory::lent::LentMemory;
use crate::memory::paths::{PATH, PATHS_MAX};
use crate::memory::positions::NumberedPosition;
use crate::memory::row::{ChoiceRow, LISTED_MAX, ROWS_MAX};
use crate::memory::selecting::Selecting;
use crate::memory::strip::Strip;
use crate::memory::undo::{SavedWord, UNDO_MAX};
use crate::translation::Translation;
use crate::translator::helper;
use std::sync::Arc;
use wyrmgate_engine::choice::{Answer, Pending};
use wyrmgate_engine::fault::Halt;
use wyrmgate_engine::frame::{END, FRAME_HEADER};
use wyrmgate_engine::game::RunnerGame;
use wyrmgate_engine::layout::header;
use wyrmgate_engine::limit::{EVENTS_PER_MOVE, FUEL_PER_MOVE};
use wyrmgate_engine::machine::NextAction;
use wyrmgate_engine::ops::deciding;
use wyrmgate_engine::state::State;
use wyrmgate_program::NONE;

/// A program's machine code, and the memory of one game that runs it.
pub struct Native {
    translation: Arc<Translation>,
    context: Context,
    /// Cached results of masks; see [`Context::kept`]. Only code reads them.
    _kept: Vec<[u64; 4]>,
    /// See [`Context::members`].
    members: Vec<i32>,
    /// See [`Context::what_if`].
    /// See [`Context::selecting`].
    selecting: Box<Selecting>,
    /// See [`Context::what_if`]. Only code and its helper use them.
    _paths: Vec<i64>,
    /// See [`Context::what_if`].
    _positions: Box<NumberedPosition>,
    /// Choices in rows, from the first up to the next in the context.
    rows: Vec<ChoiceRow>,
    /// The members that rows list.
    listed: Vec<i32>,
    /// See [`Context::what_if`].
    _undo: Vec<SavedWord>,
    /// Memory of choices that is not in use, for the next exchange.
    spare: NotedChoices,
}

/// An error: machine code has given up, and the state must not be used.
struct GaveUp;

impl Native {
    /// Returns the memory for one game.
    pub fn boxed(translation: Arc<Translation>) -> Box<Native> {
        // Sentinel: never equal to a change count.
        let mut kept = vec![[u64::MAX, 0, 0, 0]; translation.kept];
        let count = buffers(translation.code.queries);
        let mut members = vec![0; count * STRIDE];
        let mut rows = vec![ChoiceRow::default(); ROWS_MAX];
        let mut listed = vec![0; LISTED_MAX];
        let mut undo = vec![SavedWord::default(); UNDO_MAX];
        let old_words = Strip::of(undo.as_mut_ptr(), UNDO_MAX);
        let of_rows = Strip::of(rows.as_mut_ptr(), ROWS_MAX);
        let of_members = Strip::of(listed.as_mut_ptr(), LISTED_MAX);
        let mut context = Context::new(old_words, of_rows, of_members);
        let mut positions = Box::new(NumberedPosition::new());
        context.what_if.positions = &raw mut *positions;
        context.entries = translation.code.entries.by_address.as_slice();
        let mut paths = vec![0_i64; PATHS_MAX * PATH / 2];
        context.what_if.paths = paths.as_mut_ptr().cast();
        context.kept = kept.as_mut_ptr();
        context.members.first = members.as_mut_ptr();
        context.members.buffers = context.members.first;
        context.members.last = last_of(context.members.buffers, members.len());
        let mut selecting = Box::new(Selecting::new(&translation.code.forms));
        context.selecting = &raw mut *selecting;
        Box::new(Native {
            translation,
            context,
            _kept: kept,
            members,
            selecting,
            _paths: paths,
            _positions: positions,
            rows,
            listed,
            _undo: undo,
            spare: NotedChoices::default(),
        })
    }

    /// Forgets the choices, because the game continues elsewhere.
    pub fn forget(&mut self) {
        self.context.rest.site = NONE;
        self.context.ahead.forget();
        self.unwind();
    }

    /// Resets the state of helpers after code has given up.
    fn unwind(&mut self) {
        let first = self.context.members.first;
        self.context.members.buffers = first;
        self.context.members.last = last_of(first, self.members.len());
        self.context.levels = [0; QUERIES_MAX];
        self.selecting.reset();
    }

    /// Forgets random numbers that were generated ahead.
    pub fn forget_numbers(&mut self) {
        self.context.ahead.forget();
    }

    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    pub(crate) fn select(&self) -> Select {
        self.translation.select
    }

    /// Plays a move by the number of a recorded choice. `None`: as for [`Native::answer`].
    #[inline]
    pub fn take(&mut self, game: &mut RunnerGame<'_>, number: u64) -> Option<()> {
        let Some(entry) = self.taking(game) else {
            return self.take_named(game, number);
        };
        let (entry, is_listed) = entry;
        let (low, high) = (self.context.members.low, self.context.members.high);
        let choice = match is_listed {
            true if number >= self.context.rest.choices => return None,
            true => number as u32,
            false => menu::nth(low, high, number, self.translation.select),
        };
        let mut lent = LentMemory::Game(game);
        let next = self.enter(&mut lent, entry, choice);
        self.end_move(&mut lent, next)
    }

    /// Returns the code that continues with a choice, ready to be entered, and whether it takes the number of a listed member
    /// instead of the position of a bit. `None` if there is none, or if something must be done before.
    #[inline]
    fn taking(&mut self, game: &mut RunnerGame<'_>) -> Option<(EntryPoint, bool)> {
        let shape = self
            .translation
            .shapes
            .get(self.context.rest.site as usize)?;
        let (entry, is_listed) = (shape.taking?, shape.kind == RecordingKind::Rows);
        let state = &mut game.state;
        let base = usize::try_from(state.head(header::BASE)).ok()?;
        let has_frame = base + FRAME_HEADER + entry.slots <= state.stack.len();
        let has_words = state.words.len() == self.translation.layout.words();
        let has_temps = game.scratch.temps.len() >= self.translation.layout.temps;
        let is_ready = has_frame && has_words && has_temps && !game.menu.is_ready();
        is_ready.then(|| {
            self.context.prepare_move(state, &mut game.scratch, base);
            (entry, is_listed)
        })
    }

    /// Continues with a choice after storing what it names in the slots, where code does not do that itself.
    #[inline(never)]
    fn take_named(&mut self, game: &mut RunnerGame<'_>, number: u64) -> Option<()> {
        let shape = self
            .translation
            .shapes
            .get(self.context.rest.site as usize)?;
        let taken = match shape.kind {
            RecordingKind::Rows => menu::in_rows(
                self.noted_rows(),
                self.noted_list(),
                number,
                self.translation.select,
            )?,
            kind => self.context.choice(kind, number, self.translation.select)?,
        };
        let target = shape.targets.get(taken.option)?;
        let state = &mut game.state;
        let head = state.words.first_chunk_mut::<{ header::LEN }>()?;
        let [decisions, _, _, base, _, site, owing, secret] = head;
        *decisions = decisions.wrapping_add(1);
        let base = usize::try_from(*base).ok()?;
        let mut frame = base;
        if *secret != 0 {
            // Every seat has slots of its own.
            frame += owing.trailing_zeros() as usize;
            *owing &= owing.wrapping_sub(1);
            *secret = i32::from(*owing != 0);
        } else {
            *owing = 0;
        }
        let owing = *owing;
        if owing == 0 {
            *site = NONE;
        }
        bind(state, frame, &target.slots, &taken);
        if owing != 0 {
            let look = shape.look;
            return self.look(game, base, look, owing.trailing_zeros());
        }
        let entry = target.entry?;
        if base + FRAME_HEADER + entry.slots > state.stack.len() {
            return None;
        }
        if game.menu.is_ready() {
            game.menu.clear();
        }
        self.prepare_move(game, base)?;
        // The interpreter would have emitted the event of the choice.
        self.context.remaining.events -= 1;
        let mut lent = LentMemory::Game(game);
        let next = self.enter(&mut lent, entry, 0);
        self.end_move(&mut lent, next)
    }

    /// Ends a move in which code was entered after a decision. `next` is the result of that code.
    #[inline]
    fn end_move(&mut self, lent: &mut LentMemory<'_, '_>, next: i32) -> Option<()> {
        // Without a machine, code has kept the counts and stored in the state where the game continues.
        if next == REST && self.context.rest.failed == 0 && matches!(lent, LentMemory::Game(_)) {
            return Some(());
        }
        let played = self.go_on(lent, next);
        self.settle(played)
    }

    /// Records the choices of a decision that is owed at this rest, if there is code for it. `None`: as for
    /// [`Native::answer`].
    pub fn look_at(&mut self, game: &mut RunnerGame<'_>, owed: Pending) -> Option<()> {
        let base = usize::try_from(game.state.head(header::BASE)).ok()?;
        let shape = self.translation.shapes.get(usize::from(owed.site))?;
        let look = shape.look;
        self.look(game, base, look, u32::from(owed.seat))
    }

    /// Records the choices of a seat with this code, or with the interpreter if there is no code. `None`: as for
    /// [`Native::answer`].
    #[inline(never)]
    fn look(
        &mut self,
        game: &mut RunnerGame<'_>,
        base: usize,
        entry: Option<EntryPoint>,
        seat: u32,
    ) -> Option<()> {
        self.context.rest.site = NONE;
        game.menu.clear();
        let end = game.state.stack.len();
        let Some(entry) = entry.filter(|entry| base + FRAME_HEADER + entry.slots <= end) else {
            return Some(());
        };
        self.prepare_move(game, base)?;
        self.context.rest.seat = seat as i32;
        let mut lent = LentMemory::Game(game);
        let next = self.enter(&mut lent, entry, 0);
        (next == REST && self.has_been_sound(&lent)).then_some(())
    }

    /// Returns whether nothing has failed or come near its limit.
    #[inline]
    fn is_sound(&self) -> bool {
        let context = &self.context;
        (context.remaining.fuel | context.remaining.events) >= 0 && context.rest.failed == 0
    }

    /// Returns whether nothing has failed or come near its limit, now that a move has ended.
    fn has_been_sound(&self, lent: &LentMemory<'_, '_>) -> bool {
        self.is_sound() && i64::from(lent.looked()) <= self.context.remaining.looking
    }

    /// Plays a move: takes the answer and runs to the next rest. `None`: the state must not be used any more, and the
    /// interpreter must replay the game.
    pub fn answer(
        &mut self,
        game: &mut RunnerGame<'_>,
        owed: Pending,
        answer: &impl Answer,
    ) -> Option<()> {
        let base = usize::try_from(game.state.head(header::BASE)).ok()?;
        self.prepare_move(game, base)?;
        let mut lent = LentMemory::Game(game);
        let machine = lent.machine()?;
        let next = deciding::answer(machine, owed.site, owed.seat, answer);
        self.play_on(&mut lent, next)
    }

    /// Runs a new game to its first rest.
    pub fn begin(&mut self, game: &mut RunnerGame<'_>) -> Option<()> {
        self.forget();
        let play = game.program.code.play;
        self.prepare_move(game, 0)?;
        let mut lent = LentMemory::Game(game);
        // The interpreter would have emitted the event for the beginning of the game.
        self.context.remaining.events -= 1;
        self.context.lent = (&raw mut lent).cast();
        let context = &raw mut self.context;
        // SAFETY: «one context», which was lent the game just now.
        let entry = unsafe { helper::enter(context, u32::from(play), END) };
        let played = self.go_on(&mut lent, entry);
        self.settle(played)
    }

    /// Continues a move that the machine has begun.
    fn play_on(
        &mut self,
        lent: &mut LentMemory<'_, '_>,
        next: Result<NextAction, Halt>,
    ) -> Option<()> {
        let machine = lent.machine()?;
        self.context.update_from(machine);
        let pc = machine.pc as i32;
        let played = match next {
            Ok(NextAction::Go) => self.go_on(lent, pc),
            Ok(NextAction::Rest) => Ok(()),
            Err(Halt) => Err(GaveUp),
        };
        self.settle(played)
    }

    /// Prepares for another move of a state; `None` if it is not a state of the program.
    #[inline]
    fn prepare_move(&mut self, game: &mut RunnerGame<'_>, base: usize) -> Option<()> {
        game.scratch.make_room(self.translation.layout.temps);
        self.context.remaining.fuel = i64::from(FUEL_PER_MOVE);
        self.context.remaining.events = i64::from(EVENTS_PER_MOVE);
        self.context
            .prepare_move(&mut game.state, &mut game.scratch, base);
        (game.state.words.len() == self.translation.layout.words()).then_some(())
    }

    /// Handles the end of a move.
    fn settle(&mut self, played: Result<(), GaveUp>) -> Option<()> {
        if played.is_err() {
            self.forget();
        }
        played.ok()
    }

    /// Runs one function after the other until the next rest, which stores in the state where the game continues. The
    /// move must have been prepared.
    #[inline(never)]
    fn go_on(&mut self, lent: &mut LentMemory<'_, '_>, mut next: i32) -> Result<(), GaveUp> {
        while next >= 0 {
            next = self.next(lent, next)?;
        }
        if next == GIVE_UP || !self.has_been_sound(lent) {
            return Err(GaveUp);
        }
        let state = lent.state().ok_or(GaveUp)?;
        if state.is_finished() {
            state.set_head(header::PC, 0);
            state.set_head(header::BASE, 0);
        } else {
            state.set_head(header::BASE, self.context.frames.base as i32);
        }
        Ok(())
    }

    /// Runs the function at an address, or a single operation if there is none; returns what is next.
    fn next(&mut self, lent: &mut LentMemory<'_, '_>, pc: i32) -> Result<i32, GaveUp> {
        if !self.is_sound() {
            return Err(GaveUp);
        }
        let at = usize::try_from(pc).map_err(|_| GaveUp)?;
        let entry = self.context.entry(at);
        let words = self.context.frames.len - self.context.frames.base.min(self.context.frames.len);
        let has_frame = |slots| FRAME_HEADER + slots <= words as usize;
        if let Some(entry) = entry.filter(|entry| has_frame(entry.slots)) {
            return Ok(self.enter(lent, entry, 0));
        }
        self.context.remaining.fuel -= 1;
        self.context.lent = std::ptr::from_mut(lent).cast();
        let context = &raw mut self.context;
        // SAFETY: «one context», which was lent the machine just now.
        Ok(unsafe { helper::perform(context, at as u32) })
    }

    /// Runs a function; the state has the words of the layout, and the frame all slots of the entry.
    #[inline]
    fn enter(&mut self, lent: &mut LentMemory<'_, '_>, entry: EntryPoint, choice: u32) -> i32 {
        self.context.lent = std::ptr::from_mut(lent).cast();
        let context = &raw mut self.context;
        // SAFETY: «one context», «the machine waits» (until this returns), «all slots are there» and «words as the
        // layout says» (the caller has tested both), «code is entered through its owner».
        unsafe { (entry.function)(context, entry.number, choice) }
    }
}

/// Returns the last place for all buffers of a function in memory of this length.
fn last_of(first: *mut i32, length: usize) -> *mut i32 {
    first.wrapping_add(length.saturating_sub(BUFFERS_MAX * STRIDE))
}

/// Stores the names of a choice in the slots of the suspended frame.
#[inline]
fn bind(state: &mut State, base: usize, slots: &[usize], taken: &TakenChoice) {
    let Some((last, before)) = slots.split_last() else {
        return;
    };
    for (slot, value) in before.iter().zip(taken.names) {
        state.set_slot(base + slot, value);
    }
    state.set_slot(base + last, taken.value);
}
