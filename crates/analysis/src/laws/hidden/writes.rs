//! Writes of the rules out of the viewer's sight, in two worlds: words, destinations of components, exchanges and turns.
//!
//! A choice of chance may show in the very step, and so may an answer when all seats have answered: it was never hidden then. But
//! it may show only as itself, not by way of a word or a place that the viewer may not see. To tell the two apart, the step is
//! repeated with the same new choice, and all hidden writes are forced to the values of the first world. If the viewer then
//! receives the same as in the first world, the difference came only from what is hidden.

use std::collections::{HashMap, HashSet};

use wyrmgate_engine::{Handling, State};
use wyrmgate_program::ByNumber;

/// The destination of a write, or an operation on components.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum WriteTarget {
    Word(u32),
    /// The zone of a component.
    ZoneOf(i32),
    Handling(Handling),
}

/// A step, a place, and the ordinal of the write to it in this step.
type Key = (usize, WriteTarget, u32);

/// The hidden writes of the first world.
#[derive(Debug, Clone, Default)]
pub(super) struct Writes {
    values: HashMap<Key, i32>,
    handled: HashMap<Key, Vec<i32>>,
    counts: OperationCounts,
}

/// Counts operations in the present step.
#[derive(Debug, Clone, Default)]
struct OperationCounts {
    step: usize,
    by_place: HashMap<WriteTarget, u32>,
}

impl OperationCounts {
    fn key(&mut self, step: usize, place: WriteTarget) -> Key {
        if self.step != step {
            self.step = step;
            self.by_place.clear();
        }
        let count = self.by_place.entry(place).or_default();
        *count += 1;
        (step, place, *count)
    }
}

impl Writes {
    pub fn note_handling(&mut self, step: usize, how: Handling, components: &[i32]) {
        let key = self.counts.key(step, WriteTarget::Handling(how));
        self.handled.insert(key, components.to_vec());
    }

    pub fn note(&mut self, step: usize, place: WriteTarget, value: i32) {
        let key = self.counts.key(step, place);
        self.values.insert(key, value);
    }
}

/// The hidden writes of the other world.
#[derive(Debug)]
pub(super) struct ForcedWrites<'a> {
    first: &'a Writes,
    counts: OperationCounts,
    /// The current step; 0 is the setup.
    pub step: usize,
    /// In this step, hidden writes are forced to the values of the first world.
    pub at: Option<(usize, &'a Unseen)>,
    /// The places that got another value in this step than in the first world, with that value.
    differ: HashSet<(WriteTarget, i32)>,
    /// Present if other components were exchanged or turned over in this step: whether all of them were out of sight.
    handled_otherwise: Option<bool>,
}

impl<'a> ForcedWrites<'a> {
    pub fn new(first: &'a Writes) -> ForcedWrites<'a> {
        ForcedWrites {
            first,
            counts: OperationCounts::default(),
            step: 0,
            at: None,
            differ: HashSet::new(),
            handled_otherwise: None,
        }
    }

    pub fn begin_step(&mut self, step: usize) {
        self.step = step;
        self.differ.clear();
        self.handled_otherwise = None;
    }

    /// Returns whether any write of this step differs in place or value.
    pub fn differs(&self) -> bool {
        !self.differ.is_empty() || self.handled_otherwise.is_some()
    }

    /// Returns whether the write was hidden.
    pub fn differs_in(&self, unseen: &Unseen) -> bool {
        let mut differ = self.differ.iter();
        let is_word_or_place = differ.any(|(place, value)| unseen.hides(*place, *value));
        is_word_or_place || self.handled_otherwise == Some(true)
    }

    pub fn written(&mut self, state: &State, word: u32, value: i32) -> i32 {
        self.put(WriteTarget::Word(word), value, state.var(word))
    }

    pub fn moved(&mut self, state: &State, component: i32, zone: i32) -> i32 {
        self.put(
            WriteTarget::ZoneOf(component),
            zone,
            state.zone_of(component),
        )
    }

    /// Returns the value of the first world; a place that was not written there keeps its value.
    fn put(&mut self, place: WriteTarget, value: i32, before: i32) -> i32 {
        let key = self.counts.key(self.step, place);
        let first = self.first.values.get(&key).copied().unwrap_or(before);
        if first != value {
            self.differ.insert((place, value));
        }
        match self.at {
            Some((step, unseen))
                if step == self.step
                    && unseen.hides(place, value)
                    && unseen.hides(place, first) =>
            {
                first
            }
            _ => value,
        }
    }

    /// Returns the components of the same operation in the first world; none if there was no such operation.
    pub fn first_handled(&mut self, how: Handling) -> &'a [i32] {
        let key = self.counts.key(self.step, WriteTarget::Handling(how));
        self.first.handled.get(&key).map_or(&[], Vec::as_slice)
    }

    /// Returns the components of an operation: those of the first world, if all are out of sight.
    pub fn handled(
        &mut self,
        state: &State,
        components: &[i32],
        first: Vec<i32>,
    ) -> Option<Vec<i32>> {
        if first == components {
            return None;
        }
        let (step, unseen) = self.at.unzip();
        let are_hidden = unseen.is_some_and(|unseen| {
            let mut all = components.iter().chain(&first);
            all.all(|it| unseen.hides(WriteTarget::ZoneOf(*it), state.zone_of(*it)))
        });
        self.handled_otherwise = Some(are_hidden && self.handled_otherwise != Some(false));
        (are_hidden && step == Some(self.step)).then_some(first)
    }
}

#[derive(Debug)]
pub(super) struct Unseen {
    /// The words of variables and fields.
    pub(super) words: HashSet<u32>,
    /// For each component, whether the viewer never learns which one it is.
    pub(super) components: Vec<bool>,
    /// For each zone, whether the viewer does not even know the number of components in it.
    pub(super) zones: Vec<bool>,
}

impl Unseen {
    pub(super) fn hides(&self, place: WriteTarget, value: i32) -> bool {
        match place {
            WriteTarget::Word(word) => self.words.contains(&word),
            WriteTarget::ZoneOf(component) => {
                is_set(&self.components, component) && is_set(&self.zones, value)
            }
            WriteTarget::Handling(_) => false,
        }
    }
}

pub(super) fn is_set(marks: &[bool], number: i32) -> bool {
    marks.at(number) == Some(&true)
}
