//! Where everything lies: the components of each zone, first to last, and the zone, the face and the cell of each component.

use super::State;
use crate::layout::{
    CELL, COUNT, FACE_DOWN, FIRST, FLAGS, LAST, NEXT, PREVIOUS, ROTATION, ZONE, ZONE_WORDS, header,
};
use wyrmgate_program::{ByNumber, NONE};

impl State {
    fn zone_word(&self, zone: i32, word: usize) -> Option<i32> {
        let zone = usize::try_from(zone).ok()?;
        if zone >= self.layout.zones {
            return None;
        }
        let at = header::LEN + zone * ZONE_WORDS + word;
        self.words.get(at).copied()
    }

    #[inline]
    pub(crate) fn set_zone_word(&mut self, zone: i32, word: usize, value: i32) {
        let Ok(zone) = usize::try_from(zone) else {
            return;
        };
        if zone < self.layout.zones {
            self.set_head(header::LEN + zone * ZONE_WORDS + word, value);
        }
    }

    #[inline]
    pub fn zone_first(&self, zone: i32) -> i32 {
        self.zone_word(zone, FIRST).unwrap_or(NONE)
    }

    #[inline]
    pub fn zone_last(&self, zone: i32) -> i32 {
        self.zone_word(zone, LAST).unwrap_or(NONE)
    }

    #[inline]
    pub fn zone_count(&self, zone: i32) -> i32 {
        self.zone_word(zone, COUNT).unwrap_or(0)
    }

    /// Returns the first and last components of these zones.
    pub fn zone_rows(
        &self,
        first: i32,
        len: u16,
    ) -> impl DoubleEndedIterator<Item = (i32, i32)> + ExactSizeIterator + '_ {
        let start = header::LEN + first.max(0) as usize * ZONE_WORDS;
        let end = (start + usize::from(len) * ZONE_WORDS).min(self.layout.components_at);
        let words = self.words.get(start..end).unwrap_or(&[]);
        let (rows, _) = words.as_chunks::<ZONE_WORDS>();
        rows.iter().map(|[first, last, _]| (*first, *last))
    }

    #[inline]
    pub fn is_zone(&self, zone: i32) -> bool {
        usize::try_from(zone).is_ok_and(|zone| zone < self.layout.zones)
    }

    /// Returns the components of a zone, first to last.
    #[inline]
    pub fn members(&self, zone: i32) -> ZoneMembers<'_> {
        ZoneMembers {
            state: self,
            at: self.zone_first(zone),
        }
    }

    // ---- components

    #[inline]
    fn row(&self, component: i32, word: usize) -> i32 {
        let component = component as u32 as usize;
        if component >= self.layout.components {
            return NONE;
        }
        let at = self.layout.components_at + component * self.layout.row + word;
        self.words.get(at).copied().unwrap_or(NONE)
    }

    #[inline]
    pub(crate) fn set_row(&mut self, component: i32, word: usize, value: i32) {
        let component = component as u32 as usize;
        if component >= self.layout.components || word >= self.layout.row {
            return;
        }
        let at = self.layout.components_at + component * self.layout.row + word;
        self.set_head(at, value);
    }

    #[inline]
    pub fn is_component(&self, component: i32) -> bool {
        (component as u32 as usize) < self.layout.components
    }

    #[inline]
    pub fn zone_of(&self, component: i32) -> i32 {
        self.row(component, ZONE)
    }

    #[inline]
    pub fn next(&self, component: i32) -> i32 {
        self.row(component, NEXT)
    }

    #[inline]
    pub fn previous(&self, component: i32) -> i32 {
        self.row(component, PREVIOUS)
    }

    /// Returns whether it is face down, and who was shown it; 0 for NONE.
    #[inline]
    pub fn flags(&self, component: i32) -> i32 {
        self.row(component, FLAGS).max(0)
    }

    #[inline]
    pub fn set_flags(&mut self, component: i32, flags: i32) {
        self.changes.places += 1;
        self.set_row(component, FLAGS, flags);
    }

    #[inline]
    pub fn is_face_down(&self, component: i32) -> bool {
        self.flags(component) & FACE_DOWN != 0
    }

    /// Returns the cell on its open grid.
    #[inline]
    pub fn cell_of(&self, component: i32) -> i32 {
        if self.layout.has_cells() {
            self.row(component, CELL)
        } else {
            NONE
        }
    }

    #[inline]
    pub fn turned(&self, component: i32) -> i32 {
        if self.layout.has_cells() {
            self.row(component, ROTATION).max(0)
        } else {
            0
        }
    }

    #[inline]
    pub fn set_cell(&mut self, component: i32, cell: i32) {
        self.changes.places += 1;
        self.changes.grids += u64::from(self.cell_of(component) != cell);
        self.set_row(component, CELL, cell);
    }

    #[inline]
    pub fn set_turned(&mut self, component: i32, quarters: i32) {
        self.changes.places += 1;
        self.changes.grids += u64::from(self.turned(component) != quarters);
        self.set_row(component, ROTATION, quarters);
    }

    /// Returns the component in a cell of a zone's open grid.
    #[inline]
    pub fn at_cell(&self, zone: i32, cell: i32) -> i32 {
        if cell < 0 {
            return NONE;
        }
        self.members(zone)
            .find(|&component| self.cell_of(component) == cell)
            .unwrap_or(NONE)
    }

    /// Returns the place from 1; 0 for NONE.
    pub fn place_of(&self, component: i32) -> i32 {
        if !self.is_component(component) {
            return 0;
        }
        let zone = self.zone_of(component);
        if self.zone_last(zone) == component {
            return self.zone_count(zone);
        }
        let mut place = 0;
        let mut at = component;
        while at >= 0 {
            place += 1;
            at = self.previous(at);
        }
        place
    }

    /// Returns the component at this place (from 1) of a zone.
    #[inline]
    pub fn at_place(&self, zone: i32, place: i32) -> i32 {
        if place < 1 {
            return NONE;
        }
        self.members(zone).nth(place as usize - 1).unwrap_or(NONE)
    }
}

/// Iterates over a zone.
pub struct ZoneMembers<'a> {
    state: &'a State,
    at: i32,
}

impl Iterator for ZoneMembers<'_> {
    type Item = i32;

    #[inline]
    fn next(&mut self) -> Option<i32> {
        if self.at < 0 {
            return None;
        }
        let component = self.at;
        self.at = self.state.next(component);
        Some(component)
    }
}

impl State {
    /// Returns the same arrangement with other components: where component c lies here, `names[c]` lies there. Zones,
    /// faces and places stay the same; `names` is a permutation.
    pub fn renamed(&self, names: &[i32]) -> State {
        let name = |component: i32| names.at(component).copied().unwrap_or(component);
        let mut other = self.clone();
        for zone in 0..self.layout.zones as i32 {
            other.set_zone_word(zone, FIRST, name(self.zone_first(zone)));
            other.set_zone_word(zone, LAST, name(self.zone_last(zone)));
        }
        for component in 0..self.layout.components as i32 {
            for word in 0..self.layout.row {
                let value = self.row(component, word);
                let is_link = word == NEXT || word == PREVIOUS;
                let value = if is_link { name(value) } else { value };
                other.set_row(name(component), word, value);
            }
        }
        other
    }
}
