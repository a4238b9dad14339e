//! Conditions with quantifiers over other lists.

use super::build::{Masks, Member};
use super::tree::{get_set, set_depends};
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
}

impl Masks<'_> {
    pub(super) fn quantified(&mut self, quantified: Quantified, it: Member) -> Option<MaskId> {
        let (of, temp, condition) = (quantified.of, quantified.temp, quantified.condition);
        if set_depends(self.program, of, it.temp) {
            return None;
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
}
