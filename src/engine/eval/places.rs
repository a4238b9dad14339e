//! Where the components of an open grid lie, as a table: rules that look beside every free place ask for the same few
//! places again and again.

use super::Values;
use super::grid::beside;
use crate::engine::state::State;
use crate::program::{NONE, cell, cell_xy};

/// Tables of wider grids are not worth their memory: there a place is looked up among the components.
const AREA_MAX: i64 = 16_384;

/// A free place that was visited.
const VISITED: i32 = -2;

/// The rectangle around all taken places of a grid, and one place more on each side.
#[derive(Default)]
pub(crate) struct Places {
    left: i32,
    top: i32,
    width: i32,
    /// Row by row the component at a place, or nothing.
    at: Values,
}

impl Places {
    /// `None` if the components lie too far apart.
    pub fn of(state: &State, zone: i32) -> Option<Places> {
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
            return Some(Places::default());
        }
        let (width, height) = (right - left + 3, bottom - top + 3);
        let area = i64::from(width) * i64::from(height);
        if area > AREA_MAX {
            return None;
        }
        let mut at = Values::new();
        at.resize(area as usize, NONE);
        let mut places = Places {
            left: left - 1,
            top: top - 1,
            width,
            at,
        };
        for component in state.members(zone) {
            if let Some(found) = places.entry(state.cell_of(component)) {
                *found = component;
            }
        }
        Some(places)
    }

    /// The component at a place.
    pub fn at(&self, place: i32) -> i32 {
        let found = self.index(place).and_then(|index| self.at.get(index));
        found.copied().unwrap_or(NONE)
    }

    fn entry(&mut self, place: i32) -> Option<&mut i32> {
        let index = self.index(place)?;
        self.at.get_mut(index)
    }

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
}

/// The free places beside taken ones: in the order of what lies there, clockwise from the north of each.
pub(super) fn free_places(state: &State, zone: i32) -> Values {
    let taken = state.members(zone).map(|c| state.cell_of(c));
    let taken = taken.filter(|&place| place >= 0);
    let mut free = Values::new();
    match Places::of(state, zone) {
        Some(mut places) => each_beside(taken, |place| {
            if let Some(found) = places.entry(place)
                && *found == NONE
            {
                *found = VISITED;
                free.push(place);
            }
        }),
        None => each_beside(taken, |place| {
            if state.at_cell(zone, place) == NONE && !free.contains(&place) {
                free.push(place);
            }
        }),
    }
    let is_empty = state.members(zone).all(|c| state.cell_of(c) < 0);
    if is_empty && state.is_zone(zone) {
        free.push(cell(0, 0));
    }
    free
}

fn each_beside(places: impl Iterator<Item = i32>, mut visit: impl FnMut(i32)) {
    for place in places {
        for side in 0..4 {
            let neighbour = beside(place, side);
            if neighbour >= 0 {
                visit(neighbour);
            }
        }
    }
}
