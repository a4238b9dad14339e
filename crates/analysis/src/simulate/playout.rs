//! Plays one whole game from its seed to its end.

use super::recorder::Witness;
use wyrmgate_engine::{self as engine, Choice, Outcome, Pending, Seeded, Silent, State, StepError};
use wyrmgate_program::Program;
use wyrmgate_runner::Runner;
use wyrmgate_search::bot::RandomBot;
use wyrmgate_view::Stopped;

/// A finished game.
#[derive(Debug, Clone)]
pub struct Playout {
    pub decisions: u32,
    pub outcome: Outcome,
}

/// Decides for the seats of a game.
pub(super) trait Deciding {
    /// Returns a choice for the first owed decision. `None` if there is none.
    fn choose(&mut self, state: &State, owed: &[Pending]) -> Result<Option<Choice>, StepError>;

    /// Notes that a choice was made and how many decisions were owed.
    fn made(&mut self, _pending: &Pending, _choice: Choice, _owed: usize) {}
}

/// Every seat chooses uniformly at random.
pub(super) struct AtRandom<'a> {
    pub program: &'a Program,
    pub bot: &'a mut RandomBot,
}

impl Deciding for AtRandom<'_> {
    fn choose(&mut self, state: &State, owed: &[Pending]) -> Result<Option<Choice>, StepError> {
        match owed.first() {
            Some(first) => Ok(self.bot.choose(self.program, state, first)?),
            None => Ok(None),
        }
    }
}

/// Plays a random game in the memory of `runner`, the same game as [`super::play_and_record`].
pub fn play(
    program: &Program,
    runner: &mut Runner<'_>,
    seed: [u8; 32],
    bot: &mut RandomBot,
) -> Result<Playout, Stopped> {
    let mut decisions = 0;
    runner.begin(seed)?;
    while runner.pending().is_some() {
        if decisions >= program.bound {
            return Err(Stopped::unbounded(program, runner.state()));
        }
        take_one(program, runner, bot).map_err(|stopped| stopped.after(decisions))?;
        decisions += 1;
    }
    let outcome = runner.state().outcome().cloned();
    let outcome = outcome.ok_or_else(|| Stopped::stuck(program, runner.state()))?;
    Ok(Playout { decisions, outcome })
}

fn take_one(
    program: &Program,
    runner: &mut Runner<'_>,
    bot: &mut RandomBot,
) -> Result<(), Stopped> {
    if runner.count()? == 0 {
        return Err(Stopped::stuck(program, runner.state()));
    }
    let number = runner.draw(&mut |n| bot.below(n))?;
    runner.take(number)?;
    Ok(())
}

/// Plays a game with the given players. The witness supplies random numbers.
pub(super) fn play_with(
    program: &Program,
    seed: [u8; 32],
    players: &mut dyn Deciding,
    witness: &mut dyn Witness,
) -> Result<Playout, Stopped> {
    let mut state = engine::start(program, seed, witness, &mut Silent)?;
    let mut decisions = 0;
    loop {
        if let Some(outcome) = state.outcome() {
            let outcome = outcome.clone();
            return Ok(Playout { decisions, outcome });
        }
        if decisions >= program.bound {
            return Err(Stopped::unbounded(program, &state));
        }
        decide(program, &mut state, players, witness)
            .map_err(|stopped| stopped.after(decisions))?;
        decisions += 1;
    }
}

/// Makes the next decision.
fn decide(
    program: &Program,
    state: &mut State,
    players: &mut dyn Deciding,
    witness: &mut dyn Witness,
) -> Result<(), Stopped> {
    let owed = engine::pending(program, state);
    let Some(pending) = owed.first() else {
        return Err(Stopped::stuck(program, state));
    };
    let Some(choice) = players.choose(state, &owed)? else {
        return Err(Stopped::stuck(program, state));
    };
    witness.chosen(state, pending, &choice);
    engine::step(program, state, pending.index, &choice, witness, &mut Silent)?;
    players.made(pending, choice, owed.len());
    Ok(())
}

impl Witness for Seeded {}
