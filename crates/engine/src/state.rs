//! The state of a game at rest: two runs of words, cheap to clone, without any part of the program.
//!
//! `words` holds a header, then three words per zone (first, last, count), then a row per component (zone, next,
//! previous, flags; with open grids also cell and rotation), then all variables. Components of a zone form a doubly
//! linked list. `stack` holds the frames of suspended effects; see [`super::frame`].
//!
//! `history` holds a number for each position that the rules have recorded.
//!
//! Every read is total: an index that is out of range reads as `none`. Tests assert that this is not needed for words of the
//! header and the variables; it is for components and zones, which may be `none`, and for the stacks of damaged states.

mod places;

use crate::GameOutcome;
use crate::changes::Changes;
use crate::history::PositionHistory;
use crate::layout::{COUNT, StateLayout, header};
use crate::stack::FrameStack;
use wyrmgate_program::{NONE, Program, VarId};

pub use places::ZoneMembers;

/// An invariant: a state belongs to its program, whose code addresses only what the layout has room for.
const WORDS: &str = "words-within-the-layout";

/// A game in progress or finished.
#[derive(Debug, PartialEq, Eq)]
pub struct State {
    pub seed: [u8; 32],
    pub words: Vec<i32>,
    pub stack: FrameStack,
    pub outcome: Option<Box<GameOutcome>>,
    pub history: PositionHistory,
    pub layout: StateLayout,
    pub changes: Changes,
}

impl Clone for State {
    fn clone(&self) -> State {
        State {
            seed: self.seed,
            words: self.words.clone(),
            stack: self.stack.clone(),
            outcome: self.outcome.clone(),
            history: self.history.clone(),
            layout: self.layout,
            changes: self.changes,
        }
    }

    /// Reuses the memory: a search copies states without allocating.
    fn clone_from(&mut self, other: &State) {
        self.seed = other.seed;
        self.words.clone_from(&other.words);
        self.stack.clone_from(&other.stack);
        self.outcome.clone_from(&other.outcome);
        self.history.clone_from(&other.history);
        self.layout = other.layout;
        self.changes = other.changes;
    }
}

impl State {
    /// Returns how many bytes of memory its words take.
    #[inline]
    pub fn bytes(&self) -> usize {
        (self.words.len() + self.stack.len()) * size_of::<i32>()
    }

    /// Creates a state in which everything is in its first place and nothing has begun.
    pub fn new(program: &Program, seed: [u8; 32]) -> State {
        let layout = StateLayout::of(program);
        let mut state = State {
            seed,
            words: vec![NONE; layout.words()],
            stack: FrameStack::new(),
            outcome: None,
            history: PositionHistory::default(),
            layout,
            changes: Changes::default(),
        };
        state.clear_header();
        state.clear_zones();
        state.place_components(program);
        state.start_fields(program);
        state.start_vars(program);
        state
    }

    /// Copies `blank` with another seed, reusing memory.
    #[inline]
    pub fn renew(&mut self, blank: &State, seed: [u8; 32]) {
        self.changes.places += 1;
        self.changes.grids += 1;
        self.seed = seed;
        self.words.clone_from(&blank.words);
        self.stack.clear();
        self.outcome = None;
        self.history.clone_from(&blank.history);
    }

    /// Copies another state of the same program, reusing memory. Results cached for the previous state become invalid.
    #[inline]
    pub fn become_as(&mut self, other: &State) {
        let mut changes = self.changes;
        changes.places += 1;
        changes.grids += 1;
        self.clone_from(other);
        self.changes = changes;
    }

    /// Exchanges two states of the same program. Results cached for this one become invalid.
    #[inline]
    pub fn exchange(&mut self, other: &mut State) {
        let mut changes = self.changes;
        changes.places += 1;
        changes.grids += 1;
        std::mem::swap(self, other);
        self.changes = changes;
    }

    /// Copies a state of the same program with another seed, reusing memory.
    #[inline]
    pub fn renew_from(&mut self, other: &State, seed: [u8; 32]) {
        self.changes.places += 1;
        self.changes.grids += 1;
        self.seed = seed;
        self.words.clone_from(&other.words);
        self.stack.clone_from(&other.stack);
        self.outcome = None;
        self.history.clone_from(&other.history);
    }

    fn clear_header(&mut self) {
        for word in self.words.iter_mut().take(header::LEN) {
            *word = 0;
        }
        self.set_head(header::SITE, NONE);
    }

    fn clear_zones(&mut self) {
        for zone in 0..self.layout.zones as i32 {
            self.set_zone_word(zone, COUNT, 0);
        }
    }

    fn place_components(&mut self, program: &Program) {
        for (component, info) in program.components.iter().enumerate() {
            let component = component as i32;
            self.set_flags(component, 0);
            self.set_turned(component, 0);
            self.insert(component, i32::from(info.starts_in), NONE);
        }
    }

    /// Sets changing fields to 0, false or none.
    fn start_fields(&mut self, program: &Program) {
        use wyrmgate_program::{FieldPlace, Type};
        for kind in &program.kinds {
            for field in &kind.fields {
                let FieldPlace::Changing { offset, first } = field.at else {
                    continue;
                };
                let zero = matches!(field.of, Type::Int | Type::Bool);
                for component in kind.first..kind.first + kind.count {
                    let word = offset + component.saturating_sub(first);
                    self.set_var(word, if zero { 0 } else { NONE });
                }
            }
        }
    }

