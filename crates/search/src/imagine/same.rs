//! Whether a seat is told the same.

use std::cell::Cell;

use wyrmgate_engine::{Event, Observer, Reader, Viewer};
use wyrmgate_program::Program;
use wyrmgate_view::event_doc;

/// Compares what a seat is told with what it was told.
pub(super) struct Same<'a> {
    program: &'a Program,
    reader: Reader,
    /// What is to come.
    expected: &'a [Event],
    /// The world has left the way of the true game: what comes now says nothing.
    is_lost: &'a Cell<bool>,
    /// So many events were as they were.
    matched: usize,
    /// What came instead of the next one.
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
            other: None,
        }
    }

    /// Nothing else was told, and nothing is missing.
    pub fn is_same(&self) -> bool {
        !self.is_lost.get() && self.expected.is_empty()
    }

    pub fn matched(&self) -> usize {
        self.matched
    }

    /// What was told next, and what was not the same.
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
        // Most events are the very same, and need not be read.
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

    fn wants_clauses(&self) -> bool {
        false
    }
}
