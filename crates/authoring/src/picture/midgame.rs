//! A position to show: a game after some random choices.

use wyrmgate_engine::{Collect, Event, Seeded, State, pending, start, step};
use wyrmgate_program::Program;
use wyrmgate_search::bot::RandomBot;
use wyrmgate_view::Stopped;

/// A position, and the events of the choice that led to it.
pub struct Midgame {
    pub state: State,
    pub events: Vec<Event>,
}

/// The seed of games of which only one picture is needed.
const SEED: [u8; 32] = [7; 32];

impl Midgame {
    /// Plays a game in which every seat chooses at random. Games that end before this many choices are shown halfway.
    pub fn of(program: &Program, steps: u32) -> Result<Midgame, Stopped> {
        let mut steps = steps;
        loop {
            let game = Midgame::played(program, SEED, steps)?;
            if steps == 0 || !pending(program, &game.state).is_empty() {
                return Ok(game);
            }
            steps /= 2;
        }
    }

    /// Plays at most this many choices.
    pub fn played(program: &Program, seed: [u8; 32], steps: u32) -> Result<Midgame, Stopped> {
        let mut bot = RandomBot::for_game(&seed);
        let mut seen = Collect::default();
        let mut state = start(program, seed, &mut Seeded, &mut seen)?;
        for _ in 0..steps {
            let Some(owed) = pending(program, &state).first().copied() else {
                break;
            };
            let choice = bot.choose(program, &state, &owed)?;
            let choice = choice.ok_or_else(|| Stopped::stuck(program, &state))?;
            seen.0.clear();
            step(
                program,
                &mut state,
                owed.index,
                &choice,
                &mut Seeded,
                &mut seen,
            )?;
        }
        Ok(Midgame {
            state,
            events: seen.0,
        })
    }
}
