//! Questions about what belongs to a member, as the squares of a board: which these are is constant, and what is asked of
//! them is evaluated for all of them at once.

use super::build::{Masks, Member, span};
use super::lists::split;
use super::quantified::Quantified;
use super::tree::depends;
use crate::compile::passes::simplify::order::can_overflow;
use wyrmgate_program::pure::{self, Known};
use wyrmgate_program::*;

/// The maximum number of pairs that are examined.
const PAIRS_MAX: usize = 8_192;

impl Masks<'_> {
    /// `some s in S has s belongs to it and …`: the others that belong to the member are constant, and the rest of the
    /// condition does not depend on the member.
    pub(super) fn belonging(
        &mut self,
        members: &[i32],
        Quantified {
            temp, condition, ..
        }: Quantified,
        it: Member,
    ) -> Option<MaskId> {
        let is_small = members.len() * usize::from(it.domain.len) <= PAIRS_MAX;
        if !is_small || members.iter().any(|member| *member < 0) {
            return None;
        }
        let there = span(members)?;
        let mut parts = Vec::new();
        split(self.program, condition, &mut parts);
        let (of_pair, of_other) = parts
            .into_iter()
            .partition::<Vec<ExprId>, _>(|part| depends(self.program, *part, it.temp));
        let is_safe = of_other
            .iter()
            .all(|part| !can_overflow(self.program, *part));
        if of_pair.is_empty() || of_other.is_empty() || !is_safe {
            return None;
        }
        let rows = it.each().map(|member| {
            let mut row = 0;
            for other in members {
                let known = Known::of(it.temp, member).and(temp, *other);
                if self.all_hold(&of_pair, &known)? {
                    row |= there.bit(*other);
                }
            }
            Some(row)
        });
        let rows: Vec<Bits> = rows.collect::<Option<_>>()?;
        let mut of = None;
        for part in of_other {
            let other = Member::new(temp, there);
            let mask = self.condition(part, other)?;
            of = Some(match of {
                Some(others) => self.both(there, others, mask),
                None => mask,
            });
        }
        let rows = self.rows(rows);
        let related = Mask::Related {
            rows,
            of: of?,
            every: false,
        };
        let mask = self.mask(it.domain, related);
        Some(self.kept(mask))
    }

    fn all_hold(&self, conditions: &[ExprId], known: &Known) -> Option<bool> {
        for condition in conditions {
            if !pure::truth(self.program, *condition, &mut known.clone())? {
                return Some(false);
            }
        }
        Some(true)
    }
}
