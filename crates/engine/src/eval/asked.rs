//! Questions about lists: their length, members and places.

use super::Eval;
use super::set::{IterationStop, settle};
use crate::fault::Halt;
use wyrmgate_program::{ExprId, ListUpTo, Set, SetId, SortedList, count_of};

impl<'a> Eval<'a> {
    #[inline(never)]
    pub fn count(&mut self, set: SetId) -> Result<i32, Halt> {
        match self.program.sets.get(set as usize) {
            Some(&Set::Zone(zone)) => Ok(self.state.zone_count(self.value(zone)?)),
            Some(&Set::Local(local)) => Ok(self.frame_list(local).len() as i32),
            Some(&Set::Temp(temp)) => Ok(self.temp(temp.saturating_add(1)).max(0)),
            Some(&Set::Bits(mask)) => Ok(count_of(self.members_of(mask)?.1) as i32),
            Some(&Set::Range(low, high)) => {
                let (low, high) = (self.value(low)?, self.value(high)?);
                Ok(high.saturating_sub(low).saturating_add(1).max(0))
            }
            _ => {
                let mut count = 0;
                settle(self.walk(set, |_, _| {
                    count += 1;
                    Ok(())
                }))?;
                Ok(count)
            }
        }
    }

    #[inline(never)]
    pub(super) fn none_in(&mut self, set: SetId) -> Result<i32, Halt> {
        Ok(i32::from(self.is_empty(set)?))
    }

    #[inline(never)]
    pub(super) fn holds(&mut self, set: SetId, of: ExprId) -> Result<i32, Halt> {
        let value = self.value(of)?;
        Ok(i32::from(self.contains(set, value)?))
    }

    pub fn is_empty(&mut self, set: SetId) -> Result<bool, Halt> {
        Ok(!self.finds(set, |_, _| Ok(true))?)
    }

    /// Returns whether a member passes a test. The members after it are not tested.
    // A function of its own, so that the frame of [`Eval::contains`], which recursion repeats, stays small.
    #[inline(never)]
    pub(super) fn finds(
        &mut self,
        set: SetId,
        mut test: impl FnMut(&mut Eval<'a>, i32) -> Result<bool, Halt>,
    ) -> Result<bool, Halt> {
        let mut found = false;
        settle(self.walk(set, |eval, member| {
            found = test(eval, member)?;
            if found {
                Err(IterationStop::Enough)
            } else {
                Ok(())
            }
        }))?;
        Ok(found)
    }

    /// Tests membership, without iteration if the list allows it.
    pub fn contains(&mut self, set: SetId, value: i32) -> Result<bool, Halt> {
        self.scratch.spend()?;
        let program = self.program;
        match program.sets.get(set as usize) {
            None | Some(Set::Empty) => Ok(false),
            Some(&Set::Zone(zone)) => {
                let zone = self.value(zone)?;
                Ok(zone >= 0 && self.state.zone_of(value) == zone)
            }
            Some(&Set::Range(low, high)) => {
                Ok(self.value(low)? <= value && value <= self.value(high)?)
            }
            Some(Set::Table(table)) => {
                let table = program.tables.get(*table as usize);
                Ok(table.is_some_and(|table| table.contains(&value)))
            }
            Some(&Set::Where(test)) => {
                if !self.contains(test.of, value)? {
                    return Ok(false);
                }
                self.set_temp(test.temp, value);
                self.truth(test.condition)
            }
            Some(&Set::Concat(one, other)) => {
                Ok(self.contains(one, value)? || self.contains(other, value)?)
            }
            Some(&Set::Minus(of, without)) => {
                Ok(self.contains(of, value)? && !self.contains(without, value)?)
            }
            // A value that is not in the whole list is not in its beginning either.
            Some(&Set::UpTo(ListUpTo { of, .. })) => {
                Ok(self.contains(of, value)? && self.contains_walking(set, value)?)
            }
            Some(&Set::Joined { of, temp, list }) => self.finds(of, |eval, member| {
                eval.set_temp(temp, member);
                eval.contains(list, value)
            }),
            Some(&Set::If(condition, then, otherwise)) => match self.truth(condition)? {
                true => self.contains(then, value),
                false => self.contains(otherwise, value),
            },
            Some(&Set::Keyed(list)) => Ok(self.keyed(list)?.contains(&value)),
            Some(&Set::Bits(mask)) => self.has_bit(mask, value),
            Some(&Set::Call { query, args }) => self.call_contains(query, args, None, value),
            Some(
                &(Set::Sorted(SortedList { of, .. })
                | Set::Reversed(of)
                | Set::Unique(of)
                | Set::PhysicalOrder(of)),
            ) => self.contains(of, value),
            Some(_) => self.contains_walking(set, value),
        }
    }

    fn contains_walking(&mut self, set: SetId, value: i32) -> Result<bool, Halt> {
        self.finds(set, |_, member| Ok(member == value))
    }

    #[inline(never)]
    pub(super) fn first(&mut self, set: SetId, default: i32) -> Result<i32, Halt> {
        let mut first = default;
        settle(self.walk(set, |_, member| {
            first = member;
            Err(IterationStop::Enough)
        }))?;
        Ok(first)
    }

    #[inline(never)]
    pub(super) fn last(&mut self, set: SetId, default: i32) -> Result<i32, Halt> {
        if let Some(&Set::Zone(zone)) = self.program.sets.get(set as usize) {
            return Ok(self.state.zone_last(self.value(zone)?));
        }
        let mut last = default;
        settle(self.walk(set, |_, member| {
            last = member;
            Ok(())
        }))?;
        Ok(last)
    }

    #[inline(never)]
    pub(super) fn nth(&mut self, set: SetId, place: ExprId, default: i32) -> Result<i32, Halt> {
        let place = self.value(place)?;
        let mut left = place;
        let mut nth = default;
        if left < 1 {
            return Ok(default);
        }
        settle(self.walk(set, |_, member| {
            left -= 1;
            if left > 0 {
                return Ok(());
            }
            nth = member;
            Err(IterationStop::Enough)
        }))?;
        Ok(nth)
    }

    #[inline(never)]
    pub(super) fn index_of(&mut self, set: SetId, of: ExprId) -> Result<i32, Halt> {
        let value = self.value(of)?;
        if let Some(&Set::Range(low, high)) = self.program.sets.get(set as usize) {
            let (low, high) = (self.value(low)?, self.value(high)?);
            let inside = low <= value && value <= high;
            return Ok(if inside {
                value.saturating_sub(low).saturating_add(1)
            } else {
                0
            });
        }
        let mut place = 0;
        let mut found = 0;
        settle(self.walk(set, |_, member| {
            place += 1;
            if member != value {
                return Ok(());
            }
            found = place;
            Err(IterationStop::Enough)
        }))?;
        Ok(found)
    }
}
