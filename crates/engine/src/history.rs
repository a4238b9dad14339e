//! The positions that the rules have recorded, and the number by which a position is recognized.
//!
//! Only these numbers are kept: 64 bits for each position, the same on every machine. Two positions with different
//! values have the same number with a probability of 2⁻⁶⁴.

use serde::{Deserialize, Serialize};

/// The numbers of the recorded positions, in the order in which they were recorded.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<u64>", into = "Vec<u64>")]
pub struct PositionHistory(Vec<u64>, NumberPlaces);

/// Where each number is: a hash table of their places, counted from 1. At most half of it is in use.
#[derive(Debug, Default, PartialEq, Eq)]
struct NumberPlaces(Vec<u32>);

/// The size of the first table. All sizes are powers of two.
const FIRST_PLACES: usize = 16;

impl NumberPlaces {
    /// Returns the places of the table where a number may be, up to the first free one.
    #[inline]
    fn of(&self, number: u64) -> impl Iterator<Item = usize> {
        let mask = self.0.len().wrapping_sub(1);
        let begin = number as usize;
        (0..self.0.len()).map(move |step| begin.wrapping_add(step) & mask)
    }

    fn add(&mut self, number: u64, place: usize) {
        let free = self.of(number).find(|at| self.0.get(*at) == Some(&0));
        if let Some(free) = free.and_then(|free| self.0.get_mut(free)) {
            *free = place as u32 + 1;
        }
    }

    /// Makes room for one more than these numbers.
    fn grow(&mut self, numbers: &[u64]) {
        if (numbers.len() + 1) * 2 <= self.0.len() {
            return;
        }
        let size = (self.0.len() * 2).max(FIRST_PLACES);
        self.0.clear();
        self.0.resize(size, 0);
        let numbers = numbers.iter().enumerate();
        numbers.for_each(|(place, number)| self.add(*number, place));
    }
}

impl From<Vec<u64>> for PositionHistory {
    fn from(numbers: Vec<u64>) -> PositionHistory {
        let mut history = PositionHistory::default();
        numbers.into_iter().for_each(|number| history.add(number));
        history
    }
}

impl From<PositionHistory> for Vec<u64> {
    fn from(history: PositionHistory) -> Vec<u64> {
        history.0
    }
}

/// By hand because the derived `clone_from` would not reuse the memory, and what-ifs copy states.
impl Clone for PositionHistory {
    fn clone(&self) -> Self {
        PositionHistory(self.0.clone(), NumberPlaces(self.1.0.clone()))
    }

    fn clone_from(&mut self, other: &Self) {
        self.0.clone_from(&other.0);
        self.1.0.clone_from(&other.1.0);
    }
}

impl PositionHistory {
    pub fn add(&mut self, number: u64) {
        self.1.grow(&self.0);
        self.1.add(number, self.0.len());
        self.0.push(number);
    }

    /// Returns how often this number has been recorded.
    #[inline]
    pub fn count(&self, number: u64) -> i32 {
        let mut count = 0;
        for at in self.1.of(number) {
            let place = self.1.0.get(at).copied().unwrap_or(0) as usize;
            let Some(known) = place.checked_sub(1).and_then(|place| self.0.get(place)) else {
                break;
            };
            count += i32::from(*known == number);
        }
        count
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Visits all numbers, in two halves each.
    pub fn each(&self, mut visit: impl FnMut(i32)) {
        for number in &self.0 {
            visit((number >> 32) as i32);
            visit(*number as i32);
        }
    }

    /// Returns its size in words of the state.
    pub fn words(&self) -> usize {
        self.0.len() * (size_of::<u64>() / size_of::<i32>())
    }

    /// Returns the numbers in ascending order: what rules can ask does not depend on when a position was recorded.
    pub fn sorted(&self) -> Vec<u64> {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        sorted
    }
}

/// Computes the number of a position from its values, one after the other. States contain these numbers, so the
/// computation must never change.
///
/// The number is a sum of one term for each value, which depends on the value and its place. Therefore a change of some
/// values changes only their terms.
#[derive(Debug, Clone, Copy)]
pub struct PositionHash {
    position: u16,
    place: u32,
    sum: u64,
}

impl PositionHash {
    /// Returns the hash of a position. Equal values of different positions have different numbers.
    pub fn of(position: u16) -> PositionHash {
        PositionHash {
            position,
            place: 0,
            sum: mixed(u64::from(position) + 1),
        }
    }

    #[inline]
    pub fn add(&mut self, value: i32) {
        let term = self.term(0, value);
        self.add_terms(1, term);
    }

    /// Returns the term of the value this many places after the next one.
    #[inline]
    pub fn term(&self, places: u32, value: i32) -> u64 {
        let place = self.place.wrapping_add(places);
        let place = u64::from(self.position) << 48 ^ u64::from(place) << 32;
        mixed(place ^ u64::from(value.cast_unsigned()))
    }

    /// Adds the terms of the next values.
    #[inline]
    pub fn add_terms(&mut self, count: u32, terms: u64) {
        self.place = self.place.wrapping_add(count);
        self.sum = self.sum.wrapping_add(terms);
    }

    /// Returns the place of the next value.
    pub fn place(&self) -> u32 {
        self.place
    }

    pub fn number(self) -> u64 {
        self.sum
    }
}

/// The mixing of SplitMix64: every bit of the result depends on every bit of the argument, and no two arguments have the same
/// result.
const fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(position: u16, values: &[i32]) -> u64 {
        let mut hash = PositionHash::of(position);
        values.iter().for_each(|value| hash.add(*value));
        hash.number()
    }

    #[test]
    fn values_order_and_position_make_the_number() {
        let all = [
            number(0, &[]),
            number(1, &[]),
            number(0, &[0]),
            number(0, &[0, 0]),
            number(0, &[1, 2]),
            number(0, &[2, 1]),
            number(1, &[1, 2]),
            number(0, &[-1]),
        ];
        for (at, one) in all.iter().enumerate() {
            assert!(!all[..at].contains(one), "{at}");
        }
        assert_eq!(number(0, &[1, 2]), number(0, &[1, 2]));
    }

    #[test]
    fn the_numbers_never_change_because_states_contain_them() {
        assert_eq!(number(0, &[3, -1, 7]), EXPECTED);
    }

    const EXPECTED: u64 = 0xd636_e881_745e_f0bd;
}
