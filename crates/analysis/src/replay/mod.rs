//! Replays recorded games, with their own rules or with others.

mod against;
mod replayed;

pub use against::{Divergence, against};
pub use replayed::{BadChoice, ReplayProblem};

use crate::record::{DrawRecorder, Operation, Outcome, Record, RecordError};
use replayed::Replayed;
use wyrmgate_engine::{self as engine, Event, Pending, State};
use wyrmgate_program::Program;
use wyrmgate_view::Stopped;

/// Why a record cannot be replayed to its end.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error("the record was made with ruleset {recorded}, but the rules are {present}")]
    Ruleset { recorded: String, present: String },
    #[error("the record has {recorded} seats, but the program has {present}")]
    Seats { recorded: usize, present: usize },
    #[error(transparent)]
    Choice(#[from] BadChoice),
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
        match self {
            ReplayError::Choice(bad) => bad.stopped(),
            _ => None,
        }
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
    let (mut state, uncompared) = follow(record, program, watch)?;
    if let Some(recorded) = uncompared.first() {
        let (number, after) = (recorded.number, recorded.after);
        return Err(ReplayError::NoChance { number, after }.into());
    }
    agree_on_outcome(record, &mut state)?;
    Ok(state)
}

/// Replays a record that may lack its end: it may contain more random operations than are used, and needs no outcome.
pub fn play_beginning(record: &Record, program: &Program) -> Result<State, ReplayError> {
    let silent = &mut |_: Rest<'_>| Ok::<(), ReplayError>(());
    let (mut state, _) = follow(record, program, silent)?;
    if record.outcome.is_some() {
        agree_on_outcome(record, &mut state)?;
    }
    Ok(state)
}

/// Makes all recorded choices. Also returns the recorded random operations after those of the game.
fn follow<'r, E: From<ReplayError>>(
    record: &'r Record,
    program: &Program,
    watch: &mut dyn FnMut(Rest<'_>) -> Result<(), E>,
) -> Result<(State, &'r [Operation]), E> {
    let seed = agree(record, program)?;
    let mut recorded = record.chance.as_deref();
    let mut chance = DrawRecorder::of(program);
    let bad = ReplayError::Choice;
    let mut game = Replayed::start(program, seed, &mut chance).map_err(bad)?;
    compare(&mut recorded, &mut chance)?;
    for (i, entry) in record.log.iter().enumerate() {
        let number = i + 1;
        let owed = engine::pending(program, &game.state);
        let (pending, choice) = game.read(number, entry).map_err(bad)?;
        watch(Rest {
            number: i,
            state: &game.state,
            owed: &owed,
            events: &game.events.0,
            next: Some((&pending, &choice)),
        })?;
        game.events.0.clear();
        chance.after = number;
        game.step(number, &pending, &choice, &mut chance)
            .map_err(bad)?;
        compare(&mut recorded, &mut chance)?;
    }
    watch(Rest {
        number: record.log.len(),
        state: &game.state,
        owed: &engine::pending(program, &game.state),
        events: &game.events.0,
        next: None,
    })?;
    Ok((game.state, recorded.unwrap_or_default()))
}

/// Compares the random operations of the game so far with the recorded ones that were not compared yet, if there is a record of
/// them.
fn compare(
    uncompared: &mut Option<&[Operation]>,
    chance: &mut DrawRecorder<'_>,
) -> Result<(), ReplayError> {
    for happened in chance.operations.drain(..) {
        let Some(rest) = uncompared else { continue };
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

/// Checks that record and program belong to the same game. Returns the seed.
fn agree(record: &Record, program: &Program) -> Result<[u8; 32], ReplayError> {
    if record.ruleset != program.identity.digest {
        return Err(ReplayError::Ruleset {
            recorded: record.ruleset.clone(),
            present: program.identity.digest.clone(),
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

fn agree_on_outcome(record: &Record, state: &mut State) -> Result<(), ReplayError> {
    let played = record.ended(state);
    if played == record.outcome {
        return Ok(());
    }
    Err(ReplayError::Outcome {
        recorded: record.outcome.clone(),
        played,
    })
}
