//! Replays recorded games, with their own rules or with others.

mod against;

pub use against::{Divergence, against};

use crate::record::{Noting, Operation, Outcome, Record, RecordError};
use wyrmgate_engine::{self as engine, Collect, Event, Fault, Pending, State, StepError};
use wyrmgate_program::Program;
use wyrmgate_view::{Rejection, Stopped, sentence};

/// Why a record cannot be replayed to its end.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error("the record was made with ruleset {recorded}, but the rules are {present}")]
    Ruleset { recorded: String, present: String },
    #[error("the record has {recorded} seats, but the program has {present}")]
    Seats { recorded: usize, present: usize },
    #[error("choice {number}: seat {seat} does not owe this decision")]
    NotOwed { number: usize, seat: u8 },
    #[error("choice {number} is refused: {rejection}")]
    Refused { number: usize, rejection: Rejection },
    #[error("choice {number}: {}", sentence(.fault))]
    Fault { number: usize, fault: Fault },
    #[error(
        "random operation {number}, after choice {after}: the seed gives {}, but the record contains {}",
        shown(Some(.drawn)), shown(.recorded.as_deref())
    )]
    Chance {
        number: u32,
        after: usize,
        recorded: Option<Box<Operation>>,
        drawn: Box<Operation>,
    },
    #[error(
        "the record contains a random operation {number} after choice {after}, but the game has none"
    )]
    NoChance { number: u32, after: usize },
    #[error("the outcome differs from the record")]
    Outcome {
        recorded: Option<Outcome>,
        played: Option<Outcome>,
    },
}

impl ReplayError {
    /// Returns the place in the game, if the record is refused or a limit was exceeded.
    pub fn stopped(&self) -> Option<Stopped> {
        let (number, stopped) = match self {
            ReplayError::Refused { number, rejection } => (number, rejection.clone().into()),
            ReplayError::Fault { number, fault } => (number, fault.clone().into()),
            _ => return None,
        };
        Some(at_choice(*number, &self.to_string(), stopped))
    }
}

/// Adds the number of the choice as readers of a record count it: from 1, and 0 is before the first.
fn at_choice(number: usize, reason: &str, stopped: Stopped) -> Stopped {
    let before = u32::try_from(number.saturating_sub(1)).unwrap_or(u32::MAX);
    Stopped {
        reason: reason.to_owned(),
        ..stopped.after(before)
    }
}

/// Formats an operation as JSON, as in a record.
fn shown(operation: Option<&Operation>) -> String {
    match operation {
        Some(operation) => serde_json::to_string(operation).unwrap_or_default(),
        None => "of none".into(),
    }
}

/// A decision point during a replay.
pub struct Rest<'a> {
    /// Number of choices before it.
    pub number: usize,
    pub state: &'a State,
    pub owed: &'a [Pending],
    /// The events since the previous decision point.
    pub events: &'a [Event],
    /// The next recorded choice: which of `owed` it answers, and the choice itself.
    pub next: Option<(&'a Pending, &'a engine::Choice)>,
}

