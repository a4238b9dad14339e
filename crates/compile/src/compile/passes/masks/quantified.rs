//! Conditions with quantifiers over other lists.

use super::build::{Masks, Member, bits_of, span};
use super::tree::{add, depends, get_set, set_depends};
use wyrmgate_program::pure::{self, Known};
use wyrmgate_program::*;

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
            return self.related(quantified, it);
        }
        let members = pure::list(self.program, of, &mut Known::default());
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
        let over = Mask::Over {
            of,
            temp,
            each: each?,
            every: quantified.every,
        };
        let mask = self.mask(it.domain, over);
        Some(self.kept(mask))
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
}
