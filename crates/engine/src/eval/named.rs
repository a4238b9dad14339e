//! `let` in expressions: a value or a list with a name.

use super::Eval;
use super::set::{Each, Walk};
use crate::fault::Halt;
use wyrmgate_program::{ExprId, SetId, Temp};

impl<'a> Eval<'a> {
    #[inline(never)]
    pub(super) fn with_value(
        &mut self,
        value: ExprId,
        temp: Temp,
        body: ExprId,
    ) -> Result<i32, Halt> {
        let value = self.value(value)?;
        self.set_temp(temp, value);
        self.value(body)
    }

    #[inline(never)]
    pub(super) fn with_list(
        &mut self,
        value: SetId,
        temp: Temp,
        body: ExprId,
    ) -> Result<i32, Halt> {
        let lists = self.name_list(value, temp)?;
        let value = self.value(body)?;
        self.scratch.lists.truncate(lists);
        Ok(value)
    }

    pub(super) fn each_with_list(
        &mut self,
        value: SetId,
        temp: Temp,
        list: SetId,
        visit: Each<'_, 'a>,
    ) -> Walk {
        let lists = self.name_list(value, temp)?;
        let walk = self.each(list, visit);
        self.scratch.lists.truncate(lists);
        walk
    }

    /// Keeps a list, to which two temps refer; returns the length of the scratch list area before.
    pub(super) fn name_list(&mut self, value: SetId, temp: Temp) -> Result<usize, Halt> {
        let members = self.gather(value)?;
        let lists = self.scratch.lists.len();
        let (offset, length) = self.scratch.keep_list(&members);
        self.set_temp(temp, offset);
        self.set_temp(temp.saturating_add(1), length);
        Ok(lists)
    }
}
