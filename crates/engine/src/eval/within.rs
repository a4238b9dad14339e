//! `within`: everything that can be reached in n steps, by breadth-first search.

use super::Eval;
use super::reached::ReachedMembers;
use super::set::{Each, Walk, settle};
use wyrmgate_program::WithinSearch;

impl<'a> Eval<'a> {
    pub(super) fn each_within(&mut self, search: WithinSearch, visit: Each<'_, 'a>) -> Walk {
        let steps = self.value(search.steps)?;
        if steps < 0 {
            return Ok(());
        }
        let mut reached = self.scratch.searches.pop().unwrap_or_default();
        let walk = self.search(search, steps, &mut reached, visit);
        reached.clear();
        self.scratch.searches.push(reached);
        walk
    }

    /// Visits each member before the search continues from it, so that who has seen enough ends the search, too.
    fn search(
        &mut self,
        search: WithinSearch,
        steps: i32,
        reached: &mut ReachedMembers,
        visit: Each<'_, 'a>,
    ) -> Walk {
        settle(self.walk(search.from, |_, member| {
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
            self.set_temp(search.temp, member);
            settle(self.walk(search.next, |_, neighbor| {
                reached.add(neighbor);
                Ok(())
            }))?;
        }
        Ok(())
    }
}
