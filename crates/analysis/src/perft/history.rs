//! The observations of each seat. Two nodes at which a seat decides belong to one information set if the seat cannot
//! distinguish them with perfect recall.

use serde_json::Value;

use wyrmgate_engine::{Event, Viewer};
use wyrmgate_program::Program;
use wyrmgate_view::event_doc;

/// 256 bits of BLAKE3 over the seat and its observations.
pub type HistoryKey = [u8; 32];

/// The observations of each seat as a hash that is extended with every event.
#[derive(Debug, Clone)]
pub struct Histories(Vec<HistoryKey>);

impl Histories {
    /// Creates the state before any event.
    pub fn new(program: &Program) -> Histories {
        let seats = 0..program.seats as u8;
        Histories(
            seats
                .map(|seat| *blake3::hash(&[seat]).as_bytes())
                .collect(),
        )
    }

    /// Returns the state after these events, as each seat observes them.
    pub fn after(&self, program: &Program, events: &[Event]) -> Histories {
        let seats = self.0.iter().enumerate();
        let histories = seats.map(|(seat, before)| {
            let viewer = Viewer::Seat(seat as u8);
            let docs = events
                .iter()
                .filter_map(|event| event_doc(program, event, viewer));
            docs.fold(*before, |key, doc| {
                let mut hash = blake3::Hasher::new();
                hash.update(&key);
                hash.update(Value::from(doc).to_string().as_bytes());
                *hash.finalize().as_bytes()
            })
        });
        Histories(histories.collect())
    }

    pub fn of(&self, seat: u8) -> Option<HistoryKey> {
        self.0.get(usize::from(seat)).copied()
    }
}
