//! A game in play, with the memory that all its moves share.

use crate::chance::Seeded;
use crate::choices::ChoiceMenu;
use crate::eval::Scratch;
use crate::event::Silent;
use crate::machine::Machine;
use crate::play::blank;
use crate::{Fault, State};
use wyrmgate_program::Program;

/// The current game of a runner, and its memory.
pub struct RunnerGame<'p> {
    pub program: &'p Program,
    pub state: State,
    pub scratch: Scratch,
    /// The choices of the next decision, once they have been recorded.
    pub menu: ChoiceMenu,
    pub chance: Seeded,
    pub nobody: Silent,
}

impl<'p> RunnerGame<'p> {
    /// Creates a game in which nothing has happened yet.
    pub fn new(program: &'p Program) -> Result<RunnerGame<'p>, Fault> {
        Ok(RunnerGame::of(program, blank(program, [0; 32])?))
    }

    /// Continues a game.
    pub fn of(program: &'p Program, state: State) -> RunnerGame<'p> {
        RunnerGame {
            program,
            state,
            scratch: Scratch::default(),
            menu: ChoiceMenu::default(),
            chance: Seeded,
            nobody: Silent,
        }
    }

    /// Returns a machine for one move, which records all choices of the next decision.
    #[inline]
    pub fn machine(&mut self) -> Machine<'_> {
        let (state, scratch) = (&mut self.state, &mut self.scratch);
        let (chance, nobody) = (&mut self.chance, &mut self.nobody);
        let mut machine = Machine::new(self.program, state, scratch, chance, nobody);
        machine.menu = Some(&mut self.menu);
        machine
    }
}
