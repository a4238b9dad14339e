//! The linked lists of components in zones: removal, insertion, reordering.

use crate::layout::{
    CELL, COUNT, FACE_DOWN, FIRST, FLAGS, LAST, NEXT, PREVIOUS, ROTATION, ZONE, ZONE_WORDS, header,
};
use crate::state::State;
use wyrmgate_program::NONE;

/// Words of a row that every component has.
const ROW: usize = FLAGS + 1;

impl State {
    /// Returns where the words of a zone begin.
    #[inline(always)]
    pub fn zone_at(&self, zone: i32) -> Option<usize> {
        let zone = zone as u32 as usize;
        (zone < self.layout.zones).then_some(header::LEN + zone * ZONE_WORDS)
    }

    /// Returns where the row of a component begins.
    #[inline(always)]
    pub fn row_at(&self, component: i32) -> Option<usize> {
        let component = component as u32 as usize;
        let at = self.layout.components_at + component * self.layout.row;
        (component < self.layout.components).then_some(at)
    }

    /// Returns the words that every component has, from where its row begins.
    #[inline(always)]
    fn links(&mut self, at: usize) -> Option<&mut [i32; ROW]> {
        self.words.get_mut(at..)?.first_chunk_mut()
    }

    /// Sets the successor of a component or, for NONE, the first component of a zone.
    #[inline(always)]
    fn set_next(&mut self, component: i32, zone: Option<usize>, next: i32) {
        let at = match component {
            0.. => self.row_at(component).map(|at| at + NEXT),
            _ => zone.map(|at| at + FIRST),
        };
        if let Some(word) = at.and_then(|at| self.words.get_mut(at)) {
            *word = next;
        }
    }

    /// Sets the predecessor of a component or, for NONE, the last component of a zone.
    #[inline(always)]
    fn set_previous(&mut self, component: i32, zone: Option<usize>, previous: i32) {
        let at = match component {
            0.. => self.row_at(component).map(|at| at + PREVIOUS),
            _ => zone.map(|at| at + LAST),
        };
        if let Some(word) = at.and_then(|at| self.words.get_mut(at)) {
            *word = previous;
        }
    }

    #[inline(always)]
    fn count_by(&mut self, zone: Option<usize>, by: i32) {
        if let Some(count) = zone.and_then(|at| self.words.get_mut(at + COUNT)) {
            *count = count.wrapping_add(by);
        }
    }

    /// Removes a component from its zone; the caller must insert it somewhere at once.
    pub fn remove(&mut self, component: i32) {
        self.changes.places += 1;
        self.changes.grids += u64::from(self.cell_of(component) >= 0);
        let at = self.row_at(component);
        let Some(links) = at.and_then(|at| self.links(at)) else {
            return;
        };
        let [zone, after, before, _] = *links;
        links[ZONE] = NONE;
        let zone = self.zone_at(zone);
        self.set_next(before, zone, after);
        self.set_previous(after, zone, before);
        self.count_by(zone, -1);
    }

    /// Inserts a component that lies nowhere into a zone, before another one; last for NONE.
    #[inline]
    pub fn insert(&mut self, component: i32, zone: i32, before: i32) {
        let flags = self.flags(component);
        self.link(component, zone, before, flags);
    }

    /// Inserts a component that lies nowhere into a zone, with new flags and off any grid.
    #[inline]
    pub fn lay(&mut self, component: i32, zone: i32, before: i32, flags: i32) {
        self.link(component, zone, before, flags);
        if let Some(at) = self.row_at(component).filter(|_| self.layout.has_cells()) {
            self.set_head(at + CELL, NONE);
            self.set_head(at + ROTATION, 0);
        }
    }

    #[inline(always)]
    fn link(&mut self, component: i32, zone: i32, before: i32, flags: i32) {
        self.changes.places += 1;
        let previous = match before {
            0.. => self.previous(before),
            _ => self.zone_last(zone),
        };
        let at = self.row_at(component);
        if let Some(links) = at.and_then(|at| self.links(at)) {
            *links = [zone, before, previous, flags];
        }
        let zone = self.zone_at(zone);
        self.set_next(previous, zone, component);
        self.set_previous(before, zone, component);
        self.count_by(zone, 1);
    }

    /// Links the components of a zone in this order; they must be exactly its members.
    pub fn reorder(&mut self, zone: i32, order: &[i32]) {
        self.changes.places += 1;
        // Free places are listed in the order of what lies beside them.
        self.changes.grids += 1;
        let zone = self.zone_at(zone);
        let mut previous = NONE;
        for &component in order {
            self.set_next(previous, zone, component);
            self.set_previous(component, zone, previous);
            previous = component;
        }
        if previous >= 0 {
            self.set_next(previous, zone, NONE);
            self.set_previous(NONE, zone, previous);
        }
    }

    /// Links the components of a zone in a new order, in which nobody knows them any more; they must be exactly its members.
    pub fn lay_shuffled(&mut self, zone: i32, order: &[i32]) {
        self.changes.places += 1;
        self.changes.grids += 1;
        let mut previous = NONE;
        let next = order.iter().skip(1).copied().chain([NONE]);
        for (&component, next) in order.iter().zip(next) {
            let at = self.row_at(component);
            if let Some(links) = at.and_then(|at| self.links(at)) {
                let [zone, _, _, flags] = *links;
                // A seat that was shown the component loses track of it.
                *links = [zone, next, previous, flags.max(0) & FACE_DOWN];
            }
            previous = component;
        }
        let first = order.first().copied().unwrap_or(NONE);
        self.set_zone_word(zone, FIRST, first);
        self.set_zone_word(zone, LAST, previous);
    }

    /// Moves `count` components from the end of a zone to the end of another one, the last one first. There are as many,
    /// and no grid.
    pub fn deal(&mut self, count: i32, from: i32, to: i32, flags: i32) {
        self.changes.places += 1;
        let (mut last, mut next) = (self.zone_last(to), self.zone_last(from));
        for _ in 0..count {
            let Some(links) = self.row_at(next).and_then(|at| self.links(at)) else {
                break;
            };
            let left = links[PREVIOUS];
            *links = [to, NONE, last, flags];
            let zone = self.zone_at(to);
            self.set_next(last, zone, next);
            (last, next) = (next, left);
        }
        let (old, new) = (self.zone_at(from), self.zone_at(to));
        self.set_previous(NONE, new, last);
        self.set_previous(NONE, old, next);
        self.set_next(next, old, NONE);
        self.count_by(old, -count.max(0));
        self.count_by(new, count.max(0));
    }
}
