//! The greedy bot: takes the choice with the largest average lead over a few sampled worlds.

use super::Thought;
use super::worth::{keys, lead};
use crate::imagine::Imagination;
use wyrmgate_base::cancel::is_late;
use wyrmgate_base::dice::Dice;
use wyrmgate_engine::{self as engine, Choice, Fault, Pending, Seeded, Silent, State};
use wyrmgate_program::Program;

/// Number of worlds in which each choice is tried.
const WORLDS: usize = 4;
/// Maximum number of choices. If there are more, this many are drawn.
const CHOICES_MAX: usize = 64;
/// The lead that a win counts for.
const WIN: i64 = 1 << 40;

/// Returns one of the choices, as the seat refers to it.
pub(super) fn choose(
    program: &Program,
    imagination: &mut Imagination<'_>,
    owed: &Pending,
    dice: &mut Dice,
) -> Result<Thought, Fault> {
    let choices = candidates(program, imagination.truth(), owed, dice)?;
    let worlds = imagination.worlds(WORLDS, dice);
    if worlds.is_empty() && !is_late() {
        return Ok(Thought::NoWorld);
    }
    let mut best: Option<(i64, Choice)> = None;
    for choice in choices.into_iter().take_while(|_| !is_late()) {
        let leads = worlds.iter();
        let lead = leads.map(|world| lead_after(program, world, owed, &choice));
        let lead = lead.sum::<i64>();
        if best.as_ref().is_none_or(|(most, _)| lead > *most) {
            best = Some((lead, choice));
        }
    }
    Ok(best.map_or(Thought::Indifferent, |(_, choice)| {
        Thought::Wants(choice, None)
    }))
}

/// Returns the candidates in random order, so that ties are broken by chance.
fn candidates(
    program: &Program,
    state: &State,
    owed: &Pending,
    dice: &mut Dice,
) -> Result<Vec<Choice>, Fault> {
    let mut choices = Vec::new();
    for _ in 0..2 * CHOICES_MAX {
        let drawn = engine::random_choice(program, state, owed, &mut |n| dice.below(n))?;
        let Some(choice) = drawn else {
            break;
        };
        let choice = wyrmgate_view::pointed(program, state, owed, &choice);
        if !choices.contains(&choice) {
            choices.push(choice);
        }
        if choices.len() == CHOICES_MAX {
            break;
        }
    }
    Ok(choices)
}

/// Returns the lead after a choice. A choice that fails in this world counts as neutral.
fn lead_after(program: &Program, world: &State, owed: &Pending, choice: &Choice) -> i64 {
    let mut after = world.clone();
    let Some(choice) = wyrmgate_view::meant(program, world, owed, choice) else {
        return 0;
    };
    let stepped = engine::step(
        program,
        &mut after,
        owed.index,
        &choice,
        &mut Seeded,
        &mut Silent,
    );
    match (stepped, after.outcome()) {
        (Err(_), _) => 0,
        (Ok(()), Some(outcome)) if outcome.winners.contains(&owed.seat) => WIN,
        (Ok(()), Some(_)) => -WIN,
        (Ok(()), None) => {
            let keys = keys(program, &after).unwrap_or_default();
            lead(&keys, usize::from(owed.seat))
        }
    }
}
