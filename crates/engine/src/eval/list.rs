//! Evaluates a key or a condition for the members of a list.

use super::set::settle;
use super::{Eval, IterationStop, ValueList};
use crate::fault::Halt;
use wyrmgate_program::{ExprId, Fold, SetId, Temp};

/// Returns the larger or the smaller one of a value and the best before it.
pub(crate) fn further(best: Option<i32>, value: i32, most: bool) -> i32 {
    match best {
        None => value,
        Some(other) if most => other.max(value),
        Some(other) => other.min(value),
    }
}

impl Eval<'_> {
    #[inline(never)]
    pub(super) fn some(&mut self, of: SetId, temp: Temp, condition: ExprId) -> Result<i32, Halt> {
        Ok(i32::from(self.any(of, temp, condition, true)?))
    }

    #[inline(never)]
    pub(super) fn every(&mut self, of: SetId, temp: Temp, condition: ExprId) -> Result<i32, Halt> {
        Ok(i32::from(!self.any(of, temp, condition, false)?))
    }

    /// Returns whether the condition has the value `wanted` for any member.
    #[inline]
    fn any(
        &mut self,
        of: SetId,
        temp: Temp,
        condition: ExprId,
        wanted: bool,
    ) -> Result<bool, Halt> {
        let mut found = false;
        settle(self.walk(of, |eval, member| {
            eval.set_temp(temp, member);
            found = eval.truth(condition)? == wanted;
            if found {
                Err(IterationStop::Enough)
            } else {
                Ok(())
            }
        }))?;
        Ok(found)
    }

    #[inline(never)]
    pub(super) fn extreme_or_0(
        &mut self,
        of: SetId,
        temp: Temp,
        key: ExprId,
        most: bool,
    ) -> Result<i32, Halt> {
        Ok(self.extreme(of, temp, key, most)?.unwrap_or(0))
    }

    #[inline(never)]
    pub(super) fn sum(
        &mut self,
        id: ExprId,
        of: SetId,
        temp: Temp,
        key: ExprId,
    ) -> Result<i32, Halt> {
        let mut sum = 0i32;
        settle(self.walk(of, |eval, member| {
            eval.set_temp(temp, member);
            let value = eval.value(key)?;
            sum = eval.fits(id, sum.checked_add(value))?;
            Ok(())
        }))?;
        Ok(sum)
    }

    pub(super) fn extreme(
        &mut self,
        of: SetId,
        temp: Temp,
        key: ExprId,
        most: bool,
    ) -> Result<Option<i32>, Halt> {
        let mut extreme: Option<i32> = None;
        settle(self.walk(of, |eval, member| {
            eval.set_temp(temp, member);
            let value = eval.value(key)?;
            extreme = Some(further(extreme, value, most));
            Ok(())
        }))?;
        Ok(extreme)
    }

    #[inline(never)]
    pub(super) fn distinct(&mut self, of: SetId, temp: Temp, key: ExprId) -> Result<i32, Halt> {
        let mut seen = ValueList::new();
        settle(self.walk(of, |eval, member| {
            eval.set_temp(temp, member);
            let value = eval.value(key)?;
            if !seen.contains(&value) {
                seen.push(value);
            }
            Ok(())
        }))?;
        Ok(seen.len() as i32)
    }

    #[inline(never)]
    pub(super) fn fold(
        &mut self,
        id: ExprId,
        fold: Fold,
        of: SetId,
        temp: Temp,
        key: ExprId,
    ) -> Result<i32, Halt> {
        let mut numbers = ValueList::new();
        settle(self.walk(of, |eval, member| {
            eval.set_temp(temp, member);
            numbers.push(eval.value(key)?);
            Ok(())
        }))?;
        let value = fold.of(&mut numbers);
        self.fits(id, value)
    }
}
