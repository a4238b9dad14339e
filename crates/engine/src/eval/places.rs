//! The components of an open grid as a table by cell, because rules that inspect the surroundings of every free cell
//! read the same few cells repeatedly.

use super::cells::{REACH, beside};
use super::values::ValueList;
use crate::state::State;
use wyrmgate_program::{CellForm, NONE, ROTATIONS, cell, cell_xy};

/// Tables of wider grids are not worth their memory: there a place is looked up among the components.
const AREA_MAX: i64 = 16_384;

/// A free place that was visited.
const VISITED: i32 = -1;

/// The margin of the table around all taken places. Neighbors of a neighbor of a taken place can therefore be looked up
/// without a bounds check.
const MARGIN: i32 = 2;

/// Places beyond the margin, so that the table need not be made again when something comes to lie further out.
const SLACK: i32 = 3;

/// The distance from a place to the one south of it.
const SOUTH: i32 = cell(0, 1) - cell(0, 0);

/// The rectangle around all taken places of a grid, and a margin.
#[derive(Default)]
pub struct GridPlaces {
    left: i32,
    top: i32,
    width: i32,
    /// The contents of the places, row by row; see [`lying`].
    at: ValueList,
}

/// Returns the contents of a cell as one number: the component and its rotation, 0 for nothing.
#[inline]
pub fn lying(component: i32, turned: i32) -> i32 {
    (component + 1) * ROTATIONS + turned % ROTATIONS
}

impl GridPlaces {
    /// `None` if the components lie too far apart, or too far out.
    pub fn of(state: &State, zone: i32) -> Option<GridPlaces> {
        let mut corners = [i32::MAX, i32::MAX, i32::MIN, i32::MIN];
        for component in state.members(zone) {
            let place = state.cell_of(component);
            if place >= 0 {
                let (x, y) = cell_xy(place);
                let [left, top, right, bottom] = corners;
                corners = [left.min(x), top.min(y), right.max(x), bottom.max(y)];
            }
        }
        let [left, top, right, bottom] = corners;
        if left > right {
            return Some(GridPlaces::default());
        }
        let within = left > -REACH && top > -REACH && right < REACH && bottom < REACH;
        let around = MARGIN + SLACK;
        let (width, height) = (right - left + 1, bottom - top + 1);
        let area = |around: i32| i64::from(width + 2 * around) * i64::from(height + 2 * around);
        if area(MARGIN) > AREA_MAX || !within {
            return None;
        }
        let mut at = ValueList::new();
        at.resize(area(around) as usize, 0);
        let mut places = GridPlaces {
            left: left - around,
            top: top - around,
            width: width + 2 * around,
            at,
        };
        for component in state.members(zone) {
            let lies = lying(component, state.turned(component));
            if let Some(found) = places.entry(state.cell_of(component)) {
                *found = lies;
            }
        }
        Some(places)
    }

    /// Adds a component that came onto a grid. Returns false if it leaves no margin around its
    /// place: the table must then be built again.
    pub fn lay(&mut self, state: &State, zone: i32, component: i32) -> bool {
        if state.zone_of(component) != zone {
            return true;
        }
        let place = state.cell_of(component);
        let is_inside = self.is_inside(place);
        let lies = lying(component, state.turned(component));
        match self.entry(place).filter(|_| is_inside) {
            Some(found) => {
                *found = lies;
                true
            }
            None => false,
        }
    }

    /// Returns whether a margin lies around a place.
    fn is_inside(&self, place: i32) -> bool {
        let (x, y) = cell_xy(place);
        let (column, row) = (x - self.left, y - self.top);
        let height = self.at.len() as i32 / self.width.max(1);
        let between = |at: i32, end: i32| (MARGIN..end - MARGIN).contains(&at);
        let is_near = x.abs() < REACH && y.abs() < REACH;
        place >= 0 && is_near && between(column, self.width) && between(row, height)
    }

    /// Updates the free places of a zone after a component that came onto a grid, as [`GridPlaces::free`] lists them; returns
    /// whether it has. The table has it already.
    pub fn lay_free(&self, state: &State, zone: i32, component: i32, free: &mut ValueList) -> bool {
        if state.zone_of(component) != zone {
            return true;
        }
        let place = state.cell_of(component);
        // An empty grid has one free place.
        let are_squares = state.layout.cells == CellForm::Square;
        if free.len() < 2 || !are_squares || !self.is_inside(place) {
            return false;
        }
        let Some(at) = free.iter().position(|free| *free == place) else {
            return false;
        };
        free.remove(at);
        for beside in [place - SOUTH, place + 1, place + SOUTH, place - 1] {
            let others = |lies: &i32| *lies != 0 && *lies / ROTATIONS - 1 != component;
            let is_listed = self
                .around(beside)
                .is_some_and(|around| around.iter().any(others));
            if self.lying_at(beside) == 0 && !is_listed {
                free.push(beside);
            }
        }
        true
    }

