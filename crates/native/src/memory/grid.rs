//! The open grid that was used last, as code reads it.

use wyrmgate_engine::eval::PlaceTable;
use wyrmgate_program::{NONE, cell_xy};

/// The open grid that was used last.
#[repr(C)]
pub(crate) struct OpenGrid {
    /// The change count for which it is valid.
    pub now: u64,
    /// The contents of cells, row by row: components counted from 1 with their rotations, and 0 for nothing.
    pub at: *const i32,
    pub zone: i32,
    /// The column and row, packed as in a cell, at which the table begins.
    pub left: i32,
    pub top: i32,
    pub width: i32,
    /// The number of columns and rows without those at the edges; 0 if there is no table.
    pub inner_width: i32,
    pub inner_height: i32,
}

impl OpenGrid {
    pub fn none() -> OpenGrid {
        OpenGrid {
            now: u64::MAX,
            at: std::ptr::null(),
            zone: NONE,
            left: 0,
            top: 0,
            width: 0,
            inner_width: 0,
            inner_height: 0,
        }
    }

    pub fn look_at(&mut self, zone: i32, now: u64, table: Option<PlaceTable>) {
        *self = OpenGrid::none();
        (self.zone, self.now) = (zone, now);
        let Some(table) = table else {
            return;
        };
        let (x, y) = cell_xy(0);
        (self.left, self.top) = (table.left - x, table.top - y);
        (self.at, self.width) = (table.at, table.width);
        self.inner_width = (table.width - 2).max(0);
        self.inner_height = (table.height - 2).max(0);
    }
}
