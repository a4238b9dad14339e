//! Information-set Monte Carlo tree search (Cowling, Powley and Whitehouse, 2012), with a single observer: one tree over
//! many imagined worlds. Every seat in the tree takes what is best for itself. Wide decisions are widened step by step, so
//! that no list of choices is ever built.

mod tree;

use tree::Tree;

use super::RandomBot;
use super::worth::{self, Worth};
use crate::engine::{self, Choice, Pending, Seeded, Silent, State, StepError};
use crate::imagine::Imagination;
use crate::program::Program;

/// How much a bot thinks about one decision.
#[derive(Debug, Clone, Copy)]
pub(super) struct Level {
    worlds: usize,
    /// Games played to the end in thought.
    playouts: usize,
    /// A game in thought is given up after so many decisions, and judged by its scores.
    horizon: usize,
}

pub(super) const LEVEL_1: Level = Level {
    worlds: 4,
    playouts: 60,
    horizon: 200,
};
pub(super) const LEVEL_2: Level = Level {
    worlds: 12,
    playouts: 300,
    horizon: 400,
};
pub(super) const LEVEL_3: Level = Level {
    worlds: 32,
    playouts: 1_500,
    horizon: 800,
};

pub(super) fn choose(
    program: &Program,
    imagination: &Imagination<'_>,
    seat: u8,
    dice: &mut RandomBot,
    level: &Level,
) -> Result<Option<Choice>, StepError> {
    let first = imagination.world(dice);
    let Some(owed) = owed_by(program, &first, seat) else {
        return Ok(None);
    };
    if let Some(only) = only_choice(program, &first, &owed)? {
        return Ok(Some(only));
    }
    let worlds = (1..level.worlds).map(|_| imagination.world(dice));
    let worlds: Vec<State> = std::iter::once(first).chain(worlds).collect();
    let mut tree = Tree::default();
    let mut state = None;
    for world in worlds.iter().cycle().take(level.playouts) {
        let state: &mut State = match &mut state {
            Some(state) => {
                State::clone_from(state, world);
                state
            }
            none => none.insert(world.clone()),
        };
        state.reseed(dice.bytes());
        // A game in thought that runs into a limit of the rules teaches nothing.
        let _ = think(program, state, seat, dice, level, &mut tree);
    }
    Ok(tree.best())
}

fn owed_by(program: &Program, state: &State, seat: u8) -> Option<Pending> {
    let owed = engine::pending(program, state);
    owed.into_iter().find(|owed| owed.seat == seat)
}

fn only_choice(
    program: &Program,
    state: &State,
    owed: &Pending,
) -> Result<Option<Choice>, StepError> {
    match engine::count_choices(program, state, owed)? {
        1 => Ok(engine::nth_choice(program, state, owed, 0)?),
        _ => Ok(None),
    }
}

/// One game in thought: down the tree, then at random; what it comes to is noted on the way it took.
fn think(
    program: &Program,
    state: &mut State,
    seat: u8,
    dice: &mut RandomBot,
    level: &Level,
    tree: &mut Tree,
) -> Result<(), StepError> {
    let mut path = Vec::new();
    let mut at = Tree::ROOT;
    let mut owed = owed_by(program, state, seat);
    while let Some(pending) = owed {
        let Some(step) = tree.step(program, state, at, &pending, dice)? else {
            break;
        };
        play(program, state, &pending, &step.choice)?;
        path.push((step.edge, pending.seat));
        at = step.node;
        if step.is_new {
            break;
        }
        owed = engine::pending(program, state).first().copied();
    }
    play_out(program, state, dice, level.horizon)?;
    let worth: Worth = worth::of(program, state);
    for (edge, seat) in path {
        tree.note(edge, worth.get(usize::from(seat)).copied().unwrap_or(0.5));
    }
    Ok(())
}

fn play(
    program: &Program,
    state: &mut State,
    owed: &Pending,
    choice: &Choice,
) -> Result<(), StepError> {
    // Drawn or tested in this very state.
    engine::step_legal(program, state, owed.index, choice, &mut Seeded, &mut Silent)
}

fn play_out(
    program: &Program,
    state: &mut State,
    dice: &mut RandomBot,
    horizon: usize,
) -> Result<(), StepError> {
    for _ in 0..horizon {
        let owed = engine::pending(program, state);
        let Some(owed) = owed.first() else {
            return Ok(());
        };
        let Some(choice) = dice.choose(program, state, owed)? else {
            return Ok(());
        };
        play(program, state, owed, &choice)?;
    }
    Ok(())
}