    fn start_vars(&mut self, program: &Program) {
        for var in &program.vars {
            for word in 0..var.len {
                self.set_var(var.offset + word, var.start_of(word));
            }
        }
    }

    /// Returns the outcome of a finished game.
    #[inline]
    pub fn outcome(&self) -> Option<&GameOutcome> {
        self.outcome.as_deref()
    }

    /// Returns the number of decisions since the game began.
    #[inline]
    pub fn decisions_made(&self) -> u32 {
        self.head(header::DECISIONS) as u32
    }

    /// Forgets that this many decisions were made.
    pub fn forget_decisions(&mut self, count: usize) {
        let made = self.decisions_made().saturating_sub(count as u32);
        self.set_head(header::DECISIONS, made as i32);
    }

    /// Returns the number of random operations; each used one stream of the seed.
    #[inline]
    pub fn draws_made(&self) -> u32 {
        self.head(header::DRAWS) as u32
    }

    /// Replaces the seed of future chance: for sampled worlds, whose future nobody knows.
    #[inline]
    pub fn reseed(&mut self, seed: [u8; 32]) {
        self.seed = seed;
    }

    /// Returns its size in memory in bytes, for the limit and for measurements.
    #[inline]
    pub fn size(&self) -> usize {
        self.size_in_words() * size_of::<i32>()
    }

    #[inline]
    pub fn size_in_words(&self) -> usize {
        self.words.len() + self.stack.len() + self.history.words()
    }

    /// Remembers a position by the number of its values.
    #[inline]
    pub fn record(&mut self, number: u64) {
        // Whatever has been computed about this state may ask for the position.
        self.changes.places += 1;
        self.history.add(number);
    }

    /// Ends the game and drops all suspended frames.
    #[inline]
    pub fn finish(&mut self, outcome: Box<GameOutcome>) {
        self.outcome = Some(outcome);
        self.stack.clear();
        self.set_head(header::DEPTH, 0);
        self.set_head(header::SITE, NONE);
        self.set_head(header::OWING, 0);
        self.set_head(header::SECRET, 0);
    }

    #[inline]
    pub fn components(&self) -> usize {
        self.layout.components
    }

    #[inline]
    pub fn zones(&self) -> usize {
        self.layout.zones
    }

    /// Returns the frames of the suspended effects, as words.
    #[inline]
    pub fn stack(&self) -> &[i32] {
        &self.stack
    }

    #[inline]
    pub fn is_finished(&self) -> bool {
        self.outcome.is_some()
    }

    /// Returns the next or previous seat; NONE for NONE.
    pub fn seat_after(&self, seat: i32, by: i8) -> i32 {
        let seats = self.layout.seats as i32;
        if !(0..seats).contains(&seat) {
            return NONE;
        }
        let after = seat + i32::from(by);
        if after >= seats {
            after - seats
        } else if after < 0 {
            after + seats
        } else {
            after
        }
    }

    // ---- words

    #[inline]
    pub fn head(&self, word: usize) -> i32 {
        debug_assert!(word < self.words.len(), "{WORDS}");
        self.words.get(word).copied().unwrap_or(NONE)
    }

    #[inline]
    pub fn set_head(&mut self, word: usize, value: i32) {
        debug_assert!(word < self.words.len(), "{WORDS}");
        if let Some(place) = self.words.get_mut(word) {
            *place = value;
        }
    }

    /// Returns a word of the variables.
    #[inline]
    pub fn var(&self, offset: u32) -> i32 {
        let at = self.layout.vars_at.saturating_add(offset as usize);
        self.words.get(at).copied().unwrap_or(NONE)
    }

    /// Returns a run of words of the variables.
    #[inline]
    pub fn vars(&self, offset: u32, len: u32) -> &[i32] {
        let first = self.layout.vars_at.saturating_add(offset as usize);
        let end = first.saturating_add(len as usize);
        debug_assert!(end <= self.words.len(), "{WORDS}");
        self.words.get(first..end).unwrap_or(&[])
    }

    pub fn set_var(&mut self, offset: u32, value: i32) {
        if offset < self.layout.course_words {
            self.changes.course += 1;
        } else {
            self.changes.words += 1;
        }
        let at = self.layout.vars_at.saturating_add(offset as usize);
        debug_assert!(at < self.words.len(), "{WORDS}");
        if let Some(place) = self.words.get_mut(at) {
            *place = value;
        }
    }

    /// Returns the first word of a variable that every game has; NONE if the program lacks it.
    #[inline]
    pub fn built_in(&self, var: VarId) -> i32 {
        self.var(self.built_in_offset(var))
    }

    #[inline]
    pub fn built_in_offset(&self, var: VarId) -> u32 {
        let offsets = &self.layout.built_in;
        offsets.get(usize::from(var)).copied().unwrap_or(u32::MAX)
    }

    /// Returns a word of the stack.
    #[inline]
    pub fn slot(&self, at: usize) -> i32 {
        self.stack.get(at).copied().unwrap_or(NONE)
    }

    #[inline]
    pub fn set_slot(&mut self, at: usize, value: i32) {
        if let Some(place) = self.stack.get_mut(at) {
            *place = value;
        }
    }
}
