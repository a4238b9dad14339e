//! Information-set Monte Carlo tree search (Cowling, Powley and Whitehouse, 2012) with a single observer: one tree over
//! many sampled worlds, which continues at the next decision below the choices made since. Every seat in the tree maximizes its own value. Progressive widening avoids listing all choices
//! of wide decisions. Below the tree, a playout continues at random in the memory of one [`Runner`], until the game
//! ends or the playout reaches its horizon and is evaluated by the ranking that the game would have now.

mod tree;

pub(super) use tree::Tree;

use super::{Mind, Thought, worth};
use wyrmgate_base::dice::Dice;
use wyrmgate_engine::{self as engine, Fault, Pending, Runner, Seeded, Silent, State, StepError};
use wyrmgate_program::Program;

/// The budget for one decision. It counts operations instead of time, so that the same random numbers give the same
/// choice on any machine.
#[derive(Debug, Clone, Copy)]
pub(super) struct Level {
    worlds: usize,
    /// Number of playouts.
    playouts: usize,
    /// Number of random decisions before a playout is evaluated by its ranking.
    horizon: usize,
}

pub(super) const LEVEL_1: Level = Level {
    worlds: 3,
    playouts: 60,
    horizon: 24,
};
pub(super) const LEVEL_2: Level = Level {
    worlds: 8,
    playouts: 300,
    horizon: 40,
};
pub(super) const LEVEL_3: Level = Level {
    worlds: 24,
    playouts: 1_500,
    horizon: 80,
};

/// Factor for the horizon while a game has no ranking yet.
const PATIENCE: usize = 12;

/// Returns one of the choices, as the seat refers to it.
pub(super) fn choose(
    mind: &mut Mind<'_>,
    owed: &Pending,
    dice: &mut Dice,
    level: &Level,
) -> Result<Thought, Fault> {
    let program = mind.imagination.program();
    let worlds = mind.imagination.worlds(level.worlds, dice);
    let Some(first) = worlds.first() else {
        return Ok(Thought::NoWorld);
    };
    let mut thinking = Thinking {
        program,
        state: first.clone(),
        runner: Runner::new(program)?,
        dice,
        tree: &mut mind.tree,
    };
    for world in worlds.iter().cycle().take(level.playouts) {
        thinking.state.clone_from(world);
        thinking.state.reseed(thinking.dice.bytes());
        // A playout that exceeds a limit of the rules yields no result.
        let _ = thinking.play(owed, level);
    }
    let best = thinking.tree.best();
    Ok(best.map_or(Thought::Indifferent, Thought::Wants))
}

/// Buffers that are reused from playout to playout.
struct Thinking<'a> {
    program: &'a Program,
    state: State,
    runner: Runner<'a>,
    dice: &'a mut Dice,
    tree: &'a mut Tree,
}

impl Thinking<'_> {
    /// Runs one playout: down the tree, then at random. Records the result along the path.
    fn play(&mut self, first: &Pending, level: &Level) -> Result<(), StepError> {
        let program = self.program;
        let mut path = Vec::new();
        let mut at = Tree::ROOT;
        let mut owed = Some(*first);
        while let Some(pending) = owed {
            let step = self
                .tree
                .step(program, &self.state, at, &pending, self.dice)?;
            let Some(step) = step else {
                break;
            };
            // The choice was drawn or tested in this very state.
            engine::step_legal(
                program,
                &mut self.state,
                pending.index,
                &step.choice,
                &mut Seeded,
                &mut Silent,
            )?;
            path.push((step.edge, pending.seat));
            at = step.node;
            if step.is_new {
                break;
            }
            owed = engine::pending(program, &self.state).first().copied();
        }
        self.runner.take_up(&self.state);
        self.play_out(level.horizon)?;
        let worth = worth::of(program, self.runner.state());
        for (edge, seat) in path {
            let worth = worth.get(usize::from(seat)).copied().unwrap_or(0.5);
            self.tree.note(edge, worth);
        }
        Ok(())
    }

    fn play_out(&mut self, horizon: usize) -> Result<(), Fault> {
        for made in 1..=horizon.saturating_mul(PATIENCE) {
            if self.runner.pending().is_none() || self.runner.count()? == 0 {
                return Ok(());
            }
            let number = self.runner.draw(&mut |n| self.dice.below(n))?;
            self.runner.take(number)?;
            let is_late = made % horizon == 0;
            if is_late && !worth::keys(self.program, self.runner.state())?.is_empty() {
                return Ok(());
            }
        }
        Ok(())
    }
}
