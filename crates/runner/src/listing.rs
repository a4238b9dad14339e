//! Visits the choices of a rest without describing them.

use super::Runner;
use wyrmgate_engine::fault::Fault;

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