/// Replays the record and calls `watch` at every decision point, including the last. Verifies the seed against its
/// commitment, and every random operation and the outcome against the record.
pub fn play<E: From<ReplayError>>(
    record: &Record,
    program: &Program,
    watch: &mut dyn FnMut(Rest<'_>) -> Result<(), E>,
) -> Result<State, E> {
    let mut recorded = RecordedChance::of(record);
    let state = follow(record, program, &mut recorded, watch)?;
    recorded.end()?;
    agree_on_outcome(record, &state)?;
    Ok(state)
}

/// Replays a record that may lack its end: it may contain more random operations than are used, and needs no outcome.
pub fn play_beginning(record: &Record, program: &Program) -> Result<State, ReplayError> {
    let silent = &mut |_: Rest<'_>| Ok::<(), ReplayError>(());
    let state = follow(record, program, &mut RecordedChance::of(record), silent)?;
    if record.outcome.is_some() {
        agree_on_outcome(record, &state)?;
    }
    Ok(state)
}

fn follow<E: From<ReplayError>>(
    record: &Record,
    program: &Program,
    recorded: &mut RecordedChance<'_>,
    watch: &mut dyn FnMut(Rest<'_>) -> Result<(), E>,
) -> Result<State, E> {
    let seed = agree(record, program)?;
    let mut events = Collect::default();
    let mut chance = Noting::of(program);
    let fault = |number| move |fault| ReplayError::Fault { number, fault };
    let mut state = engine::start(program, seed, &mut chance, &mut events).map_err(fault(0))?;
    recorded.compare(&mut chance)?;
    for (i, entry) in record.log.iter().enumerate() {
        let number = i + 1;
        let owed = engine::pending(program, &state);
        let not_owed = ReplayError::NotOwed {
            number,
            seat: entry.seat,
        };
        let pending = entry.decision_among(&owed).ok_or(not_owed)?;
        let choice =
            wyrmgate_view::choice_from_json(program, &state, pending, &entry.choice_json())
                .map_err(|rejection| ReplayError::Refused { number, rejection })?;
        watch(Rest {
            number: i,
            state: &state,
            owed: &owed,
            events: &events.0,
            next: Some((pending, &choice)),
        })?;
        events.0.clear();
        chance.after = number;
        engine::step(
            program,
            &mut state,
            pending.index,
            &choice,
            &mut chance,
            &mut events,
        )
        .map_err(|error| match error {
            StepError::Fault(fault) => ReplayError::Fault { number, fault },
            StepError::Refused(refused) => ReplayError::Refused {
                number,
                rejection: Rejection::of(program, &state, pending.seat, refused),
            },
        })?;
        recorded.compare(&mut chance)?;
    }
    watch(Rest {
        number: record.log.len(),
        state: &state,
        owed: &engine::pending(program, &state),
        events: &events.0,
        next: None,
    })?;
    Ok(state)
}

/// The recorded random operations that have not been compared yet.
struct RecordedChance<'a> {
    rest: Option<&'a [Operation]>,
}

impl<'a> RecordedChance<'a> {
    fn of(record: &'a Record) -> RecordedChance<'a> {
        RecordedChance {
            rest: record.chance.as_deref(),
        }
    }

    /// Compares the random operations so far with the record.
    fn compare(&mut self, chance: &mut Noting<'_>) -> Result<(), ReplayError> {
        for happened in chance.operations.drain(..) {
            let Some(rest) = &mut self.rest else { continue };
            match rest.split_first() {
                Some((recorded, after)) if *recorded == happened => *rest = after,
                recorded => {
                    return Err(ReplayError::Chance {
                        number: happened.number,
                        after: happened.after,
                        recorded: recorded.map(|(recorded, _)| Box::new(recorded.clone())),
                        drawn: Box::new(happened),
                    });
                }
            }
        }
        Ok(())
    }

    fn end(&self) -> Result<(), ReplayError> {
        match self.rest.and_then(<[_]>::first) {
            Some(recorded) => Err(ReplayError::NoChance {
                number: recorded.number,
                after: recorded.after,
            }),
            None => Ok(()),
        }
    }
}

/// Checks that record and program belong to the same game. Returns the seed.
fn agree(record: &Record, program: &Program) -> Result<[u8; 32], ReplayError> {
    if record.ruleset != program.digest {
        return Err(ReplayError::Ruleset {
            recorded: record.ruleset.clone(),
            present: program.digest.clone(),
        });
    }
    if usize::from(record.seats) != program.seats {
        return Err(ReplayError::Seats {
            recorded: record.seats.into(),
            present: program.seats,
        });
    }
    Ok(record.fair_seed()?)
}

fn agree_on_outcome(record: &Record, state: &State) -> Result<(), ReplayError> {
    let played = state.outcome().map(Outcome::from);
    if played == record.outcome {
        return Ok(());
    }
    Err(ReplayError::Outcome {
        recorded: record.outcome.clone(),
        played,
    })
}
