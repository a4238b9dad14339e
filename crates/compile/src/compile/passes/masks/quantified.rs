//! Conditions with quantifiers over other lists.

use super::build::{Masks, span};
use super::inline::Put;
use super::rewrite::rewrite;
use super::tree::{add, depends, set_depends};
use wyrmgate_program::pure::{self, Known};
use wyrmgate_program::*;

/// The maximum length of lists that are unrolled if nothing else helps.
const WRITTEN_OUT_MAX: usize = 8;

impl Masks<'_> {
    pub(super) fn quantified(
        &mut self,
        of: SetId,
        temp: Temp,
        condition: ExprId,
        every: bool,
        it: Temp,
        domain: Domain,
    ) -> Option<MaskId> {
        if set_depends(self.program, of, it) {
            return self.related(of, temp, condition, every, it, domain);
        }
        let members = pure::list(self.program, of, &mut Known::default());
        if let (Some(members), false) = (&members, every)
            && let Some(mask) = self.belonging(members, (temp, condition), it, domain)
        {
            return Some(mask);
        }
        let ends = match &members {
            Some(members) => members
                .iter()
                .min()
                .copied()
                .zip(members.iter().max().copied()),
            None => range_of_members(self.program, of, &self.ranges),
        };
        if let Some((low, high)) = ends {
            self.ranges.push((temp, low, high));
        }
        let each = self.condition(condition, it, domain);
        if ends.is_some() {
            self.ranges.pop();
        }
        if let Some(joined) = each.and_then(|each| self.joined(of, temp, each, every, domain)) {
            return Some(joined);
        }
        let run = members.as_ref().zip(each);
        if let Some(tops) =
            run.and_then(|(members, each)| self.over_tops(members, temp, each, every, domain))
        {
            return Some(tops);
        }
        if let Some(each) = each {
            let over = Mask::Over {
                of,
                temp,
                each,
                every,
            };
            let mask = self.mask(domain, over);
            return Some(self.kept(mask));
        }
        let members = members.filter(|members| members.len() <= WRITTEN_OUT_MAX)?;
        self.written_out(&members, (temp, condition), every, (it, domain))
    }

    /// Compiles the condition for one member of a constant list after the other.
    fn written_out(
        &mut self,
        members: &[i32],
        (temp, condition): (Temp, ExprId),
        every: bool,
        (it, domain): (Temp, Domain),
    ) -> Option<MaskId> {
        let mut all = self.constant(domain, if every { Bits::MAX } else { 0 });
        for member in members {
            let value = add(self.program, Expr::Const(*member));
            let mut put = Put { temp, value };
            let condition = rewrite(self.program, condition, &mut put);
            let each = self.condition(condition, it, domain)?;
            all = if every {
                self.both(domain, all, each)
            } else {
                self.either(domain, all, each)
            };
        }
        Some(all)
    }

    /// Compiles the condition that some or every one of the others that belong to the member fulfills a condition that
    /// does not depend on it.
    fn related(
        &mut self,
        of: SetId,
        temp: Temp,
        condition: ExprId,
        every: bool,
        it: Temp,
        domain: Domain,
    ) -> Option<MaskId> {
        if depends(self.program, condition, it) {
            return None;
        }
        let members = (0..i32::from(domain.len)).map(|bit| domain.first + bit);
        let lists: Option<Vec<Vec<i32>>> = members
            .map(|member| pure::list(self.program, of, &mut Known::of(it, member)))
            .collect();
        let lists = lists?;
        let others: Vec<i32> = lists.iter().flatten().copied().collect();
        if others.iter().any(|other| *other < 0) {
            return None;
        }
        let there = span(&others)?;
        let rows = lists
            .iter()
            .map(|list| list.iter().fold(0, |row, other| row | there.bit(*other)));
        let rows = rows.collect();
        let of = self.condition(condition, temp, there)?;
        let rows = self.rows(rows);
        let mask = self.mask(domain, Mask::Related { rows, of, every });
        Some(self.kept(mask))
    }
}
