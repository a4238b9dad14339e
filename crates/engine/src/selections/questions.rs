//! Questions about all selections of several members.

use super::WantedSelection;
use super::sizes::{MemberOrder, Sizes};
use crate::eval::{Eval, IterationStop, further, settle};
use crate::fault::Halt;
use wyrmgate_program::{Chosen, ExprId, SelectionsAsked};

impl Eval<'_> {
    /// Evaluates the key for each selection of `least` to `most` members that fulfills the condition.
    #[inline(never)]
    pub(crate) fn of_selections(
        &mut self,
        id: ExprId,
        asked: &SelectionsAsked,
    ) -> Result<i32, Halt> {
        let (what, condition, key) = (asked.what, asked.condition, asked.key);
        let members = self.gather(asked.of)?;
        let (least, most) = (self.value(asked.least)?, self.value(asked.most)?);
        let sizes = Sizes::between(least, most, MemberOrder::Subset, members.len());
        let (one, both) = ([condition], [condition, key]);
        let tests: &[ExprId] = match what {
            Chosen::Any => &both,
            Chosen::Count | Chosen::Sum | Chosen::Max | Chosen::Min | Chosen::All => &one,
        };
        let wanted = WantedSelection {
            list: asked.temp,
            tests,
            members: &members,
            sizes,
            alike: None,
        };
        match what {
            Chosen::Count => self.count_selections(id, wanted),
            Chosen::Any => self.any_selection(wanted),
            Chosen::Sum => self.sum_selections(id, wanted, key),
            Chosen::Max | Chosen::Min => self.extreme_selection(wanted, key, what == Chosen::Max),
            Chosen::All => self.all_selections(wanted, key),
        }
    }

    fn count_selections(&mut self, id: ExprId, wanted: WantedSelection<'_>) -> Result<i32, Halt> {
        let count = match self.count_of_selections(wanted)? {
            Ok(count) => count,
            Err(searched) => {
                let mut count = 0u64;
                settle(self.each_selection(wanted, searched, &mut |_, _| {
                    count += 1;
                    Ok(())
                }))?;
                count
            }
        };
        self.fits(id, i32::try_from(count).ok())
    }

    fn any_selection(&mut self, wanted: WantedSelection<'_>) -> Result<i32, Halt> {
        let mut any = false;
        let searched = self.searched(wanted)?;
        settle(self.each_selection(wanted, searched, &mut |_, _| {
            any = true;
            Err(IterationStop::Enough)
        }))?;
        Ok(i32::from(any))
    }

    fn all_selections(&mut self, wanted: WantedSelection<'_>, key: ExprId) -> Result<i32, Halt> {
        let mut all = true;
        let searched = self.searched(wanted)?;
        settle(self.each_selection(wanted, searched, &mut |eval, _| {
            all = eval.truth(key)?;
            if all {
                Ok(())
            } else {
                Err(IterationStop::Enough)
            }
        }))?;
        Ok(i32::from(all))
    }

    fn sum_selections(
        &mut self,
        id: ExprId,
        wanted: WantedSelection<'_>,
        key: ExprId,
    ) -> Result<i32, Halt> {
        let mut sum = 0i32;
        let searched = self.searched(wanted)?;
        settle(self.each_selection(wanted, searched, &mut |eval, _| {
            let value = eval.value(key)?;
            sum = eval.fits(id, sum.checked_add(value))?;
            Ok(())
        }))?;
        Ok(sum)
    }

    fn extreme_selection(
        &mut self,
        wanted: WantedSelection<'_>,
        key: ExprId,
        most: bool,
    ) -> Result<i32, Halt> {
        let mut extreme: Option<i32> = None;
        let searched = self.searched(wanted)?;
        settle(self.each_selection(wanted, searched, &mut |eval, _| {
            let value = eval.value(key)?;
            extreme = Some(further(extreme, value, most));
            Ok(())
        }))?;
        Ok(extreme.unwrap_or(0))
    }
}
