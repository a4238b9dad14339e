//! Every text can be made. A text that cannot stops no game, because a seat that reads `…` can still choose, but its rules are
//! wrong.

use super::found::LawFinding;
use super::make;
use super::rest::LawRest;
use wyrmgate_engine::{Fault, Seeded, Told, pending, start, step_legal, untold};
use wyrmgate_program::{Expr, Hole, Program, Set};
use wyrmgate_search::bot::RandomBot;
use wyrmgate_view::Stopped;

/// Choices whose labels are looked at.
const LABELS_MAX: usize = 50;

/// Returns whether the program has a text that computes something.
pub(crate) fn concerns(program: &Program) -> bool {
    let mut holes = program
        .prose
        .texts_with_holes
        .iter()
        .flat_map(|text| &text.holes);
    holes.any(|hole| match hole {
        Hole::Value(id, _) => !matches!(
            program.exprs.get(*id as usize),
            Some(Expr::Const(_) | Expr::Local(_) | Expr::Temp(_) | Expr::Word(_))
        ),
        Hole::List(id, _) => !matches!(
            program.sets.get(*id as usize),
            Some(Set::Temp(_) | Set::Words { .. } | Set::Zone(_))
        ),
    })
}

pub(super) fn check(rest: &mut LawRest<'_>) -> Result<(), LawFinding> {
    let (program, mut told) = (rest.program, Told::default());
    if rest.made.is_empty() {
        start(program, rest.seed, &mut Seeded, &mut told)?;
    }
    for owed in rest.owed {
        told.untold = told
            .untold
            .or(untold(program, rest.state, owed, LABELS_MAX)?);
    }
    if let Some(owed) = rest.any_owed() {
        let choice = rest.draw(&owed)?;
        let mut copy = rest.state.clone();
        // A fault of the move itself is found when it is played.
        let _ = make(program, &mut copy, &owed, &choice, &mut told);
    }
    match told.untold {
        None => Ok(()),
        Some(fault) => Err(LawFinding {
            sentence: Stopped::untold(&fault).reason,
            ..fault.into()
        }),
    }
}

/// Plays a random game and returns the first text that cannot be made.
pub(crate) fn untold_in_game(
    program: &Program,
    seed: [u8; 32],
) -> Result<Option<Stopped>, Stopped> {
    let (mut told, mut bot) = (Told::default(), RandomBot::for_game(&seed));
    let mut state = start(program, seed, &mut Seeded, &mut told)?;
    for decisions in 0..program.identity.bound {
        let owed = pending(program, &state);
        let Some(owed) = owed.first().filter(|_| told.untold.is_none()) else {
            break;
        };
        told.untold = untold(program, &state, owed, LABELS_MAX)?;
        if let Some(fault) = &told.untold {
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
    let stopped = |fault: &Fault| Stopped::untold(fault).after(state.decisions_made());
    Ok(told.untold.as_ref().map(stopped))
}
