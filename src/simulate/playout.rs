//! One whole game, from its seed to its end.

use serde_json::{Map, Value};

use super::recorder::{Recorder, Witness};
use crate::bot::RandomBot;
use crate::engine::{
    self, Choice, Fault, Outcome, Pending, Runner, Seeded, Silent, State, StepError,
};
use crate::program::Program;
use crate::record::Record;

/// A finished game.
#[derive(Debug, Clone)]
pub struct Playout {
    pub decisions: u32,
    pub outcome: Outcome,
}

/// Why a game did not come to its end.
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

/// Whoever decides for the seats of a game.
pub(super) trait Deciding {
    /// A choice of the first decision owed; `None` if there is none.
    fn choose(&mut self, state: &State, owed: &[Pending]) -> Result<Option<Choice>, StepError>;

    /// The choice was made, and so many decisions had been owed.
    fn made(&mut self, _pending: &Pending, _choice: Choice, _owed: usize) {}
}

/// Every seat takes any of its choices.
struct AtRandom<'a> {
    program: &'a Program,
    bot: &'a mut RandomBot,
}

impl Deciding for AtRandom<'_> {
    fn choose(&mut self, state: &State, owed: &[Pending]) -> Result<Option<Choice>, StepError> {
        match owed.first() {
            Some(first) => Ok(self.bot.choose(self.program, state, first)?),
            None => Ok(None),
        }
    }
}

/// Plays at random in the memory of `runner`; the same game as [`play_and_record`] plays.
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

/// A game at random, with its record.
pub fn play_and_record(
    program: &Program,
    seed: [u8; 32],
    options: &Map<String, Value>,
    bot: &mut RandomBot,
) -> Result<(Playout, Record), PlayoutError> {
    let mut recorder = Recorder::of(program);
    let playout = play_with(program, seed, &mut AtRandom { program, bot }, &mut recorder)?;
    let record = recorder.record(seed, options, &playout);
    Ok((playout, record))
}

/// A game between whoever decides; the witness brings chance.
pub(super) fn play_with(
    program: &Program,
    seed: [u8; 32],
    players: &mut dyn Deciding,
    witness: &mut dyn Witness,
) -> Result<Playout, PlayoutError> {
    let mut state = engine::start(program, seed, witness, &mut Silent)?;
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
        let choice = players.choose(&state, &owed)?;
        let choice = choice.ok_or(PlayoutError::Stuck)?;
        witness.chosen(&state, pending, &choice);
        engine::step(
            program,
            &mut state,
            pending.index,
            &choice,
            witness,
            &mut Silent,
        )?;
        players.made(pending, choice, owed.len());
        decisions += 1;
    }
}

impl Witness for Seeded {}
