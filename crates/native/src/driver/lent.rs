//! Data that the driver lends to helpers for a move: the game, and a machine once the first helper needs one. Many
//! moves need none.

use crate::driver::context::LOOKING_OF_HELPERS;
use wyrmgate_engine::eval::Scratch;
use wyrmgate_engine::game::Game;
use wyrmgate_engine::machine::Machine;
use wyrmgate_engine::state::State;
use wyrmgate_program::Program;

pub(crate) enum Lent<'g, 'p> {
    Game(&'g mut Game<'p>),
    Machine(Machine<'g>),
    /// A placeholder while a machine is created from the game.
    Nothing,
}

impl<'g, 'p> Lent<'g, 'p> {
    #[inline]
    pub fn machine(&mut self) -> Option<&mut Machine<'g>> {
        if let Lent::Game(_) = self {
            self.make();
        }
        match self {
            Lent::Machine(machine) => Some(machine),
            Lent::Game(_) | Lent::Nothing => None,
        }
    }

    #[inline]
    pub fn state(&mut self) -> Option<&mut State> {
        match self {
            Lent::Game(game) => Some(&mut game.state),
            Lent::Machine(machine) => Some(machine.state),
            Lent::Nothing => None,
        }
    }

    /// Returns the program, the state and the scratch memory.
    #[inline]
    pub fn game(&mut self) -> Option<(&Program, &mut State, &mut Scratch)> {
        match self {
            Lent::Game(game) => Some((game.program, &mut game.state, &mut game.scratch)),
            Lent::Machine(machine) => Some((machine.program, machine.state, machine.scratch)),
            Lent::Nothing => None,
        }
    }

    /// Returns the work that helpers have done to find choices in this move.
    pub fn looked(&self) -> u32 {
        match self {
            Lent::Machine(machine) => LOOKING_OF_HELPERS.saturating_sub(machine.looking),
            Lent::Game(_) | Lent::Nothing => 0,
        }
    }

    #[inline(never)]
    fn make(&mut self) {
        if let Lent::Game(game) = std::mem::replace(self, Lent::Nothing) {
            let mut machine = game.machine();
            machine.looking = LOOKING_OF_HELPERS;
            *self = Lent::Machine(machine);
        }
    }
}
