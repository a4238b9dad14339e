//! Lists the choices of a rest without describing them.

use super::Runner;
use crate::code::{Native, Translation};
use wyrmgate_engine::choices::Group;
use wyrmgate_engine::fault::Fault;
use wyrmgate_engine::game::RunnerGame;
use wyrmgate_engine::{ChoiceMenu, Pending, State};
use wyrmgate_program::Program;

/// Returns the choices of a decision that is owed in a state, for programs that look at single positions. Machine code lists
/// them once the program is translated, which begins after many such calls.
pub fn choices(program: &Program, state: &State, owed: &Pending) -> Result<ChoiceMenu, Fault> {
    match listed(program, state, owed) {
        Some(menu) => Ok(menu),
        None => ChoiceMenu::of(program, state, owed),
    }
}

/// Returns the choices if there is machine code that can list them.
fn listed(program: &Program, state: &State, owed: &Pending) -> Option<ChoiceMenu> {
    let mut native = Native::boxed(Translation::after(program, 1)??);
    let mut game = RunnerGame::of(program, state.clone());
    native.look_at(&mut game, *owed)?;
    let mut menu = ChoiceMenu::default();
    let is_listed = native.each_choice(&mut |option, values| {
        menu.note_group(option, values, &Group::Itself);
    });
    is_listed.then_some(menu)
}

impl Runner<'_> {
    /// Visits the choices of the first pending decision in their order, each with its option and the values of its names.
    /// Returns whether it has: if a name can stand for several members, it visits none, and
    /// [`wyrmgate_engine::for_each_choice`] is the way.
    pub fn each_choice(&mut self, visit: &mut dyn FnMut(u16, &[i32])) -> Result<bool, Fault> {
        {
            self.look_fast()?;
            if self.each_choice_fast(visit) {
                return Ok(true);
            }
        }
        self.look()?;
        Ok(self.game.menu.each_choice(visit))
    }
}
