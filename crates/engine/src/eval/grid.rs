//! Open grids: adjacent, free and occupied cells.

use super::set::{Each, Walk};
use super::{Eval, Values};
use crate::fault::Halt;
use wyrmgate_program::{ExprId, NONE, cell, cell_xy, side_turned};

/// Coordinates stay within this distance of the origin, so that they can be packed.
pub const REACH: i32 = 16_000;

/// Returns a place of an open grid, if it is within reach.
pub fn cell_at(x: i32, y: i32) -> i32 {
    if x.abs() > REACH || y.abs() > REACH {
        return NONE;
    }
    cell(x, y)
}

/// Sides are numbered clockwise from the north; y grows to the south.
pub(super) fn beside(place: i32, side: i32) -> i32 {
    if place < 0 {
        return NONE;
    }
    let (x, y) = cell_xy(place);
    match side {
        0 => cell_at(x, y - 1),
        1 => cell_at(x + 1, y),
        2 => cell_at(x, y + 1),
        3 => cell_at(x - 1, y),
        _ => NONE,
    }
}

impl<'a> Eval<'a> {
    #[inline(never)]
    pub(super) fn cell_of(&mut self, of: ExprId) -> Result<i32, Halt> {
        Ok(self.state.cell_of(self.value(of)?))
    }

    #[inline(never)]
    pub(super) fn rotation_of(&mut self, of: ExprId) -> Result<i32, Halt> {
        Ok(self.state.turned(self.value(of)?))
    }

    #[inline(never)]
    pub(super) fn cell_beside(&mut self, place: ExprId, side: ExprId) -> Result<i32, Halt> {
        Ok(beside(self.value(place)?, self.value(side)?))
    }

    #[inline(never)]
    pub(super) fn side_turned(&mut self, side: ExprId, by: ExprId) -> Result<i32, Halt> {
        let (side, by) = (self.value(side)?, self.value(by)?);
        Ok(side_turned(side, by))
    }

    fn taken_cells(&self, zone: i32) -> Values {
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
