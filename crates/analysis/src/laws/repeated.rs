//! The same ruleset, seed and choices make the same game: its record, read from JSON and played again, gives the same
//! states and events, byte for byte.

use super::found::LawFinding;
use serde_json::{Map, Value};

use super::rest::expect;
use super::{JUDGE, make};
use crate::record::Record;
use crate::replay::{self, ReplayError};
use crate::simulate::Recorder;
use wyrmgate_engine::{Collect, Event, Seeded, State, pending, start};
use wyrmgate_program::Program;
use wyrmgate_search::bot::RandomBot;
use wyrmgate_view::event_doc;

pub(super) fn check(program: &Program, seed: [u8; 32]) -> Result<(), LawFinding> {
    let Ok((record, first)) = played(program, seed) else {
        return Ok(()); // not every random game ends: that is another law
    };
    let text = serde_json::to_string(&record).map_err(|error| error.to_string())?;
    let record = Record::from_json(&text).map_err(|error| error.to_string())?;
    let mut again = Print::default();
    let replayed: Result<State, ReplayError> = replay::play(&record, program, &mut |rest| {
        again.add(program, rest.state, rest.events);
        Ok(())
    });
    replayed.map_err(|error| format!("the log cannot be replayed: {error}"))?;
    expect(first.digest() == again.digest(), || {
        "replaying the log gave different states or events".to_owned()
    })
}

/// Returns the game of this seed: its record, and the print of all its states and events.
fn played(program: &Program, seed: [u8; 32]) -> Result<(Record, Print), LawFinding> {
    let mut bot = RandomBot::for_game(&seed);
    let mut events = Collect::default();
    let mut recorder = Recorder::of(program);
    let mut print = Print::default();
    let mut state = start(program, seed, &mut Seeded, &mut events)?;
    print.add(program, &state, &events.0);
    while let Some(owed) = pending(program, &state).first() {
        if state.decisions_made() >= program.identity.bound {
            return Err("longer than its bound".into());
        }
        let choice = bot.choose(program, &state, owed)?.ok_or("no choice")?;
        recorder.chosen(&state, owed, &choice);
        events.0.clear();
        make(program, &mut state, owed, &choice, &mut events)?;
        print.add(program, &state, &events.0);
    }
    let options = Map::new(); // the program has them in it
    let mut record = recorder.record(seed, &options, state.outcome());
    record.chance = None; // the replay must draw the same numbers from the seed
    Ok((record, print))
}

/// A digest of all states as bytes and all events as text.
#[derive(Default)]
struct Print(blake3::Hasher);

impl Print {
    fn add(&mut self, program: &Program, state: &State, events: &[Event]) {
        self.0.update(&state.encode(program));
        for doc in events
            .iter()
            .filter_map(|event| event_doc(program, event, JUDGE))
        {
            self.0.update(Value::from(doc).to_string().as_bytes());
        }
    }

    fn digest(&self) -> blake3::Hash {
        self.0.finalize()
    }
}
