//! Cells of open grids by their coordinates.

use wyrmgate_program::{CellForm, NONE, cell, cell_xy};

/// Coordinates stay within this distance of the origin, so that they can be packed.
pub const REACH: i32 = 16_000;

/// Returns a place of an open grid, if it is within reach.
pub fn cell_at(x: i32, y: i32) -> i32 {
    if x.abs() > REACH || y.abs() > REACH {
        return NONE;
    }
    cell(x, y)
}

/// The distances to the adjacent cells, clockwise from the north; y grows to the south.
const SQUARES: [(i32, i32); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];
/// Each row of hexagons lies half a cell further to the left than the one above it.
const HEXAGONS: [(i32, i32); 6] = [(0, -1), (1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1)];

/// Returns the cell on a side, by its number.
pub(super) fn beside(place: i32, side: i32, cells: CellForm) -> i32 {
    let steps = match cells {
        CellForm::Square => &SQUARES[..],
        CellForm::Hexagon => &HEXAGONS,
    };
    let step = usize::try_from(side).ok().and_then(|side| steps.get(side));
    let Some((right, down)) = step.filter(|_| place >= 0) else {
        return NONE;
    };
    let (x, y) = cell_xy(place);
    cell_at(x + right, y + down)
}
