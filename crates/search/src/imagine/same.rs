//! Compares the events of a world with those that the seat received.

use std::cell::Cell;

use wyrmgate_engine::{Event, Observer, Reader, Viewer};
use wyrmgate_program::Program;
use wyrmgate_view::event_doc;

/// Compares events with expected events.
pub(super) struct Same<'a> {
    program: &'a Program,
    reader: Reader,
    /// The remaining expected events.
    expected: &'a [Event],
    /// Whether the world has diverged; later events mean nothing.
    is_lost: &'a Cell<bool>,
    /// Number of events that matched.
    matched: usize,
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
        is_lost: &'a Cell<bool>,
    ) -> Same<'a> {
        Same {
            is_lost,
            program,
            reader: Viewer::Seat(seat).into(),
            expected,
            matched: 0,
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
        !self.is_lost.get() && self.expected.is_empty()
    }

    pub fn matched(&self) -> usize {
        self.matched
    }

    /// Returns the next expected event and the one that differed.
    pub fn difference(self) -> (Option<&'a Event>, Option<Event>) {
        (self.expected.first(), self.other)
    }

    fn matches(&mut self, rest: &'a [Event]) {
        self.expected = rest;
        self.matched += 1;
    }
}

impl Observer for Same<'_> {
    fn event(&mut self, event: Event) {
        if self.is_lost.get() {
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
                self.is_lost.set(true);
                self.other = Some(event);
            }
        }
    }

    fn has_enough(&self) -> bool {
        self.is_lost.get() && self.matched < self.least
    }

    fn wants_clauses(&self) -> bool {
        false
    }
}
