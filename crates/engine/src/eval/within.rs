//! `within`: everything that can be reached in n steps, by breadth-first search.

use std::collections::BTreeSet;

use super::Eval;
use super::set::{Each, Walk, settle};
use wyrmgate_program::{ExprId, SetId, Temp};

/// Smaller values (components, zones, seats) are marked in a flat set of bits, others (places of grids) in a tree.
const FLAT_MAX: usize = 4_096;

const BITS: usize = u64::BITS as usize;

/// Room of a search from the beginning, so that few have to grow.
const ROOM: usize = 256;

/// Everything that a search has reached, in the order in which it was found.
pub(super) struct Reached {
    order: Vec<i32>,
    near: Vec<u64>,
    far: BTreeSet<i32>,
}

impl Default for Reached {
    fn default() -> Reached {
        Reached {
            order: Vec::with_capacity(ROOM),
            near: vec![0; FLAT_MAX / BITS],
            far: BTreeSet::new(),
        }
    }
}

impl Reached {
    /// Adds a value unless it is `none` or was reached before.
    fn add(&mut self, value: i32) {
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

    fn clear(&mut self) {
        self.order.clear();
        self.near.fill(0);
        self.far.clear();
    }
}

impl<'a> Eval<'a> {
    /// `next`: the temp of a member, and the list of the members one step from it.
    pub(super) fn each_within(
        &mut self,
        from: SetId,
        steps: ExprId,
        next: (Temp, SetId),
        visit: Each<'_, 'a>,
    ) -> Walk {
        let steps = self.value(steps)?;
        if steps < 0 {
            return Ok(());
        }
        let mut reached = self.scratch.searches.pop().unwrap_or_default();
        let walk = self.search(from, steps, next, &mut reached, visit);
        reached.clear();
        self.scratch.searches.push(reached);
        walk
    }

    /// Visits each member before the search continues from it, so that who has seen enough ends the search, too.
    fn search(
        &mut self,
        from: SetId,
        steps: i32,
        (temp, next): (Temp, SetId),
        reached: &mut Reached,
        visit: Each<'_, 'a>,
    ) -> Walk {
        settle(self.walk(from, |_, member| {
            reached.add(member);
            Ok(())
        }))?;
        let (mut at, mut layer, mut left) = (0, reached.order.len(), steps);
        while let Some(&member) = reached.order.get(at) {
            if at == layer {
                left -= 1;
                layer = reached.order.len();
            }
            at += 1;
            self.scratch.spend()?;
            visit(self, member)?;
            if left == 0 {
                continue;
            }
            self.set_temp(temp, member);
            settle(self.walk(next, |_, neighbor| {
                reached.add(neighbor);
                Ok(())
            }))?;
        }
        Ok(())
    }
}
