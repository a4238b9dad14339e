//! Conditions with quantifiers over other lists.

use super::build::{Masks, Member, bits_of, span};
use super::inline::Replace;
use super::rewrite::{rewrite, rewrite_set};
use super::tree::{add, depends, get_set, set_depends};
use super::{counts, tabled};
use wyrmgate_program::pure::{self, Known};
use wyrmgate_program::*;

/// The maximum length of lists that are unrolled if nothing else helps.
const WRITTEN_OUT_MAX: usize = 8;

/// `some temp in of has condition`, or `every …`.
#[derive(Clone, Copy)]
pub(crate) struct Quantified {
    pub of: SetId,
    pub temp: Temp,
    pub condition: ExprId,
    pub every: bool,
}

impl Quantified {
    pub fn of(expr: Expr) -> Option<Quantified> {
        let (of, temp, condition, every) = match expr {
            Expr::Some {
                of,
                temp,
                condition,
            } => (of, temp, condition, false),
            Expr::Every {
                of,
                temp,
                condition,
            } => (of, temp, condition, true),
            _ => return None,
        };
        Some(Quantified {
            of,
            temp,
            condition,
            every,
        })
    }

    /// Returns the members of a filtered list, as the question whether there are any.
    pub fn of_list(program: &Program, list: SetId) -> Option<Quantified> {
        let Set::Where {
            of,
            temp,
            condition,
        } = get_set(program, list)
        else {
            return None;
        };
        Some(Quantified {
            of,
            temp,
            condition,
            every: false,
        })
    }

    /// Returns what one member must fulfill to decide the result: the condition, or for `every` its opposite.
    pub fn deciding(self, program: &mut Program) -> ExprId {
        match self.every {
            true => add(program, Expr::Not(self.condition)),
            false => self.condition,
        }
    }
}

impl Masks<'_> {
    pub(super) fn quantified(&mut self, quantified: Quantified, it: Member) -> Option<MaskId> {
        let (of, temp, condition) = (quantified.of, quantified.temp, quantified.condition);
        if set_depends(self.program, of, it.temp) {
            return self
                .related(quantified, it)
                .or_else(|| self.related_by(quantified, it));
        }
        let members = pure::list(self.program, of, &mut Known::default());
        if let (Some(members), false) = (&members, quantified.every)
            && let Some(mask) = self.belonging(members, quantified, it)
        {
            return Some(mask);
        }
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
        let each = self.condition(condition, it);
        if ends.is_some() {
            self.ranges.pop();
        }
        let joined = each.and_then(|each| self.joined(quantified, each, it.domain));
        if joined.is_some() {
            return joined;
        }
        if let Some(each) = each {
            let over = Mask::Over {
                of,
                temp,
                each,
                every: quantified.every,
            };
            let mask = self.mask(it.domain, over);
            return Some(self.kept(mask));
        }
        let members = members.filter(|members| members.len() <= WRITTEN_OUT_MAX)?;
        self.written_out(&members, quantified, it)
    }

    /// Compiles the condition for one member of a constant list after the other.
    fn written_out(
        &mut self,
        members: &[i32],
        quantified: Quantified,
        it: Member,
    ) -> Option<MaskId> {
        let every = quantified.every;
        let old = add(self.program, Expr::Temp(quantified.temp));
        let mut all = self.constant(it.domain, if every { Bits::MAX } else { 0 });
        for member in members {
            let new = add(self.program, Expr::Const(*member));
            let mut put = Replace { old, new };
            let condition = rewrite(self.program, quantified.condition, &mut put);
            let each = self.condition(condition, it)?;
            all = if every {
                self.both(it.domain, all, each)
            } else {
                self.either(it.domain, all, each)
            };
        }
        Some(all)
    }

    /// Compiles the condition that some or every one of the others that belong to the member fulfills a condition that
    /// does not depend on it.
    fn related(&mut self, quantified: Quantified, it: Member) -> Option<MaskId> {
        let (of, every) = (quantified.of, quantified.every);
        if depends(self.program, quantified.condition, it.temp) {
            return None;
        }
        let list = |member| pure::list(self.program, of, &mut Known::of(it.temp, member));
        let lists: Vec<Vec<i32>> = it.each().map(list).collect::<Option<_>>()?;
        let others: Vec<i32> = lists.iter().flatten().copied().collect();
        if others.iter().any(|other| *other < 0) {
            return None;
        }
        let there = span(&others)?;
        let rows = lists.iter().map(|list| bits_of(there, list)).collect();
        let other = Member::new(quantified.temp, there);
        let of = self.condition(quantified.condition, other)?;
        let rows = self.rows(rows);
        let mask = self.mask(it.domain, Mask::Related { rows, of, every });
        Some(self.kept(mask))
    }

    /// Compiles the same condition for others that depend also on one or two values from small domains: `every r in h..h + n
    /// has …` for all `h` at once, whatever `n` is.
    fn related_by(&mut self, quantified: Quantified, it: Member) -> Option<MaskId> {
        let (of, every) = (quantified.of, quantified.every);
        if depends(self.program, quantified.condition, it.temp) {
            return None;
        }
        let (others, ranges) = tabled::others_beside(self, of, it.temp)?;
        let mut lists = Vec::new();
        let old = add(self.program, Expr::Temp(it.temp));
        for member in it.each() {
            let new = add(self.program, Expr::Const(member));
            let mut put = Replace { old, new };
            let list = rewrite_set(self.program, of, &mut put);
            lists.push(tabled::combinations(self, list, &others, &ranges)?);
        }
        let there = span(&lists.concat().concat())?;
        let combinations = lists.first()?.len();
        let mut rows = Vec::new();
        for number in 0..combinations {
            let of_number = lists.iter().filter_map(|lists| lists.get(number));
            rows.extend(of_number.map(|list| bits_of(there, list)));
        }
        let of = self.of_others(quantified.condition, Member::new(quantified.temp, there))?;
        let (index, low) = self.index_of(&others, &ranges)?;
        let (rows, index) = (self.rows(rows), self.once(index));
        let by = Mask::RelatedBy {
            rows,
            low,
            count: combinations as u32,
            index,
            of,
            every,
        };
        Some(self.mask(it.domain, by))
    }

    /// Returns the members that fulfill a condition, which is evaluated once for all of them, although some may not be
    /// asked about.
    fn of_others(&mut self, condition: ExprId, it: Member) -> Option<MaskId> {
        if let Some(mask) = self.condition(condition, it) {
            return Some(mask);
        }
        let condition = self.with_masks(condition);
        let temp = it.temp;
        let mask = self.mask(it.domain, Mask::Each { temp, condition });
        let is_cheap =
            counts::is_short_if_shared(self.program, condition) && !self.can_overflow(mask);
        is_cheap.then(|| self.kept_for_temps(mask))
    }
}
