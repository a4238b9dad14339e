//! Rows that stand for several: the values of the last two names are listed if they do not depend on earlier names.
//!
//! Everything but the recording treats such a row as one row for each value of the name before the last one, as the
//! interpreter records them.

use crate::driver::menu::RowMembers;
use crate::memory::row::{ChoiceRow, LISTED, PAIRS};

impl ChoiceRow {
    /// Returns how many rows it stands for.
    pub fn times(&self) -> u64 {
        match self.form {
            PAIRS => u64::from(self.times).max(1),
            _ => 1,
        }
    }

    /// Returns the rows for which it stands. There are this many choices before it.
    pub fn singles(self, before: u64, members: RowMembers<'_>) -> impl Iterator<Item = ChoiceRow> {
        (0..self.times()).map_while(move |number| self.single(number, before, members))
    }

    /// Returns one of the rows for which it stands.
    pub fn single(&self, number: u64, before: u64, members: RowMembers<'_>) -> Option<ChoiceRow> {
        let mut single = *self;
        if self.form == PAIRS {
            let place = single.names.get_mut(self.first as usize)?;
            *place = members.listed_at(self.high, number)?;
            single.form = LISTED;
            single.end = before + (self.end - before) / self.times() * (number + 1);
        }
        Some(single)
    }
}

impl RowMembers<'_> {
    /// Returns a member of the list at this address, by its number.
    pub fn listed_at(&self, address: u64, number: u64) -> Option<i32> {
        let first = address.checked_sub(self.listed.as_ptr() as u64)? / size_of::<i32>() as u64;
        self.listed.get((first + number) as usize).copied()
    }
}
