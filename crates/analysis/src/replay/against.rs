//! Replays a recorded game with other rules, with the same seed and choices, until the courses diverge.

use serde_json::Value;

use super::replayed::{BadChoice, Replayed};
use crate::record::{Entry, RECORDER, Record, RecordError};
use wyrmgate_engine::Seeded;
use wyrmgate_program::Program;
use wyrmgate_view::{Stopped, event_doc};

/// Where a game diverges. Choices are numbered from 1; 0 is everything before the first.
#[derive(Debug, thiserror::Error)]
pub enum Divergence {
    #[error(transparent)]
    Choice(#[from] BadChoice),
    #[error("{}: the events differ", after(*.number))]
    Happens { number: usize },
    #[error("the outcome differs")]
    Outcome,
}

impl Divergence {
    /// Returns the choice at which the divergence shows. For an outcome, this is one more than the number of choices.
    pub fn number(&self, record: &Record) -> usize {
        match self {
            Divergence::Choice(BadChoice { number, .. }) | Divergence::Happens { number } => {
                *number
            }
            Divergence::Outcome => record.log.len() + 1,
        }
    }

    /// Returns the place in the new rules, if they refuse a choice or exceed a limit.
    pub fn stopped(&self) -> Option<Stopped> {
        match self {
            Divergence::Choice(bad) => bad.stopped(),
            Divergence::Happens { .. } | Divergence::Outcome => None,
        }
    }
}

fn after(number: usize) -> String {
    match number {
        0 => "before the first choice".into(),
        number => format!("choice {number}"),
    }
}

/// Returns the first divergence of the new rules from the record. With the old rules, events are compared too;
/// otherwise only the legality of each choice and the outcome.
pub fn against(
    record: &Record,
    old: Option<&Program>,
    new: &Program,
) -> Result<Option<Divergence>, RecordError> {
    let seed = record.seed_bytes()?;
    Ok(compare(record, seed, old, new).err())
}

fn compare(
    record: &Record,
    seed: [u8; 32],
    old: Option<&Program>,
    new: &Program,
) -> Result<(), Divergence> {
    let start = |program| Replayed::start(program, seed, &mut Seeded);
    let mut before = old.map(start).transpose()?;
    let mut after = start(new)?;
    same(before.as_mut(), &mut after, 0)?;
    for (number, entry) in (1..).zip(&record.log) {
        if let Some(before) = &mut before {
            step(before, number, entry)?;
        }
        step(&mut after, number, entry)?;
        same(before.as_mut(), &mut after, number)?;
    }
    if record.ended(&mut after.state) == record.outcome {
        Ok(())
    } else {
        Err(Divergence::Outcome)
    }
}

fn same(
    old: Option<&mut Replayed<'_>>,
    new: &mut Replayed<'_>,
    number: usize,
) -> Result<(), Divergence> {
    let events = new_events(new);
    match old.map(new_events) {
        Some(before) if before != events => Err(Divergence::Happens { number }),
        _ => Ok(()),
    }
}

fn step(game: &mut Replayed<'_>, number: usize, entry: &Entry) -> Result<(), BadChoice> {
    let (pending, choice) = game.read(number, entry)?;
    game.step(number, &pending, &choice, &mut Seeded)
}

/// Returns the events since the last call.
fn new_events(game: &mut Replayed<'_>) -> Vec<Value> {
    let events = std::mem::take(&mut game.events.0);
    let docs = events.iter();
    let docs = docs.filter_map(|event| event_doc(game.program, event, RECORDER));
    docs.map(Value::from).collect()
}
