//! What one seat was told, step by step.

use crate::engine::{Event, Observer, Reader, Viewer, event_doc};
use crate::program::Program;

/// Keeps what a seat is told of the events, in order, as it would be sent.
pub(super) struct Told<'p> {
    program: &'p Program,
    reader: Reader,
    pub words: Vec<u8>,
}

impl<'p> Told<'p> {
    pub fn new(program: &'p Program, seat: u8) -> Told<'p> {
        Told {
            program,
            reader: Viewer::Seat(seat).into(),
            words: Vec::new(),
        }
    }
}

impl Observer for Told<'_> {
    fn event(&mut self, event: Event) {
        if let Some(doc) = event_doc(self.program, &event, self.reader) {
            // Our own documents always have a JSON form, and memory takes it.
            let _ = serde_json::to_writer(&mut self.words, &doc);
        }
    }

    fn wants_clauses(&self) -> bool {
        false
    }
}
