//! A bot at its seat: the observations of the seat, and the worlds and search tree of earlier decisions, which it keeps from
//! decision to decision.

use super::search::SearchTree;
use crate::imagine::{self, GameHistory, Imagination, Made};
use wyrmgate_engine::{self as engine, Choice, StepError};
use wyrmgate_program::Program;

/// The memory of a bot about one game: its observations, sampled worlds and search tree.
pub struct Mind<'p> {
    pub(super) imagination: Imagination<'p>,
    /// The search tree of the last decision below the choices that followed it.
    pub(super) tree: SearchTree,
}

/// A [`Mind`] without its program.
pub struct Memory {
    imagination: imagine::ImaginationMemory,
    tree: SearchTree,
}

impl Memory {
    /// Returns about how many bytes it holds.
    pub fn bytes(&self) -> usize {
        self.imagination.bytes() + self.tree.bytes()
    }
}

impl<'p> Mind<'p> {
    /// Creates a bot for a game without any choice yet. Seats count from 0.
    pub fn begin(program: &'p Program, seed: [u8; 32], seat: u8) -> Result<Mind<'p>, StepError> {
        let imagination = Imagination::begin(program, seed, seat)?;
        let tree = SearchTree::default();
        Ok(Mind { imagination, tree })
    }

    /// Creates a bot that has observed this history. It continues from a memory of the same game; one of another game, or
    /// of choices that were taken back, is forgotten.
    pub fn recall(
        program: &'p Program,
        memory: Option<Memory>,
        history: &GameHistory,
        seat: u8,
    ) -> Result<Mind<'p>, StepError> {
        let memory = memory.filter(|memory| memory.imagination.begins(history, seat));
        let mut mind = match memory {
            Some(Memory { imagination, tree }) => Mind {
                imagination: Imagination::recall(program, imagination),
                tree,
            },
            None => Mind::begin(program, history.seed, seat)?,
        };
        for made in history.made.iter().skip(mind.choices()) {
            mind.observe(made)?;
        }
        Ok(mind)
    }

    /// Returns a mind that knows what is public and what its seat has answered in secret so far, if it owes further answers.
    pub fn amid(
        program: &'p Program,
        seed: [u8; 32],
        known: &[Made],
        held: &[Made],
        seat: u8,
    ) -> Result<Option<Mind<'p>>, StepError> {
        let own = held.iter().filter(|made| made.seat == seat);
        if own.clone().next().is_none() {
            return Ok(None);
        }
        let made = known.iter().chain(own).cloned().collect();
        Mind::recall(program, None, &GameHistory { seed, made }, seat).map(Some)
    }

    /// Returns what to keep until the next decision.
    pub fn into_memory(self) -> Memory {
        Memory {
            imagination: self.imagination.into_memory(),
            tree: self.tree,
        }
    }

    /// Returns the number of observed choices.
    pub fn choices(&self) -> usize {
        self.imagination.choices()
    }

    /// Returns how many playouts of earlier decisions went through the present position.
    pub fn playouts(&self) -> u32 {
        self.tree.visits()
    }

    /// Observes a choice of any seat, as [`Imagination::observe`] does. The tree is cut down to what follows this choice, or
    /// is lost if the seat does not know all of the choice: which branch is kept must not tell what is hidden.
    pub fn observe(&mut self, made: &Made) -> Result<(), StepError> {
        let branch = self.branch(made);
        self.imagination.observe(made)?;
        match branch.filter(|_| self.imagination.knows_last_choice()) {
            Some(choice) => self.tree.follow(&choice),
            None => self.tree = SearchTree::default(),
        }
        Ok(())
    }

    /// Returns the choice as the tree has it. The tree knows decisions only in the order of [`engine::pending`].
    fn branch(&self, made: &Made) -> Option<Choice> {
        if self.tree.is_empty() || made.secret || made.choice.is_resigning() {
            return None;
        }
        let (program, state) = (self.imagination.program(), self.imagination.truth());
        let owed = engine::pending(program, state).first().copied()?;
        let is_owed = owed.seat == made.seat;
        is_owed.then(|| wyrmgate_view::pointed(program, state, &owed, &made.choice))
    }
}
