//! Bits of members: visited one by one, and tested all at once.

use wyrmgate_program::Bits;

/// Returns the values whose bits are set, from the lowest on. `first`: the value of the lowest bit.
pub fn members(first: i32, bits: Bits) -> impl Iterator<Item = i32> {
    Ones(bits).map(move |bit| first.wrapping_add(bit as i32))
}

/// Numbers of the bits that are set.
pub(super) struct Ones(pub Bits);

impl Iterator for Ones {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

/// Returns which of these numbers, one a bit, are in `wanted`, a mask of numbers from 0; and which are nothing.
#[inline(always)]
pub(super) fn among_these(
    wanted: Bits,
    mut numbers: impl DoubleEndedIterator<Item = i32> + ExactSizeIterator,
) -> (Bits, Bits) {
    let wanted = halves(wanted);
    let (mut found, mut nothing) = ([0; 2], [0; 2]);
    let low = numbers.len().min(HALF);
    let parts = found.iter_mut().zip(&mut nothing).rev();
    // From the last on, so that a bit moves by one place for each number.
    for ((found, nothing), count) in parts.zip([numbers.len() - low, low]) {
        for number in numbers.by_ref().rev().take(count) {
            *found = *found << 1 | has(wanted, number);
            *nothing = *nothing << 1 | u64::from(number < 0);
        }
    }
    (whole(found), whole(nothing))
}

/// Bits of half a mask: most masks fit into one word of the machine, and work on one word is several times faster.
const HALF: usize = u64::BITS as usize;

fn halves(bits: Bits) -> [u64; 2] {
    [bits as u64, (bits >> HALF) as u64]
}

fn whole([low, high]: [u64; 2]) -> Bits {
    Bits::from(high) << HALF | Bits::from(low)
}

/// Returns 1 if the number is in the mask of numbers from 0, else 0.
#[inline(always)]
fn has(mask: [u64; 2], number: i32) -> u64 {
    let number = number as u32;
    let half = mask.get((number / u64::BITS) as usize).copied();
    half.unwrap_or(0) >> (number % u64::BITS) & 1
}

/// Returns which of these words (the first, and every `step`-th after it), one a bit, have this value.
#[inline(always)]
pub(super) fn equal(words: &[i32], step: usize, value: i32) -> Bits {
    let (low, high) = words.split_at(words.len().min(HALF * step));
    if step == 1 {
        return whole([low, high].map(|words| equal_in_a_row(words, value)));
    }
    let equal = |words: &[i32]| {
        let words = words.iter().step_by(step);
        words.rfold(0, |found, word| found << 1 | u64::from(*word == value))
    };
    whole([low, high].map(equal))
}

#[inline(always)]
fn equal_in_a_row(words: &[i32], value: i32) -> u64 {
    let one = |word: &i32| u64::from(*word == value);
    let (fours, rest) = words.as_chunks::<4>();
    let rest = rest.iter().rfold(0, |found, word| found << 1 | one(word));
    fours.iter().rfold(rest, |found, [a, b, c, d]| {
        found << 4 | one(d) << 3 | one(c) << 2 | one(b) << 1 | one(a)
    })
}

pub(super) fn all_if(condition: bool) -> Bits {
    if condition { Bits::MAX } else { 0 }
}