    /// Returns the component at a place.
    pub fn at(&self, place: i32) -> i32 {
        self.lying_at(place) / ROTATIONS - 1
    }

    /// Returns the contents of a cell.
    #[inline]
    pub fn lying_at(&self, place: i32) -> i32 {
        let found = self.index(place).and_then(|index| self.at.get(index));
        found.copied().unwrap_or(0)
    }

    /// Returns the contents of the four adjacent cells, clockwise from the north; `None` outside of the table.
    #[inline]
    pub fn around(&self, place: i32) -> Option<[i32; 4]> {
        let index = self.index(place)?;
        let width = self.width as usize;
        let above = index.checked_sub(width)?;
        let around = self.at.get(above..=index + width)?;
        // At the edge of the table the next one in the row is another row's.
        let column = index % width;
        if column == 0 || column + 1 == width {
            return None;
        }
        let at = |at: usize| around.get(at).copied();
        Some([at(0)?, at(width + 1)?, at(2 * width)?, at(width - 1)?])
    }

    /// Returns the table as machine code reads it.
    pub fn as_table(&self) -> PlaceTable {
        let width = self.width.max(1);
        PlaceTable {
            left: self.left,
            top: self.top,
            width,
            height: self.at.len() as i32 / width,
            at: self.at.as_ptr(),
        }
    }

    fn entry(&mut self, place: i32) -> Option<&mut i32> {
        let index = self.index(place)?;
        self.at.get_mut(index)
    }

    #[inline]
    fn index(&self, place: i32) -> Option<usize> {
        if place < 0 {
            return None;
        }
        let (x, y) = cell_xy(place);
        let (column, row) = (x - self.left, y - self.top);
        if column < 0 || column >= self.width || row < 0 {
            return None;
        }
        usize::try_from(row * self.width + column).ok()
    }

    /// Returns the free places beside taken ones: in the order of what lies there, clockwise from the north of each.
    fn free(&mut self, state: &State, zone: i32) -> ValueList {
        let mut free = ValueList::new();
        for component in state.members(zone) {
            let place = state.cell_of(component);
            let Some(index) = self.index(place) else {
                continue;
            };
            let width = self.width as usize;
            // No taken place lies in the margin.
            let sides = [
                (index.wrapping_sub(width), place - SOUTH),
                (index + 1, place + 1),
                (index + width, place + SOUTH),
                (index.wrapping_sub(1), place - 1),
            ];
            for (index, place) in sides {
                if let Some(found @ 0) = self.at.get_mut(index) {
                    *found = VISITED;
                    free.push(place);
                }
            }
        }
        for &place in &free {
            if let Some(found) = self.entry(place) {
                *found = 0;
            }
        }
        free
    }
}

/// A table of places, lent to machine code: see [`GridPlaces::as_table`].
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PlaceTable {
    pub left: i32,
    pub top: i32,
    pub width: i32,
    pub height: i32,
    pub at: *const i32,
}

/// Returns the free places of a grid, with its table if it has one; of an empty grid the origin.
pub(super) fn free_places(state: &State, zone: i32, places: Option<&mut GridPlaces>) -> ValueList {
    let are_squares = state.layout.cells == CellForm::Square;
    let mut free = match places.filter(|_| are_squares) {
        Some(places) => places.free(state, zone),
        None => free_of_wide(state, zone),
    };
    let is_empty = state.members(zone).all(|c| state.cell_of(c) < 0);
    if is_empty && state.is_zone(zone) {
        free.push(cell(0, 0));
    }
    free
}

fn free_of_wide(state: &State, zone: i32) -> ValueList {
    let taken = state.members(zone).map(|c| state.cell_of(c));
    let taken = taken.filter(|&place| place >= 0);
    let mut free = ValueList::new();
    each_beside(taken, state.layout.cells, |place| {
        if state.at_cell(zone, place) == NONE && !free.contains(&place) {
            free.push(place);
        }
    });
    free
}

fn each_beside(places: impl Iterator<Item = i32>, cells: CellForm, mut visit: impl FnMut(i32)) {
    for place in places {
        for side in 0..cells.count() {
            let neighbor = beside(place, side, cells);
            if neighbor >= 0 {
                visit(neighbor);
            }
        }
    }
}
