//! What the driver lends to helpers for a move: the parts of a machine, and the machine made of them once the first
//! helper asks for it. Many moves ask none.

use crate::engine::chance::Seeded;
use crate::engine::choices::Menu;
use crate::engine::eval::Scratch;
use crate::engine::event::Silent;
use crate::engine::limit::{FUEL_PER_ENUMERATION, FUEL_PER_MOVE};
use crate::engine::machine::Machine;
use crate::engine::state::State;
use crate::program::Program;

/// A game to be played on, and the memory for that.
pub(crate) struct Parts<'g> {
    pub program: &'g Program,
    pub state: &'g mut State,
    pub scratch: &'g mut Scratch,
    pub menu: &'g mut Menu,
    pub chance: &'g mut Seeded,
    pub nobody: &'g mut Silent,
}

pub(crate) enum Lent<'g> {
    Parts(Parts<'g>),
    Machine(Machine<'g>),
    /// Only while one is made of the other.
    Nothing,
}

impl<'g> Parts<'g> {
    fn machine(self) -> Machine<'g> {
        let (chance, nobody) = (self.chance, self.nobody);
        let mut machine = Machine::new(self.program, self.state, self.scratch, chance, nobody);
        machine.looking = FUEL_PER_ENUMERATION - FUEL_PER_MOVE;
        machine.menu = Some(self.menu);
        machine
    }
}

impl<'g> Lent<'g> {
    #[inline]
    pub fn machine(&mut self) -> Option<&mut Machine<'g>> {
        if let Lent::Parts(_) = self {
            self.make();
        }
        self.made()
    }

    /// The machine, if one has been made.
    #[inline]
    pub fn made(&mut self) -> Option<&mut Machine<'g>> {
        match self {
            Lent::Machine(machine) => Some(machine),
            Lent::Parts(_) | Lent::Nothing => None,
        }
    }

    #[inline]
    pub fn state(&mut self) -> Option<&mut State> {
        match self {
            Lent::Parts(parts) => Some(parts.state),
            Lent::Machine(machine) => Some(machine.state),
            Lent::Nothing => None,
        }
    }

    /// What is played, and where it stands.
    #[inline]
    pub fn game(&mut self) -> Option<(&'g Program, &mut State)> {
        match self {
            Lent::Parts(parts) => Some((parts.program, parts.state)),
            Lent::Machine(machine) => Some((machine.program, machine.state)),
            Lent::Nothing => None,
        }
    }

    #[inline(never)]
    fn make(&mut self) {
        if let Lent::Parts(parts) = std::mem::replace(self, Lent::Nothing) {
            *self = Lent::Machine(parts.machine());
        }
    }
}
