//! Conditions that depend on the member only through something that several members share, as the board on which a square
//! lies: they are evaluated for each of these things, and then for all members that belong to it.

use super::build::{Masks, span};
use super::lists::split;
use super::tree::{add, depends, same};
use wyrmgate_program::pure::{self, Known};
use wyrmgate_program::*;

/// The maximum number of pairs that are examined.
const PAIRS_MAX: usize = 8_192;

impl Masks<'_> {
    /// Compiles a condition with a quantifier that depends on the member through one constant of it.
    pub(super) fn through_shared(
        &mut self,
        id: ExprId,
        it: Temp,
        domain: Domain,
    ) -> Option<MaskId> {
        if !never_fails(self.program, id) {
            return None;
        }
        let key = self.only_key(id, it)?;
        let places = self.values(key, it, domain)?;
        let there = span(&places)?;
        if there.len >= domain.len || places.iter().any(|place| *place < 0) {
            return None;
        }
        let temp = self.fresh();
        let condition = self.with(id, key, Expr::Temp(temp))?;
        if depends(self.program, condition, it) {
            return None;
        }
        let last = there.first + i32::from(there.len) - 1;
        self.ranges.push((temp, there.first, last));
        let of = self.condition(condition, temp, there);
        self.ranges.pop();
        let of = self.kept(of?);
        // There is no member without a place.
        let none = add(self.program, Expr::Const(0));
        let none = self.once(none);
        Some(self.through(domain, &places, of, there, none))
    }

    /// Returns the only part that is constant for a member and through which a condition depends on it.
    fn only_key(&self, id: ExprId, it: Temp) -> Option<ExprId> {
        let mut found = None;
        self.find_key(Part::Expr(id), it, &mut found)?;
        found
    }

    fn find_key(&self, part: Part, it: Temp, found: &mut Option<ExprId>) -> Option<()> {
        let node = self.program.node(part)?;
        if node == Node::Expr(Expr::Temp(it)) || node == Node::Set(Set::Temp(it)) {
            return None;
        }
        if let Part::Expr(id) = part {
            if !depends(self.program, id, it) {
                return Some(());
            }
            if pure::value(self.program, id, &mut Known::of(it, 0)).is_some() {
                let is_new = found.is_none_or(|key| same(self.program, key, id));
                found.get_or_insert(id);
                return is_new.then_some(());
            }
        }
        for part in node.parts(self.program) {
            self.find_key(part, it, found)?;
        }
        Some(())
    }

    /// `some s in S has s belongs to it and …`: the others that belong to the member are constant, and the rest of the
    /// condition does not depend on the member.
    pub(super) fn belonging(
        &mut self,
        members: &[i32],
        (temp, condition): (Temp, ExprId),
        it: Temp,
        domain: Domain,
    ) -> Option<MaskId> {
        let is_small = members.len() * usize::from(domain.len) <= PAIRS_MAX;
        if !is_small || members.iter().any(|member| *member < 0) {
            return None;
        }
        let there = span(members)?;
        let mut parts = Vec::new();
        split(self.program, condition, &mut parts);
        let (of_pair, of_other): (Vec<ExprId>, Vec<ExprId>) = parts
            .into_iter()
            .partition(|part| depends(self.program, *part, it));
        let is_safe = of_other.iter().all(|part| never_fails(self.program, *part));
        if of_pair.is_empty() || of_other.is_empty() || !is_safe {
            return None;
        }
        let rows = (0..i32::from(domain.len)).map(|bit| {
            let others = members.iter();
            let mut row = 0;
            for other in others {
                let known = Known::of(it, domain.first + bit).and(temp, *other);
                if self.all_hold(&of_pair, &known)? {
                    row |= there.bit(*other);
                }
            }
            Some(row)
        });
        let rows: Vec<Bits> = rows.collect::<Option<_>>()?;
        let mut of = None;
        for part in of_other {
            let mask = self.condition(part, temp, there)?;
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
        let mask = self.mask(domain, related);
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

/// Returns whether an expression has a value for every member, also for those of which it is not asked as written.
fn never_fails(program: &Program, id: ExprId) -> bool {
    program.every_node(Part::Expr(id), &mut |node| !node.facts().overflows)
}
