//! One whole game, every seat played by a bot that chooses at random.

use serde_json::{Map, Value};

use crate::bot::RandomBot;
use crate::engine::{
    self, Choice, Fault, Outcome, Pending, Runner, Seeded, Silent, State, StepError, Viewer,
};
use crate::program::Program;
use crate::record::{self, Entry, Record};

/// A finished game.
#[derive(Debug, Clone)]
pub struct Playout {
    pub decisions: u32,
    pub outcome: Outcome,
}

/// Why a random game did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum PlayoutError {
    #[error("{0}")]
    Fault(#[from] Fault),
    /// The laws say that what is listed is accepted.
    #[error("a listed choice was refused: {0}")]
    Refused(String),
    #[error("nobody can act and the game is not over")]
    Stuck,
    #[error("the game is not over after {0} decisions, which its rules state as its bound")]
    Bound(u32),
}

impl From<StepError> for PlayoutError {
    fn from(error: StepError) -> PlayoutError {
        match error {
            StepError::Rejected(rejection) => PlayoutError::Refused(rejection.to_string()),
            StepError::Fault(fault) => PlayoutError::Fault(fault),
        }
    }
}

/// Plays from the seed to the end, in the memory of `runner`; the same game as [`play_watched`] plays.
pub fn play(
    program: &Program,
    runner: &mut Runner<'_>,
    seed: [u8; 32],
    bot: &mut RandomBot,
) -> Result<Playout, PlayoutError> {
    runner.begin(seed)?;
    let mut decisions = 0;
    while runner.pending().is_some() {
        if decisions >= program.bound {
            return Err(PlayoutError::Bound(program.bound));
        }
        if runner.count()? == 0 {
            return Err(PlayoutError::Stuck);
        }
        let number = runner.draw(&mut |n| bot.below(n))?;
        runner.take(number)?;
        decisions += 1;
    }
    let outcome = runner.state().outcome().cloned();
    let outcome = outcome.ok_or(PlayoutError::Stuck)?;
    Ok(Playout { decisions, outcome })
}

/// Plays from the seed to the end; `watch` sees every choice before it is made.
pub fn play_watched(
    program: &Program,
    seed: [u8; 32],
    bot: &mut RandomBot,
    watch: &mut dyn FnMut(&State, &Pending, &Choice),
) -> Result<Playout, PlayoutError> {
    let mut state = engine::start(program, seed, &mut Seeded, &mut Silent)?;
    let mut decisions = 0;
    loop {
        if let Some(outcome) = state.outcome() {
            let outcome = outcome.clone();
            return Ok(Playout { decisions, outcome });
        }
        if decisions >= program.bound {
            return Err(PlayoutError::Bound(program.bound));
        }
        let owed = engine::pending(program, &state);
        let pending = owed.first().ok_or(PlayoutError::Stuck)?;
        let choice = bot.choose(program, &state, pending)?;
        let choice = choice.ok_or(PlayoutError::Stuck)?;
        watch(&state, pending, &choice);
        // The bot took it from the list of this very state.
        engine::step_legal(
            program,
            &mut state,
            pending.index,
            &choice,
            &mut Seeded,
            &mut Silent,
        )?;
        decisions += 1;
    }
}

/// As [`play_watched`], with the record of the game.
pub fn play_and_record(
    program: &Program,
    seed: [u8; 32],
    options: &Map<String, Value>,
    bot: &mut RandomBot,
) -> Result<(Playout, Record), PlayoutError> {
    let mut log = Vec::new();
    let playout = play_watched(program, seed, bot, &mut |state, pending, choice| {
        log.extend(entry(program, state, pending, choice));
    })?;
    let record = record_of(program, seed, options, log, &playout);
    Ok((playout, record))
}

pub(super) fn record_of(
    program: &Program,
    seed: [u8; 32],
    options: &Map<String, Value>,
    log: Vec<Entry>,
    playout: &Playout,
) -> Record {
    Record {
        format: record::FORMAT,
        game: program.name(),
        ruleset: program.digest.clone(),
        seats: program.seats as u8,
        options: options.clone(),
        seed: Some(record::seed_to_hex(&seed)),
        log,
        outcome: Some((&playout.outcome).into()),
    }
}

/// A choice as a record keeps it; to be asked before the choice is made.
pub(super) fn entry(
    program: &Program,
    state: &State,
    pending: &Pending,
    choice: &Choice,
) -> Option<Entry> {
    let viewer = Viewer::Seat(pending.seat);
    let json = engine::choice_to_json(program, state, pending, choice, viewer);
    Entry::new(pending.seat + 1, pending.index, json)
}
