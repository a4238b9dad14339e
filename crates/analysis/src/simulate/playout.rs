//! Plays one whole random game from its seed to its end.

use wyrmgate_base::cancel::checkpoint;
use wyrmgate_engine::GameOutcome;
use wyrmgate_program::Program;
use wyrmgate_search::bot::RandomBot;
use wyrmgate_view::Stopped;

use wyrmgate_runner::Runner;

/// A finished game.
#[derive(Debug, Clone)]
pub struct Playout {
    pub decisions: u32,
    pub outcome: GameOutcome,
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
        if decisions >= program.identity.bound {
            return Err(Stopped::unbounded(program, runner.state()));
        }
        checkpoint();
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
