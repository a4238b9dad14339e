//! Sets as bits: evaluates a condition for every member of a domain in one operation.
//!
//! A [`Mask`] states for all values `first..first + len` of its domain at once which of them fulfill a condition.
//! Everything that depends on the member alone is tabulated at compile time; everything that also depends on the state
//! is read from it in one pass. For example, `no s in stacks has top(s.cards).color = c.color` becomes a few words for
//! all `c` instead of a nested loop.

use super::table::{Field, RowFacts, field, operations};
use super::{BoundTemp, ExprId, SetId, Temp, WordId};

/// Two temps, or the same one twice.
pub type TempPair = [Temp; 2];

pub type MaskId = u32;
/// The index of an entry in [`super::Program::bits`].
pub type BitsId = u32;
/// One bit per value; bit 0 is the domain's first value.
pub type Bits = u128;

/// The largest domain.
pub const DOMAIN_BITS: usize = Bits::BITS as usize;

/// The values of a mask; 1 to [`DOMAIN_BITS`] of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Domain {
    pub first: i32,
    pub len: u16,
}

impl Domain {
    #[inline]
    pub fn all(self) -> Bits {
        if let Some(one_more) = 1u64.checked_shl(u32::from(self.len)) {
            return Bits::from(one_more - 1);
        }
        Bits::MAX
            .checked_shr(DOMAIN_BITS as u32 - u32::from(self.len))
            .unwrap_or(0)
    }

    /// Returns the `n`-th value, from 0, whose bit is set.
    #[inline]
    pub fn nth(self, bits: Bits, n: u64) -> i32 {
        self.first.wrapping_add(nth_bit(bits, n) as i32)
    }

    /// Returns the bit of a value of the domain, 0 for other values.
    #[inline]
    pub fn bit(self, value: i32) -> Bits {
        let at = i64::from(value) - i64::from(self.first);
        match u32::try_from(at) {
            Ok(at) if at < u32::from(self.len) => 1 << at,
            _ => 0,
        }
    }
}

/// Counts the bits that are set. Most masks fit into one machine word.
#[inline]
pub fn count_of(bits: Bits) -> u32 {
    match u64::try_from(bits) {
        Ok(bits) => bits.count_ones(),
        Err(_) => bits.count_ones(),
    }
}

/// Returns the position of the `n`-th set bit, from 0; beyond the last one, the width of all bits.
#[inline]
pub fn nth_bit(bits: Bits, n: u64) -> u32 {
    match u64::try_from(bits) {
        Ok(bits) => {
            let left = (0..n).fold(bits, |left, _| left & left.wrapping_sub(1));
            left.trailing_zeros()
        }
        Err(_) => {
            let left = (0..n).fold(bits, |left, _| left & left.wrapping_sub(1));
            left.trailing_zeros()
        }
    }
}

/// The parts of the state on which something depends, besides the positions of components.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Reads {
    /// Variables of the game and changing fields.
    pub words: bool,
    /// The variables that every game has: the active seat, the turn, the scores.
    pub course: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MaskInfo {
    pub domain: Domain,
    pub mask: Mask,
}

operations! {
    /// Conditions on whole domains: one row per operation; see [`crate::Field`].
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Mask {
        Const(bits: BitsId) => pure,
        /// All or none: a condition that does not depend on the member.
        When(condition: ExprId) => pure,
        /// One of `count` constants from `rows`, by `index - low`, clamped to the ends.
        Row as MaskRow { rows: BitsId, low: i32, count: u32, index: ExprId } => pure,
        And(one: MaskId, other: MaskId) => pure,
        Or(one: MaskId, other: MaskId) => pure,
        Not(of: MaskId) => pure,
        /// Empty zones.
        Free => reads,
        /// Zones whose last component (first, if not `top`) is in `of`, a mask of all components; of empty ones those
        /// for which `none` holds.
        Tops { of: MaskId, top: bool, none: ExprId } => reads,
        /// Components that lie in this zone.
        Inside(zone: ExprId) => reads,
        /// Members whose word equals the value: the word of the first is at `offset`, that of the next `step` words later.
        Words as EqualWords { offset: WordId, step: u16, value: ExprId } => reads,
        /// Every member belongs to one of the members of `of` and is included if that one is. `rows` contains those that
        /// belong to none (`none` decides for them), then those that belong to the first, to the second …
        Through { rows: BitsId, of: MaskId, none: ExprId } => pure,
        /// Members that belong to a member of `of`, where the owner depends on `index`: `rows` has the rows of `Through` for
        /// each of its `count` values from `low`.
        ThroughBy as RowsByIndex { rows: BitsId, low: i32, count: u32, index: ExprId, of: MaskId } => pure,
        /// Sides of a place of an open grid, by what lies there. `rows` has [`crate::ROTATIONS`] rows for an empty
        /// place, then as many for each component.
        Around { zone: ExprId, cell: ExprId, rows: BitsId } => reads,
        /// Members that are in `each` for some (or every) member of the list, held in `temp`.
        Over as MaskOver { of: SetId, temp: BoundTemp, each: MaskId, every: bool } => pure,
        /// Evaluates the condition for one member after the other.
        Each { temp: BoundTemp, condition: ExprId } => pure,
        /// Depends only on the positions of components and on what it reads: cached until that changes.
        Kept { slot: u16, of: MaskId, reads: Reads } => pure,
        /// Depends also on these temps: cached until what it reads or one of them changes.
        KeptFor as KeptForTemps { slot: u16, of: MaskId, reads: Reads, temps: TempPair } => pure,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_is_as_wide_as_its_bits() {
        for len in 1..=DOMAIN_BITS as u16 {
            let all = Domain { first: 0, len }.all();
            assert_eq!(
                (all.count_ones(), all.trailing_zeros()),
                (u32::from(len), 0)
            );
        }
    }

    #[test]
    fn bits_are_found_by_number_in_both_words() {
        let bits = 1 << 3 | 1 << 63 | 1 << 64 | 1 << 127;
        let places = (0..5).map(|number| nth_bit(bits, number));
        assert_eq!(places.collect::<Vec<_>>(), [3, 63, 64, 127, 128]);
        assert_eq!(
            (nth_bit(0b1010, 1), count_of(0b1010), count_of(bits)),
            (3, 2, 4)
        );
    }
}
