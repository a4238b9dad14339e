//! `recorded(position)`: how often a position occurred.

use super::Eval;
use super::set::settle;
use crate::fault::Halt;
use crate::history::PositionHash;
use wyrmgate_program::{PositionId, SetId};

impl Eval<'_> {
    #[inline(never)]
    pub(super) fn recorded(&mut self, position: PositionId, of: SetId) -> Result<i32, Halt> {
        let number = self.number_of_position(position, of)?;
        Ok(self.state.history.count(number))
    }

    /// Returns the number by which the position is recognized, from its values now.
    pub fn number_of_position(&mut self, position: PositionId, of: SetId) -> Result<u64, Halt> {
        let mut hash = PositionHash::of(position);
        settle(self.walk(of, |_, value| {
            hash.add(value);
            Ok(())
        }))?;
        Ok(hash.number())
    }
}
