//! Replays a recorded game with other rules, with the same seed and choices, until the courses diverge.

use serde_json::Value;

use super::at_choice;
use crate::record::{Entry, Outcome, RECORDER, Record, RecordError};
use wyrmgate_engine::{self as engine, Collect, Fault, Seeded, State, StepError};
use wyrmgate_program::Program;
use wyrmgate_view::{Rejection, Stopped, sentence};

/// Where a game diverges. Choices are numbered from 1; 0 is everything before the first.
#[derive(Debug, thiserror::Error)]
pub enum Divergence {
    #[error("choice {number}: seat {seat} does not owe this decision")]
    NotOwed { number: usize, seat: u8 },
    #[error("choice {number} is refused: {rejection}")]
    Refused { number: usize, rejection: Rejection },
    #[error("choice {number}: {}", sentence(.fault))]
    Fault { number: usize, fault: Fault },
    #[error("{}: the events differ", after(*.number))]
    Happens { number: usize },
    #[error("the outcome differs")]
    Outcome,
}

impl Divergence {
    /// Returns the choice at which the divergence shows. For an outcome, this is one more than the number of choices.
    pub fn number(&self, record: &Record) -> usize {
        match self {
            Divergence::NotOwed { number, .. }
            | Divergence::Refused { number, .. }
            | Divergence::Fault { number, .. }
            | Divergence::Happens { number } => *number,
            Divergence::Outcome => record.log.len() + 1,
        }
    }

    /// Returns the place in the new rules, if they refuse a choice or exceed a limit.
    pub fn stopped(&self) -> Option<Stopped> {
        let (number, stopped) = match self {
            Divergence::Refused { number, rejection } => (number, rejection.clone().into()),
            Divergence::Fault { number, fault } => (number, fault.clone().into()),
            Divergence::NotOwed { .. } | Divergence::Happens { .. } | Divergence::Outcome => {
                return None;
            }
        };
        Some(at_choice(*number, &self.to_string(), stopped))
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
    let mut before = old.map(|program| Line::start(program, seed)).transpose()?;
    let mut after = Line::start(new, seed)?;
    same(before.as_mut(), &mut after, 0)?;
    for (number, entry) in (1..).zip(&record.log) {
        if let Some(line) = &mut before {
            line.step(number, entry)?;
        }
        after.step(number, entry)?;
        same(before.as_mut(), &mut after, number)?;
    }
    let outcome = after.state.outcome().map(Outcome::from);
    if outcome == record.outcome {
        Ok(())
    } else {
        Err(Divergence::Outcome)
    }
}

fn same(old: Option<&mut Line<'_>>, new: &mut Line<'_>, number: usize) -> Result<(), Divergence> {
    let events = new.new_events();
    match old.map(Line::new_events) {
        Some(before) if before != events => Err(Divergence::Happens { number }),
        _ => Ok(()),
    }
}

/// A game being replayed.
struct Line<'p> {
    program: &'p Program,
    state: State,
    events: Collect,
}

impl<'p> Line<'p> {
    fn start(program: &'p Program, seed: [u8; 32]) -> Result<Line<'p>, Divergence> {
        let mut events = Collect::default();
        let state = engine::start(program, seed, &mut Seeded, &mut events)
            .map_err(|fault| Divergence::Fault { number: 0, fault })?;
        Ok(Line {
            program,
            state,
            events,
        })
    }

    fn step(&mut self, number: usize, entry: &Entry) -> Result<(), Divergence> {
        let owed = engine::pending(self.program, &self.state);
        let not_owed = Divergence::NotOwed {
            number,
            seat: entry.seat,
        };
        let pending = entry.decision_among(&owed).ok_or(not_owed)?;
        let refused = |rejection| Divergence::Refused { number, rejection };
        let json = entry.choice_json();
        let choice = wyrmgate_view::choice_from_json(self.program, &self.state, pending, &json);
        engine::step(
            self.program,
            &mut self.state,
            pending.index,
            &choice.map_err(refused)?,
            &mut Seeded,
            &mut self.events,
        )
        .map_err(|error| match error {
            StepError::Refused(because) => refused(Rejection::of(
                self.program,
                &self.state,
                pending.seat,
                because,
            )),
            StepError::Fault(fault) => Divergence::Fault { number, fault },
        })
    }

    /// Returns the events since the last call.
    fn new_events(&mut self) -> Vec<Value> {
        let events = std::mem::take(&mut self.events.0);
        let docs = events.iter();
        docs.filter_map(|event| wyrmgate_view::event_doc(self.program, event, RECORDER))
            .map(Value::from)
            .collect()
    }
}
