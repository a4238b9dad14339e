//! Evaluates a key or a condition for the members of a list.

use super::set::settle;
use super::{Eval, ValueList};
use crate::fault::Halt;
use wyrmgate_program::{ExprId, ExtremeKey, FoldedKeys, MemberTest, SetId, Temp};

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
    pub(super) fn some(&mut self, test: MemberTest) -> Result<i32, Halt> {
        Ok(i32::from(self.any(test, true)?))
    }

    #[inline(never)]
    pub(super) fn every(&mut self, test: MemberTest) -> Result<i32, Halt> {
        Ok(i32::from(!self.any(test, false)?))
    }

    /// Returns whether the condition has the value `wanted` for any member.
    #[inline]
    fn any(&mut self, test: MemberTest, wanted: bool) -> Result<bool, Halt> {
        self.finds(test.of, |eval, member| {
            eval.set_temp(test.temp, member);
            Ok(eval.truth(test.condition)? == wanted)
        })
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

    /// Returns the keys of all members, in their order.
    #[inline]
    fn keys(&mut self, of: SetId, temp: Temp, key: ExprId) -> Result<ValueList, Halt> {
        let mut keys = ValueList::new();
        settle(self.walk(of, |eval, member| {
            eval.set_temp(temp, member);
            keys.push(eval.value(key)?);
            Ok(())
        }))?;
        Ok(keys)
    }

    /// Returns the extreme key; 0 for no members.
    #[inline(never)]
    pub(super) fn extreme(&mut self, by: ExtremeKey) -> Result<i32, Halt> {
        let keys = self.keys(by.of, by.temp, by.key)?.into_iter();
        let extreme = if by.most { keys.max() } else { keys.min() };
        Ok(extreme.unwrap_or(0))
    }

    #[inline(never)]
    pub(super) fn distinct(&mut self, of: SetId, temp: Temp, key: ExprId) -> Result<i32, Halt> {
        let mut keys = self.keys(of, temp, key)?;
        keys.sort_unstable();
        keys.dedup();
        Ok(keys.len() as i32)
    }

    #[inline(never)]
    pub(super) fn fold(&mut self, id: ExprId, keys: FoldedKeys) -> Result<i32, Halt> {
        let value = keys.fold.of(&mut self.keys(keys.of, keys.temp, keys.key)?);
        self.fits(id, value)
    }
}
