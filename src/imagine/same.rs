//! Whether a seat is told the same.

use crate::engine::{Event, Observer, Reader, Viewer, event_doc};
use crate::program::Program;

/// Compares what a seat is told with what it was told.
pub(super) struct Same<'a> {
    program: &'a Program,
    reader: Reader,
    /// What is to come.
    expected: &'a [Event],
    differs: bool,
}

impl<'a> Same<'a> {
    pub fn new(program: &'a Program, seat: u8, expected: &'a [Event]) -> Same<'a> {
        Same {
            program,
            reader: Viewer::Seat(seat).into(),
            expected,
            differs: false,
        }
    }

    /// Nothing else was told, and nothing is missing.
    pub fn is_same(&self) -> bool {
        !self.differs && self.expected.is_empty()
    }
}

impl Observer for Same<'_> {
    fn event(&mut self, event: Event) {
        if self.differs {
            return;
        }
        let next = self.expected.split_first();
        // Most events are the very same, and need not be read.
        if let Some((_, rest)) = next.filter(|(told, _)| **told == event) {
            self.expected = rest;
            return;
        }
        let Some(doc) = event_doc(self.program, &event, self.reader) else {
            return;
        };
        let told = next.map(|(told, rest)| (event_doc(self.program, told, self.reader), rest));
        match told {
            Some((Some(told), rest)) if told == doc => self.expected = rest,
            _ => self.differs = true,
        }
    }

    fn wants_clauses(&self) -> bool {
        false
    }
}
