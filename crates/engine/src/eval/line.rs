//! Straight lines on bounded grids.

use super::Eval;
use crate::fault::Halt;
use wyrmgate_program::{ExprId, FamilyId, Space, Temp, WaySet, ways_of};

impl Eval<'_> {
    /// Returns the length of the longest unbroken straight line through a space in which every space fulfills the
    /// condition; 0 if that space does not.
    #[inline(never)]
    pub(super) fn in_a_row(
        &mut self,
        family: FamilyId,
        ways: WaySet,
        zone: ExprId,
        temp: Temp,
        condition: ExprId,
    ) -> Result<i32, Halt> {
        let zone = self.value(zone)?;
        let Some(space) = Space::of(self.program, family, zone) else {
            return Ok(0);
        };
        if !self.holds_of(zone, temp, condition)? {
            return Ok(0);
        }
        let mut longest = 0;
        for (across, along) in ways_of(ways) {
            let one_way = self.run(&space, (across, along), temp, condition)?;
            let back = self.run(&space, (-across, -along), temp, condition)?;
            longest = longest.max(one_way + 1 + back);
        }
        Ok(longest)
    }

    /// Returns how many steps from a space (not counted) the condition holds.
    fn run(
        &mut self,
        space: &Space<'_>,
        way: (i32, i32),
        temp: Temp,
        condition: ExprId,
    ) -> Result<i32, Halt> {
        let mut steps = 0;
        loop {
            let zone = space.step(way, steps + 1);
            if zone < 0 || !self.holds_of(zone, temp, condition)? {
                return Ok(steps);
            }
            steps += 1;
        }
    }

    fn holds_of(&mut self, zone: i32, temp: Temp, condition: ExprId) -> Result<bool, Halt> {
        self.scratch.spend()?;
        self.set_temp(temp, zone);
        self.truth(condition)
    }
}
