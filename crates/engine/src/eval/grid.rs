//! Open grids: adjacent, free and occupied cells.

use super::cells::beside;
use super::set::{Each, Walk};
use super::{Eval, ValueList};
use crate::fault::Halt;
use wyrmgate_program::{ExprId, side_turned};

impl<'a> Eval<'a> {
    #[inline(never)]
    pub(super) fn cell_beside(&mut self, place: ExprId, side: ExprId) -> Result<i32, Halt> {
        let cells = self.state.layout.cells;
        Ok(beside(self.value(place)?, self.value(side)?, cells))
    }

    #[inline(never)]
    pub(super) fn side_turned(&mut self, side: ExprId, by: ExprId) -> Result<i32, Halt> {
        let (side, by) = (self.value(side)?, self.value(by)?);
        Ok(side_turned(side, by, self.state.layout.cells))
    }

    fn taken_cells(&self, zone: i32) -> ValueList {
        let state = self.state;
        let cells = state
            .members(zone)
            .map(|component| state.cell_of(component));
        cells.filter(|&place| place >= 0).collect()
    }

    pub(super) fn each_taken_cell(&mut self, zone: ExprId, visit: Each<'_, 'a>) -> Walk {
        let zone = self.value(zone)?;
        let taken = self.taken_cells(zone);
        self.walk_values(&taken, visit)
    }

    pub(super) fn each_free_cell(&mut self, zone: ExprId, visit: Each<'_, 'a>) -> Walk {
        let zone = self.value(zone)?;
        let free = self.scratch.memo.free(self.state, zone);
        let walk = self.walk_values(&free, visit);
        self.scratch.memo.keep_free(self.state, zone, free);
        walk
    }

    /// Returns the component at a place.
    #[inline(never)]
    pub(super) fn at_cell(&mut self, zone: ExprId, place: ExprId) -> Result<i32, Halt> {
        let (zone, place) = (self.value(zone)?, self.value(place)?);
        let state = self.state;
        let kept = self.scratch.memo.places(state, zone);
        Ok(match kept {
            Some(places) => places.at(place),
            None => state.at_cell(zone, place),
        })
    }
}
