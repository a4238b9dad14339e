//! Greedy: the choice after which the seat leads by most, on the average of a few imagined worlds.

use super::RandomBot;
use crate::engine::{self, Choice, Pending, Seeded, Silent, State, StepError, scores};
use crate::imagine::Imagination;
use crate::program::Program;

/// Worlds in which a choice is tried.
const WORLDS: usize = 4;
/// Of more choices so many are drawn.
const CHOICES_MAX: usize = 64;
/// A win counts as so many points of lead.
const WIN: i64 = 1 << 40;

pub(super) fn choose(
    program: &Program,
    imagination: &Imagination<'_>,
    seat: u8,
    dice: &mut RandomBot,
) -> Result<Option<Choice>, StepError> {
    let worlds: Vec<State> = (0..WORLDS).map(|_| imagination.world(dice)).collect();
    let Some(first) = worlds.first() else {
        return Ok(None);
    };
    let owed = engine::pending(program, first);
    let Some(owed) = owed.iter().find(|owed| owed.seat == seat) else {
        return Ok(None);
    };
    let mut best: Option<(i64, Choice)> = None;
    for choice in candidates(program, first, owed, dice)? {
        let lead = worlds
            .iter()
            .map(|world| lead_after(program, world, owed, &choice));
        let lead = lead.sum::<i64>();
        if best.as_ref().is_none_or(|(most, _)| lead > *most) {
            best = Some((lead, choice));
        }
    }
    Ok(best.map(|(_, choice)| choice))
}

/// In a random order, so that ties are broken by chance.
fn candidates(
    program: &Program,
    state: &State,
    owed: &Pending,
    dice: &mut RandomBot,
) -> Result<Vec<Choice>, StepError> {
    let mut choices = Vec::new();
    for _ in 0..2 * CHOICES_MAX {
        let Some(choice) = dice.choose(program, state, owed)? else {
            break;
        };
        if !choices.contains(&choice) {
            choices.push(choice);
        }
        if choices.len() == CHOICES_MAX {
            break;
        }
    }
    Ok(choices)
}

/// A choice that fails in this world counts as neither good nor bad.
fn lead_after(program: &Program, world: &State, owed: &Pending, choice: &Choice) -> i64 {
    let mut after = world.clone();
    let stepped = engine::step(
        program,
        &mut after,
        owed.index,
        choice,
        &mut Seeded,
        &mut Silent,
    );
    match stepped {
        Ok(()) => lead(program, &after, owed.seat),
        Err(_) => 0,
    }
}

fn lead(program: &Program, state: &State, seat: u8) -> i64 {
    if let Some(outcome) = state.outcome() {
        let won = outcome.winners.contains(&seat);
        return if won { WIN } else { -WIN };
    }
    let scores = scores(program, state);
    let own = scores.get(usize::from(seat)).copied().unwrap_or(0);
    let others = (0u8..).zip(&scores).filter(|(other, _)| *other != seat);
    let best = others.map(|(_, score)| *score).max().unwrap_or(0);
    i64::from(own) - i64::from(best)
}
