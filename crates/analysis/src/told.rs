//! Texts that cannot be made. They stop no game, because a seat that reads `…` can still choose, but their rules are wrong.

use wyrmgate_engine::{Collect, Seeded, pending, start, step_legal, untold};
use wyrmgate_program::{Hole, Program};
use wyrmgate_search::bot::RandomBot;
use wyrmgate_view::Stopped;

/// Choices of a decision whose labels are looked at.
const LABELS_MAX: usize = 50;

/// Returns whether the program has a text that computes something.
pub fn computes(program: &Program) -> bool {
    let texts = program.prose.texts_with_holes.iter();
    texts.flat_map(|text| &text.holes).any(|hole| match hole {
        Hole::Value(id, _) => program
            .exprs
            .get(*id as usize)
            .is_some_and(|of| !of.parts(program).is_empty()),
        Hole::List(id, _) => program
            .sets
            .get(*id as usize)
            .is_some_and(|of| !of.parts(program).is_empty()),
    })
}

/// Plays a random game and returns the first text that cannot be made.
pub fn untold_in_game(program: &Program, seed: [u8; 32]) -> Result<Option<Stopped>, Stopped> {
    let (mut told, mut bot) = (Collect::default(), RandomBot::for_game(&seed));
    let mut state = start(program, seed, &mut Seeded, &mut told)?;
    for decisions in 0..program.identity.bound {
        let owed = pending(program, &state);
        let Some(owed) = owed.first() else { break };
        if told.1.is_none() {
            told.1 = untold(program, &state, owed, LABELS_MAX)?;
        }
        if let Some(fault) = &told.1 {
            return Ok(Some(Stopped::untold(fault).after(decisions)));
        }
        let Some(choice) = bot.choose(program, &state, owed)? else {
            break;
        };
        step_legal(
            program,
            &mut state,
            owed.index,
            &choice,
            &mut Seeded,
            &mut told,
        )?;
    }
    Ok(told.1.as_ref().map(Stopped::untold))
}
