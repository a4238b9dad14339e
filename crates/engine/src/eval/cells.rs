//! Cells of open grids by their coordinates.

use wyrmgate_program::{NONE, cell, cell_xy};

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
