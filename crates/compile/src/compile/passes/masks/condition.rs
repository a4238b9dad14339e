//! A condition on one member → a mask of all members of a domain.
//!
//! Each function handles one form: constants, comparisons of a constant of the member with something else, and
//! conditions that read the state through one key of the member (what lies there). Any other condition
//! has no mask and is evaluated member by member.

use super::build::{Masks, Member};
use super::tree::{add, depends, get, get_set};
use wyrmgate_program::pure::{self, Known};
use wyrmgate_program::*;

impl Masks<'_> {
    /// Returns the members that fulfill the condition, if all of it has a supported form.
    pub fn condition(&mut self, id: ExprId, it: Member) -> Option<MaskId> {
        if !depends(self.program, id, it.temp) {
            return Some(self.when(it.domain, id));
        }
        if let Some(constant) = self.tabulated(id, it, &Known::default()) {
            return Some(self.constant(it.domain, constant));
        }
        if let Some(mask) = self.by_side(id, it) {
            return Some(mask);
        }
        match get(self.program, id) {
            Expr::And(a, b) => {
                let (a, b) = (self.condition(a, it)?, self.condition(b, it)?);
                Some(self.both(it.domain, a, b))
            }
            Expr::Or(a, b) => {
                let (a, b) = (self.condition(a, it)?, self.condition(b, it)?);
                Some(self.either(it.domain, a, b))
            }
            Expr::Not(of) => {
                let of = self.condition(of, it)?;
                Some(self.not(it.domain, of))
            }
            Expr::If(test, a, b) => self.one_or_other(test, a, b, it),
            Expr::IsEmpty(of) => {
                let some = self.any_member(of);
                let some = self.condition(some, it)?;
                Some(self.not(it.domain, some))
            }
            Expr::Some(test) => self.quantified(test, false, it),
            Expr::Every(test) => self.quantified(test, true, it),
            _ => self.compared(id, it),
        }
    }

    fn one_or_other(&mut self, test: ExprId, a: ExprId, b: ExprId, it: Member) -> Option<MaskId> {
        let test = self.condition(test, it)?;
        let (a, b) = (self.condition(a, it)?, self.condition(b, it)?);
        let otherwise = self.not(it.domain, test);
        let a = self.both(it.domain, test, a);
        let b = self.both(it.domain, otherwise, b);
        Some(self.either(it.domain, a, b))
    }

    pub(super) fn any_member(&mut self, of: SetId) -> ExprId {
        let condition = add(self.program, Expr::Const(1));
        let temp = self.fresh();
        let test = match get_set(self.program, of) {
            Set::Where(test) => test,
            _ => MemberTest {
                of,
                temp,
                condition,
            },
        };
        add(self.program, Expr::Some(test))
    }

    /// Compiles a condition on the member and constants, which is evaluated at compile time.
    pub(super) fn tabulated(&self, id: ExprId, it: Member, known: &Known) -> Option<Bits> {
        let mut bits = 0;
        for (bit, member) in it.each().enumerate() {
            let mut known = known.clone().and(it.temp, member);
            if pure::truth(self.program, id, &mut known)? {
                bits |= 1 << bit;
            }
        }
        Some(bits)
    }

    /// Compiles a comparison, or another condition on one thing.
    fn compared(&mut self, id: ExprId, it: Member) -> Option<MaskId> {
        if let Some(either) = self.distributed(id, it.temp) {
            return self.condition(either, it);
        }
        if let Some(unlike) = self.lies_elsewhere(id, it) {
            return Some(unlike);
        }
        if let Some(negated) = self.negated(id) {
            let mask = self.condition(negated, it)?;
            return Some(self.not(it.domain, mask));
        }
        self.by_value(id, it)
            .or_else(|| self.words(id, it))
            .or_else(|| self.true_word(id, it))
            .or_else(|| self.by_state(id, it))
            .or_else(|| self.around(id, it))
    }

    /// `(if t then a else b) = c` as `if t then a = c else b = c`.
    fn distributed(&mut self, id: ExprId, it: Temp) -> Option<ExprId> {
        let Expr::Binary(op, left, right) = get(self.program, id) else {
            return None;
        };
        let of_member = |expr| match get(self.program, expr) {
            Expr::If(test, a, b) if depends(self.program, expr, it) => Some((test, a, b)),
            _ => None,
        };
        let (test, a, b) = match (of_member(left), of_member(right)) {
            (Some((test, a, b)), _) => {
                (test, Expr::Binary(op, a, right), Expr::Binary(op, b, right))
            }
            (_, Some((test, a, b))) => (test, Expr::Binary(op, left, a), Expr::Binary(op, left, b)),
            _ => return None,
        };
        let (a, b) = (add(self.program, a), add(self.program, b));
        Some(add(self.program, Expr::If(test, a, b)))
    }

    /// `at(z, …) != c`: a component that is not in z is in none of its cells.
    fn lies_elsewhere(&mut self, id: ExprId, it: Member) -> Option<MaskId> {
        let Expr::Binary(Binary::NotEqual, at, other) = get(self.program, id) else {
            return None;
        };
        let Expr::AtCell { zone, cell } = get(self.program, at) else {
            return None;
        };
        let of_member = |id| depends(self.program, id, it.temp);
        if !of_member(cell) || of_member(zone) || of_member(other) {
            return None;
        }
        let zero = add(self.program, Expr::Const(0));
        let is_some = Expr::Binary(Binary::MoreOrEqual, other, zero);
        let is_some = add(self.program, is_some);
        let lies = add(self.program, Expr::ZoneOf(other));
        let apart = add(self.program, Expr::Binary(Binary::NotEqual, lies, zone));
        let elsewhere = add(self.program, Expr::And(is_some, apart));
        let elsewhere = self.when(it.domain, elsewhere);
        let condition = id;
        let each = self.mask(
            it.domain,
            Mask::Each {
                temp: it.temp,
                condition,
            },
        );
        Some(self.either(it.domain, elsewhere, each))
    }

    /// `a != b` as `a = b`, so that one form suffices.
    fn negated(&mut self, id: ExprId) -> Option<ExprId> {
        let Expr::Binary(Binary::NotEqual, a, b) = get(self.program, id) else {
            return None;
        };
        Some(add(self.program, Expr::Binary(Binary::Equal, a, b)))
    }
}
