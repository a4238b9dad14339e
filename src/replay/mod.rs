//! A recorded game, played again offline: by its own rules, or by others to see where they part.

mod against;

pub use against::{Divergence, against};

use crate::engine::{self, Collect, Event, Fault, Pending, Rejection, Seeded, State, StepError};
use crate::program::Program;
use crate::record::{Outcome, Record, RecordError};

/// Why a record cannot be played to its end.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error("the record was made by ruleset {recorded}, and the rules are now {present}")]
    Ruleset { recorded: String, present: String },
    #[error("the record has {recorded} seats, and the program {present}")]
    Seats { recorded: usize, present: usize },
    #[error("choice {number}: seat {seat} owes no such decision")]
    NotOwed { number: usize, seat: u8 },
    #[error("choice {number} is refused: {rejection}")]
    Refused { number: usize, rejection: Rejection },
    #[error("choice {number}: {fault}")]
    Fault { number: usize, fault: Fault },
    #[error("the game ends otherwise than recorded")]
    Outcome {
        recorded: Option<Outcome>,
        played: Option<Outcome>,
    },
}

/// The game at rest, as it is replayed.
pub struct Rest<'a> {
    /// How many choices came before.
    pub number: usize,
    pub state: &'a State,
    pub owed: &'a [Pending],
    /// What happened since the last rest.
    pub events: &'a [Event],
    /// The choice that the record says comes next: which of `owed`, and the choice itself.
    pub next: Option<(&'a Pending, &'a engine::Choice)>,
}

/// Plays the record; `watch` sees every rest, the last one included. The outcome has to be the recorded one.
pub fn play<E: From<ReplayError>>(
    record: &Record,
    program: &Program,
    watch: &mut dyn FnMut(Rest<'_>) -> Result<(), E>,
) -> Result<State, E> {
    let seed = agree(record, program)?;
    let mut events = Collect::default();
    let fault = |number| move |fault| ReplayError::Fault { number, fault };
    let mut state = engine::start(program, seed, &mut Seeded, &mut events).map_err(fault(0))?;
    for (i, entry) in record.log.iter().enumerate() {
        let number = i + 1;
        let owed = engine::pending(program, &state);
        let pending = owed
            .get(entry.decision)
            .filter(|pending| pending.seat + 1 == entry.seat)
            .ok_or(ReplayError::NotOwed {
                number,
                seat: entry.seat,
            })?;
        let choice = engine::choice_from_json(program, &state, pending, &entry.choice_json())
            .map_err(|rejection| ReplayError::Refused { number, rejection })?;
        watch(Rest {
            number: i,
            state: &state,
            owed: &owed,
            events: &events.0,
            next: Some((pending, &choice)),
        })?;
        events.0.clear();
        engine::step(
            program,
            &mut state,
            pending.index,
            &choice,
            &mut Seeded,
            &mut events,
        )
        .map_err(|error| step_error(number, error))?;
    }
    watch(Rest {
        number: record.log.len(),
        state: &state,
        owed: &engine::pending(program, &state),
        events: &events.0,
        next: None,
    })?;
    agree_on_outcome(record, &state)?;
    Ok(state)
}

fn step_error(number: usize, error: StepError) -> ReplayError {
    match error {
        StepError::Rejected(rejection) => ReplayError::Refused { number, rejection },
        StepError::Fault(fault) => ReplayError::Fault { number, fault },
    }
}

/// Record and program are about the same game; answers with the seed.
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
    Ok(record.seed_bytes()?)
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
