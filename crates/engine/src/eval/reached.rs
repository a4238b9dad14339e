//! What a search has reached, and the memory for the next search.

use std::collections::BTreeSet;

/// Smaller values (components, zones, seats) are marked in a flat set of bits, others (places of grids) in a tree.
const FLAT_MAX: usize = 4_096;

const BITS: usize = u64::BITS as usize;

/// Room of a search from the beginning, so that few have to grow.
const ROOM: usize = 256;

/// Everything that a search has reached, in the order in which it was found.
pub(super) struct ReachedMembers {
    pub order: Vec<i32>,
    near: Vec<u64>,
    far: BTreeSet<i32>,
}

impl Default for ReachedMembers {
    fn default() -> ReachedMembers {
        ReachedMembers {
            order: Vec::with_capacity(ROOM),
            near: vec![0; FLAT_MAX / BITS],
            far: BTreeSet::new(),
        }
    }
}

impl ReachedMembers {
    /// Adds a value unless it is `none` or was reached before.
    pub fn add(&mut self, value: i32) {
        if value >= 0 && self.is_new(value) {
            self.order.push(value);
        }
    }

    fn is_new(&mut self, value: i32) -> bool {
        let Some(at) = usize::try_from(value).ok().filter(|at| *at < FLAT_MAX) else {
            return self.far.insert(value);
        };
        let Some(word) = self.near.get_mut(at / BITS) else {
            return false;
        };
        let bit = 1 << (at % BITS);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    pub fn clear(&mut self) {
        self.order.clear();
        self.near.fill(0);
        self.far.clear();
    }
}
