//! Records games while they are played.

use serde_json::{Map, Value};

use crate::record::{self, DrawRecorder, Entry, Record};
use wyrmgate_base::hex;
use wyrmgate_engine::{Choice, GameOutcome, Pending, State, Viewer};
use wyrmgate_program::Program;
use wyrmgate_view::choice_to_json;

/// Draws random numbers from the seed and records them with every choice.
pub struct Recorder<'p> {
    program: &'p Program,
    log: Vec<Entry>,
    pub chance: DrawRecorder<'p>,
}

impl<'p> Recorder<'p> {
    pub fn of(program: &'p Program) -> Recorder<'p> {
        Recorder {
            program,
            log: Vec::new(),
            chance: DrawRecorder::of(program),
        }
    }

    /// Returns the record. A game that stopped before its end has no outcome, and its last choice is the one at which
    /// it stopped.
    pub fn record(
        self,
        seed: [u8; 32],
        options: &Map<String, Value>,
        outcome: Option<&GameOutcome>,
    ) -> Record {
        Record {
            format: record::FORMAT,
            game: self.program.name(),
            ruleset: self.program.identity.digest.clone(),
            seats: self.program.seats as u8,
            options: options.clone(),
            seed: Some(hex::encode(&seed)),
            fairness: None,
            log: self.log,
            chance: Some(self.chance.operations),
            outcome: outcome.map(Into::into),
            past_information: false,
        }
    }

    /// Notes a choice before it is made.
    pub fn chosen(&mut self, state: &State, pending: &Pending, choice: &Choice) {
        let (viewer, seat) = (Viewer::Seat(pending.seat), pending.seat + 1);
        self.log.extend(match choice.is_resigning() {
            true => Some(Entry::resigning(seat, choice.reason())),
            false => {
                let json = choice_to_json(self.program, state, pending, choice, viewer);
                Entry::new(seat, pending.index, json.into())
            }
        });
        self.chance.after += 1;
    }
}
