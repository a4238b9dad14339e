//! Joins rows: a list that is constant for each of a few things, and the union of the rows of its members.

use super::build::Masks;
use super::facts::Facts;
use super::tree::{get, get_set};
use wyrmgate_program::*;

/// The maximum number of rows.
const ROWS_MAX: usize = 2_048;

impl Masks<'_> {
    /// `some s in arrows(c) has …` with a row for each side becomes one row for each component: the union over its
    /// arrows.
    pub(super) fn joined(
        &mut self,
        test: MemberTest,
        each: MaskId,
        domain: Domain,
    ) -> Option<MaskId> {
        let Mask::ThroughBy(by) = self.program.masks.get(each as usize)?.mask else {
            return None;
        };
        let Set::Keyed(keyed) = get_set(self.program, test.of) else {
            return None;
        };
        let of = by.of;
        let mut facts = Facts::default();
        facts.of_mask(self.program, of);
        if get(self.program, by.index) != Expr::Temp(test.temp) || facts.asks(test.temp) {
            return None;
        }
        let others = self.program.masks.get(of as usize)?.domain.len;
        let lists = self.program.tables.get(keyed.starts as usize)?.len();
        let lists = lists.checked_sub(1)?;
        if (lists + 2) * usize::from(others) > ROWS_MAX {
            return None;
        }
        let row_of = |member: &i32| {
            let number = member.saturating_sub(by.low).max(0) as u32;
            number.min(by.count.saturating_sub(1)) * u32::from(others)
        };
        let joined = (0..lists as i32).flat_map(|list| {
            let members = self.program.listed(keyed.starts, keyed.members, list);
            let numbers: Vec<u32> = members.iter().map(row_of).collect();
            self.union_of_rows(by.rows, &numbers, others)
        });
        // Before the first list and after the last there is nothing.
        let nothing = || std::iter::repeat_n(0, usize::from(others));
        let joined: Vec<Bits> = nothing().chain(joined).chain(nothing()).collect();
        let through = Mask::ThroughBy(RowsByIndex {
            rows: self.rows(joined),
            low: keyed.low.checked_sub(1)?,
            count: lists as u32 + 2,
            index: self.once(keyed.value),
            of,
        });
        Some(self.mask(domain, through))
    }

    /// Returns, for each of the others, the union of its rows with these numbers.
    fn union_of_rows(&self, rows: BitsId, numbers: &[u32], others: u16) -> Vec<Bits> {
        let of_other = |other: u32| {
            let of_number = |number: &u32| {
                let at = (rows + number + other) as usize;
                self.program.bits.get(at).copied().unwrap_or_default()
            };
            numbers.iter().map(of_number).fold(0, |all, row| all | row)
        };
        (0..u32::from(others)).map(of_other).collect()
    }
}
