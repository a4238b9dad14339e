//! Distinguishes two histories with the same numbers.

use std::fmt;
use std::str::FromStr;

use wyrmgate_base::hex;

use super::StoreError;
use wyrmgate_runtime::surroundings;

/// A random number that a writer gives its change. Where a change was lost and another one took its place, versions and
/// revisions are the same and marks are not.
///
/// ```
/// # use wyrmgate_store::ChangeMark;
/// let mark = ChangeMark::draw()?;
/// assert_eq!(mark.to_string().len(), ChangeMark::DIGITS);
/// assert_eq!(mark.to_string().parse(), Ok(mark));
/// # Ok::<(), wyrmgate_store::StoreError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ChangeMark(u64);

/// The error for a text that is not a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoMark;

impl ChangeMark {
    /// Number of hexadecimal digits in its text.
    pub const DIGITS: usize = 12;
    const BITS: u64 = (1 << 48) - 1;

    /// Draws a new mark. Fails only if the operating system provides no randomness.
    pub fn draw() -> Result<ChangeMark, StoreError> {
        Ok(ChangeMark::from_bits(surroundings::number()?))
    }

    pub(super) fn from_bits(bits: u64) -> ChangeMark {
        ChangeMark(bits & ChangeMark::BITS)
    }

    pub(super) fn bits(self) -> u64 {
        self.0
    }

    pub(super) fn digits(self) -> [u8; ChangeMark::DIGITS] {
        hex::last_digits(self.0)
    }
}

impl fmt::Display for ChangeMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:012x}", self.0)
    }
}

impl FromStr for ChangeMark {
    type Err = NoMark;

    fn from_str(text: &str) -> Result<ChangeMark, NoMark> {
        let is_ours = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if text.len() != ChangeMark::DIGITS || !text.bytes().all(is_ours) {
            return Err(NoMark);
        }
        u64::from_str_radix(text, 16)
            .map(ChangeMark)
            .map_err(|_| NoMark)
    }
}
