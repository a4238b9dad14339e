//! Straight lines on bounded grids.

use super::Eval;
use crate::fault::Halt;
use wyrmgate_program::{LineSearch, Space, ways_of};

impl Eval<'_> {
    /// Returns the length of the longest unbroken straight line through a space in which every space fulfills the
    /// condition; 0 if that space does not.
    #[inline(never)]
    pub(super) fn in_a_row(&mut self, line: LineSearch) -> Result<i32, Halt> {
        let zone = self.value(line.zone)?;
        let Some(space) = Space::of(self.program, line.family, zone) else {
            return Ok(0);
        };
        if !self.holds_of(zone, line)? {
            return Ok(0);
        }
        let mut longest = 0;
        for (across, along) in ways_of(line.ways) {
            let one_way = self.run(&space, (across, along), line)?;
            let back = self.run(&space, (-across, -along), line)?;
            longest = longest.max(one_way + 1 + back);
        }
        Ok(longest)
    }

    /// Returns how many steps from a space (not counted) the condition holds.
    fn run(&mut self, space: &Space<'_>, way: (i32, i32), line: LineSearch) -> Result<i32, Halt> {
        let mut steps = 0;
        loop {
            let zone = space.step(way, steps + 1);
            if zone < 0 || !self.holds_of(zone, line)? {
                return Ok(steps);
            }
            steps += 1;
        }
    }

    fn holds_of(&mut self, zone: i32, line: LineSearch) -> Result<bool, Halt> {
        self.scratch.spend()?;
        self.set_temp(line.temp, zone);
        self.truth(line.condition)
    }
}
