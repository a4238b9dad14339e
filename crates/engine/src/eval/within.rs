//! `within`: everything that can be reached in n steps, by breadth-first search.

use super::Eval;
use super::reached::ReachedMembers;
use super::set::{Each, Walk, settle};
use wyrmgate_program::{ExprId, SetId, Temp};

impl<'a> Eval<'a> {
    /// `next`: the list of the members one step from a member in the temp.
    pub(super) fn each_within(
        &mut self,
        from: SetId,
        steps: ExprId,
        temp: Temp,
        next: SetId,
        visit: Each<'_, 'a>,
    ) -> Walk {
        let steps = self.value(steps)?;
        if steps < 0 {
            return Ok(());
        }
        let mut reached = self.scratch.searches.pop().unwrap_or_default();
        let walk = self.search(from, steps, temp, next, &mut reached, visit);
        reached.clear();
        self.scratch.searches.push(reached);
        walk
    }

    /// Visits each member before the search continues from it, so that who has seen enough ends the search, too.
    fn search(
        &mut self,
        from: SetId,
        steps: i32,
        temp: Temp,
        next: SetId,
        reached: &mut ReachedMembers,
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
