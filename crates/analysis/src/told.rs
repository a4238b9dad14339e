//! Texts that cannot be made. They stop no game, because a seat that reads `…` can still choose, but their rules are wrong.

use wyrmgate_engine::{Collect, Seeded, pending, start, step_legal, untold};
use wyrmgate_program::{Hole, Operation, Program};
use wyrmgate_search::bot::RandomBot;
use wyrmgate_view::Stopped;

/// Choices of a decision whose labels are looked at.
const LABELS_MAX: usize = 50;

/// Returns whether the program has a text that computes something.
pub fn computes(program: &Program) -> bool {
    let value = |id: u32| Some(program.exprs.get(id as usize)?.parts(program));
    let list = |id: u32| Some(program.sets.get(id as usize)?.parts(program));
    let mut texts = program.prose.texts_with_holes.iter();
    texts.any(|text| {
        text.holes.iter().any(|hole| {
            let parts = match *hole {
                Hole::Value(id, _) => value(id),
                Hole::List(id, _) => list(id),
            };
            parts.is_some_and(|parts| !parts.is_empty())
        })
    })
}

/// Plays a random game and returns the first text that cannot be made.
pub fn untold_in_game(program: &Program, seed: [u8; 32]) -> Result<Option<Stopped>, Stopped> {
    let (mut told, mut bot) = (Collect::default(), RandomBot::for_game(&seed));
    let mut state = start(program, seed, &mut Seeded, &mut told)?;
    while let Some(owed) = pending(program, &state).into_iter().next()
        && told.1.is_none()
        && state.decisions_made() < program.identity.bound
    {
        let before = Collect(Vec::new(), untold(program, &state, &owed, LABELS_MAX)?);
        let choice = bot.choose(program, &state, &owed)?;
        let Some(choice) = choice.filter(|_| before.1.is_none()) else {
            told = before;
            break;
        };
        let (index, chance) = (owed.index, &mut Seeded);
        step_legal(program, &mut state, index, &choice, chance, &mut told)?;
    }
    let untold = told.1.as_ref().map(Stopped::untold);
    Ok(untold.map(|untold| untold.after(state.decisions_made())))
}
