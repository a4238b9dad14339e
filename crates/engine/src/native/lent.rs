//! Data that the driver lends to helpers for a move: the game, and a machine once the first helper needs one. Many
//! moves need none.

use super::context::LOOKING;
use crate::eval::Scratch;
use crate::limit::FUEL_PER_ENUMERATION;
use crate::machine::Machine;
use crate::runner::Game;
use crate::state::State;
use wyrmgate_program::Program;

pub(crate) enum Lent<'g, 'p> {
    Game(&'g mut Game<'p>),
    Machine(Machine<'g>),
    /// Only while one is created from the other.
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

    #[inline(never)]
    fn make(&mut self) {
        if let Lent::Game(game) = std::mem::replace(self, Lent::Nothing) {
            let mut machine = game.machine();
            machine.looking = FUEL_PER_ENUMERATION - LOOKING as u32;
            *self = Lent::Machine(machine);
        }
    }
}
