//! Compares the events of a world with those that the seat received.

use std::cell::Cell;

use wyrmgate_engine::{Event, Observer, ViewReader, Viewer};
use wyrmgate_program::Program;
use wyrmgate_view::event_doc;

use super::mark::Begun;

/// How far a step agrees with what the seat received.
pub(super) struct StepAgreement {
    /// Whether the world has diverged; later events and results mean nothing.
    pub is_lost: Cell<bool>,
    /// Number of events that matched.
    pub matched: Cell<usize>,
}

impl From<Option<Begun>> for StepAgreement {
    fn from(begun: Option<Begun>) -> StepAgreement {
        StepAgreement {
            is_lost: Cell::new(false),
            matched: Cell::new(begun.map_or(0, |begun| begun.matched)),
        }
    }
}

/// Compares events with expected events.
pub(super) struct Same<'a> {
    program: &'a Program,
    reader: ViewReader,
    /// The remaining expected events.
    expected: &'a [Event],
    progress: &'a StepAgreement,
    /// If fewer match, nobody wants to know more about the step.
    least: usize,
    /// The event that occurred instead of the next expected one.
    other: Option<Event>,
}

impl<'a> Same<'a> {
    pub fn new(
        program: &'a Program,
        seat: u8,
        expected: &'a [Event],
        progress: &'a StepAgreement,
    ) -> Same<'a> {
        Same {
            program,
            reader: Viewer::Seat(seat).into(),
            expected: expected.get(progress.matched.get()..).unwrap_or_default(),
            progress,
            least: 0,
            other: None,
        }
    }

    /// Gives a step up where it diverges after fewer events.
    pub fn unless(mut self, least: usize) -> Same<'a> {
        self.least = least;
        self
    }

    /// Returns whether all events matched and none is missing.
    pub fn is_same(&self) -> bool {
        !self.progress.is_lost.get() && self.expected.is_empty()
    }

    pub fn matched(&self) -> usize {
        self.progress.matched.get()
    }

    /// Returns the next expected event and the one that differed.
    pub fn difference(self) -> (Option<&'a Event>, Option<Event>) {
        (self.expected.first(), self.other)
    }

    fn matches(&mut self, rest: &'a [Event]) {
        self.expected = rest;
        self.progress.matched.set(self.matched() + 1);
    }
}

impl Observer for Same<'_> {
    fn event(&mut self, event: Event) {
        if self.progress.is_lost.get() {
            return;
        }
        let next = self.expected.split_first();
        // Most events are identical, so compare them directly first.
        if let Some((_, rest)) = next.filter(|(told, _)| **told == event) {
            self.matches(rest);
            return;
        }
        let Some(doc) = event_doc(self.program, &event, self.reader) else {
            return;
        };
        let told = next.map(|(told, rest)| (event_doc(self.program, told, self.reader), rest));
        match told {
            Some((Some(told), rest)) if told == doc => self.matches(rest),
            _ => {
                drop(doc);
                self.progress.is_lost.set(true);
                self.other = Some(event);
            }
        }
    }

    fn has_enough(&self) -> bool {
        self.progress.is_lost.get() && self.matched() < self.least
    }

    fn wants_clauses(&self) -> bool {
        false
    }
}
