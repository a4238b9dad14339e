//! Conditions with quantifiers over other lists.

use super::build::{Masks, Member};
use super::tree::set_depends;
use wyrmgate_program::pure::{self, Known};
use wyrmgate_program::*;

impl Masks<'_> {
    /// Compiles whether some member of a list fulfills a condition, or `every` one.
    pub(super) fn quantified(
        &mut self,
        test: MemberTest,
        every: bool,
        it: Member,
    ) -> Option<MaskId> {
        let (of, temp) = (test.of, test.temp);
        if set_depends(self.program, of, it.temp) {
            return None;
        }
        let members = pure::list(self.program, of, &mut Known::default());
        let ends = match &members {
            Some(members) => {
                let members = members.iter().copied();
                members.clone().min().zip(members.max())
            }
            None => range_of_members(self.program, of, &self.ranges),
        };
        if let Some((low, high)) = ends {
            self.ranges.push((temp, low, high));
        }
        let each = self.condition(test.condition, it);
        if ends.is_some() {
            self.ranges.pop();
        }
        let joined = each.filter(|_| !every);
        let joined = joined.and_then(|each| self.joined(test, each, it.domain));
        if joined.is_some() {
            return joined;
        }
        let over = Mask::Over(MaskOver {
            of,
            temp,
            each: each?,
            every,
        });
        let mask = self.mask(it.domain, over);
        Some(self.kept(mask))
    }
}
