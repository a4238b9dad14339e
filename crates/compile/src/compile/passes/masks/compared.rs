//! Comparisons of a constant or changing field of the member with something else.

use super::build::{Masks, Member};
use super::tabled::ROWS_MAX;
use super::tree::{add, depends, get};
use wyrmgate_program::pure::{self, Known};
use wyrmgate_program::*;

impl Masks<'_> {
    /// Compiles a constant of the member compared with something that does not depend on it.
    pub(super) fn by_value(&mut self, id: ExprId, it: Member) -> Option<MaskId> {
        let Expr::Binary(op, left, right) = get(self.program, id) else {
            return None;
        };
        let of_left = depends(self.program, left, it.temp);
        let (of_member, other) = match (of_left, depends(self.program, right, it.temp)) {
            (true, false) => (left, right),
            (false, true) => (right, left),
            _ => return None,
        };
        let values = self.values(of_member, it)?;
        let low = values.iter().min()?.checked_sub(1)?;
        let high = values.iter().max()?.checked_add(1)?;
        if i64::from(high) - i64::from(low) >= ROWS_MAX {
            return None;
        }
        let row = |other: i32| {
            values.iter().enumerate().fold(0, |bits, (bit, value)| {
                let (a, b) = if of_left {
                    (*value, other)
                } else {
                    (other, *value)
                };
                bits | Bits::from(op.of(a, b) == Some(1)) << bit
            })
        };
        if !op.is_comparison() {
            return None;
        }
        let rows: Vec<Bits> = (low..=high).map(row).collect();
        Some(self.row(it.domain, rows, low, other))
    }

    /// Evaluates an expression for every member.
    pub(super) fn values(&self, id: ExprId, it: Member) -> Option<Vec<i32>> {
        let value = |member| pure::value(self.program, id, &mut Known::of(it.temp, member));
        it.each().map(value).collect()
    }

    /// Compiles the condition that a changing field of the member equals a value.
    pub(super) fn words(&mut self, id: ExprId, it: Member) -> Option<MaskId> {
        let Expr::Binary(Binary::Equal, a, b) = get(self.program, id) else {
            return None;
        };
        [(a, b), (b, a)].into_iter().find_map(|(field, value)| {
            let Expr::WordAt(word) = get(self.program, field) else {
                return None;
            };
            if depends(self.program, value, it.temp) {
                return None;
            }
            let places = self.values(word.index, it)?;
            let (first, step) = even_steps(&places)?;
            let before = u32::try_from(first.checked_sub(word.low)?).ok()?;
            let last = before + u32::from(it.domain.len - 1) * u32::from(step);
            if last >= word.len {
                return None;
            }
            let words = Mask::Words(EqualWords {
                offset: word.offset + before,
                step,
                value: self.once(value),
            });
            let mask = self.mask(it.domain, words);
            Some(self.kept(mask))
        })
    }

    /// Compiles a changing truth value of the member.
    pub(super) fn true_word(&mut self, id: ExprId, it: Member) -> Option<MaskId> {
        let Expr::WordAt(_) = get(self.program, id) else {
            return None;
        };
        let one = add(self.program, Expr::Const(1));
        let is_true = add(self.program, Expr::Binary(Binary::Equal, id, one));
        self.words(is_true, it)
    }

    /// Returns the number of the combination of one or two values, the last one fastest, and the lowest one.
    pub(super) fn index_of(
        &mut self,
        others: &[ExprId],
        ranges: &[(i32, i32)],
    ) -> Option<(ExprId, i32)> {
        match (others, ranges) {
            ([one], [(low, _)]) => Some((*one, *low)),
            ([one, other], [(low_of_one, _), (low_of_other, count)]) => {
                let pair = Expr::Pair(NumberPair {
                    one: *one,
                    other: *other,
                    low_of_one: *low_of_one,
                    low_of_other: *low_of_other,
                    count: *count,
                });
                Some((add(self.program, pair), 0))
            }
            _ => None,
        }
    }
}

/// Returns the first of these numbers and their constant difference, if they have one.
fn even_steps(numbers: &[i32]) -> Option<(i32, u16)> {
    let first = *numbers.first()?;
    let step = match numbers.get(1) {
        Some(second) => second.checked_sub(first)?,
        None => 1,
    };
    let even = numbers
        .windows(2)
        .all(|pair| matches!(pair, [a, b] if b.checked_sub(*a) == Some(step)));
    let step = u16::try_from(step).ok().filter(|step| even && *step > 0)?;
    Some((first, step))
}
