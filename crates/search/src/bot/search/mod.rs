//! Information-set Monte Carlo tree search (Cowling, Powley and Whitehouse, 2012) with a single observer: one tree over
//! many sampled worlds, which continues at the next decision below the choices made since. Every seat in the tree maximizes its own value. Progressive widening avoids listing all choices
//! of wide decisions. Below the tree, a playout continues at random in the memory of one [`Runner`], until the game
//! ends or the playout reaches its horizon and is evaluated by the ranking that the game would have now.

mod tree;

use tree::PlayoutStep;
pub(super) use tree::SearchTree;

use super::{Mind, Thought, worth};
use smallvec::SmallVec;
use wyrmgate_base::cancel::{checkpoint, is_late};
use wyrmgate_base::dice::Dice;
use wyrmgate_engine::{Fault, Pending, State};
use wyrmgate_program::Program;
use wyrmgate_runner::{GameRest, Runner};

/// The budget for one decision. It counts operations instead of time, so that the same random numbers give the same
/// choice on any machine. Only a deadline ([`is_late`]) ends a search earlier, with the best choice so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct Level {
    worlds: usize,
    /// Number of playouts.
    playouts: usize,
    /// Number of random decisions before a playout is evaluated by its ranking.
    horizon: usize,
}

pub(super) const LEVEL_1: Level = level(3, 60, 24);
pub(super) const LEVEL_2: Level = level(8, 300, 40);
pub(super) const LEVEL_3: Level = level(24, 1_500, 80);

const fn level(worlds: usize, playouts: usize, horizon: usize) -> Level {
    Level {
        worlds,
        playouts,
        horizon,
    }
}

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
    if worlds.is_empty() && !is_late() {
        return Ok(Thought::NoWorld);
    }
    let mut thinking = Thinking {
        program,
        runner: Runner::new(program)?,
        dice,
        tree: &mut mind.tree,
    };
    let worlds = thinking.rests(worlds);
    let playouts = worlds.iter().cycle().take(level.playouts);
    for world in playouts.take_while(|_| !is_late()) {
        checkpoint();
        // A playout that exceeds a limit of the rules yields no result.
        let _ = thinking.play(world, owed, level);
    }
    let best = thinking.tree.best();
    Ok(best.map_or(Thought::Indifferent, |(choice, sure)| {
        Thought::Wants(choice, Some(sure))
    }))
}

/// Buffers that are reused from playout to playout.
struct Thinking<'a> {
    program: &'a Program,
    runner: Runner<'a>,
    dice: &'a mut Dice,
    tree: &'a mut SearchTree,
}

impl Thinking<'_> {
    /// Returns the worlds with their choices, as far as machine code can record them.
    fn rests(&mut self, worlds: Vec<State>) -> Vec<GameRest> {
        let rests = worlds.into_iter().map(|world| {
            self.runner.take_up(&world);
            // If there are too many choices, every playout meets the same limit.
            let _ = self.runner.count();
            let mut rest = None;
            self.runner.keep(&mut rest);
            rest.unwrap_or_else(|| GameRest::of(world))
        });
        rests.collect()
    }

    /// Runs one playout: down the tree, then at random. Records the result along the path.
    fn play(&mut self, world: &GameRest, first: &Pending, level: &Level) -> Result<(), Fault> {
        self.runner.return_to(world);
        self.runner.reseed(self.dice.bytes());
        let mut path: SmallVec<[(usize, u8); 16]> = SmallVec::new();
        let mut at = SearchTree::ROOT;
        let mut owed = Some(*first);
        while let Some(pending) = owed {
            let Some(step) = self.step(at, &pending)? else {
                break;
            };
            path.push((step.edge, pending.seat));
            at = step.node;
            if step.is_new {
                break;
            }
            owed = self.runner.pending();
        }
        self.play_out(level.horizon)?;
        let worth = worth::of(self.program, self.runner.state());
        for (edge, seat) in path {
            let worth = worth.get(usize::from(seat)).copied().unwrap_or(0.5);
            self.tree.note(edge, worth);
        }
        Ok(())
    }

    /// Continues from a node: with a new choice while there is room, otherwise with the best known one. The game of the
    /// runner takes it.
    fn step(&mut self, at: usize, owed: &Pending) -> Result<Option<PlayoutStep>, Fault> {
        let Some(has_room) = self.tree.visit(at) else {
            return Ok(None);
        };
        if has_room && let Some(new) = self.try_new(at, owed)? {
            return Ok(Some(new));
        }
        if let Some(known) = self.select(at, owed)? {
            return Ok(Some(known));
        }
        self.try_new(at, owed)
    }

    /// Takes a random choice if it was not tried before.
    fn try_new(&mut self, at: usize, owed: &Pending) -> Result<Option<PlayoutStep>, Fault> {
        let dice = &mut *self.dice;
        let drawn = self.runner.random_choice(owed, &mut |n| dice.below(n))?;
        let Some(choice) = drawn else {
            return Ok(None);
        };
        let pointed = wyrmgate_view::pointed(self.program, self.runner.state(), owed, &choice);
        let mut edges = self.tree.edges_of(at);
        if edges.any(|(_, edge)| edge.choice == pointed) {
            return Ok(None);
        }
        drop(edges);
        let new = self.tree.grow(at, pointed);
        // It was drawn in this very state.
        self.runner.answer_drawn(owed, &choice)?;
        Ok(Some(new))
    }

    /// Takes the best choice among those available in this world.
    fn select(&mut self, at: usize, owed: &Pending) -> Result<Option<PlayoutStep>, Fault> {
        let mut closed: SmallVec<[usize; 8]> = SmallVec::new();
        while let Some((number, edge)) = self.tree.best_open(at, &closed) {
            let state = self.runner.state();
            let meant = wyrmgate_view::meant(self.program, state, owed, &edge.choice);
            if let Some(choice) = meant
                && self.runner.answer_if_legal(owed, &choice)?
            {
                return Ok(Some(PlayoutStep {
                    edge: number,
                    node: edge.to,
                    is_new: false,
                }));
            }
            closed.push(number);
        }
        Ok(None)
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
