//! Data that the driver lends to helpers for a move: the game, and a machine once the first helper needs one. Many
//! moves need none.

use crate::memory::context::{Context, LOOKING_OF_HELPERS};
use wyrmgate_engine::eval::Scratch;
use wyrmgate_engine::game::RunnerGame;
use wyrmgate_engine::machine::Machine;
use wyrmgate_engine::state::State;
use wyrmgate_program::Program;

pub(crate) enum LentMemory<'g, 'p> {
    Game(&'g mut RunnerGame<'p>),
    Machine(Machine<'g>),
    /// A placeholder while a machine is created from the game.
    Nothing,
}

impl<'g, 'p> LentMemory<'g, 'p> {
    #[inline]
    pub fn machine(&mut self) -> Option<&mut Machine<'g>> {
        if let LentMemory::Game(_) = self {
            self.make();
        }
        match self {
            LentMemory::Machine(machine) => Some(machine),
            LentMemory::Game(_) | LentMemory::Nothing => None,
        }
    }

    #[inline]
    pub fn state(&mut self) -> Option<&mut State> {
        match self {
            LentMemory::Game(game) => Some(&mut game.state),
            LentMemory::Machine(machine) => Some(machine.state),
            LentMemory::Nothing => None,
        }
    }

    /// Returns the program, the state and the scratch memory.
    #[inline]
    pub fn game(&mut self) -> Option<(&Program, &mut State, &mut Scratch)> {
        match self {
            LentMemory::Game(game) => Some((game.program, &mut game.state, &mut game.scratch)),
            LentMemory::Machine(machine) => Some((machine.program, machine.state, machine.scratch)),
            LentMemory::Nothing => None,
        }
    }

    /// Returns the work that helpers have done to find choices in this move.
    pub fn looked(&self) -> u32 {
        match self {
            LentMemory::Machine(machine) => LOOKING_OF_HELPERS.saturating_sub(machine.looking),
            LentMemory::Game(_) | LentMemory::Nothing => 0,
        }
    }

    #[inline(never)]
    fn make(&mut self) {
        if let LentMemory::Game(game) = std::mem::replace(self, LentMemory::Nothing) {
            let mut machine = game.machine();
            machine.looking = LOOKING_OF_HELPERS;
            *self = LentMemory::Machine(machine);
        }
    }
}

/// Lends the context and the machine to a helper.
pub(crate) fn with<T: Default>(
    context: *mut Context,
    act: impl FnOnce(&mut Context, &mut Machine<'_>) -> T,
) -> T {
    let (context, lent) = parts_of(context);
    match lent.machine() {
        Some(machine) => {
            machine.base = context.frames.base as usize;
            act(context, machine)
        }
        // The driver always lends a game; without it, results are meaningless.
        None => {
            context.rest.failed = 1;
            T::default()
        }
    }
}

/// Lends the context and the game to a helper that needs no machine.
#[inline(always)]
pub(crate) fn with_game<T: Default>(
    context: *mut Context,
    act: impl FnOnce(&mut Context, &Program, &mut State) -> T,
) -> T {
    let (context, lent) = parts_of(context);
    match lent.game() {
        Some((program, state, _)) => act(context, program, state),
        None => {
            context.rest.failed = 1;
            T::default()
        }
    }
}

pub(crate) fn parts_of<'c>(context: *mut Context) -> (&'c mut Context, &'c mut LentMemory<'c, 'c>) {
    // SAFETY: «one context»: machine code passes on the pointer that the driver gave it, and neither the driver nor
    // machine code touches the context while a helper runs.
    let context = unsafe { &mut *context };
    // SAFETY: «the machine waits»: the driver stored this pointer to what it lends, and does not access it while machine
    // code runs.
    let lent = unsafe { &mut *context.lent.cast::<LentMemory<'_, '_>>() };
    (context, lent)
}
