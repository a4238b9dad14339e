//! Invariants that code relies on and that its types cannot express.
//!
//! A presumption names its invariant. If it is broken, tests panic. In production, the caller gets an error with the
//! name, and the request or the game fails instead of continuing with a made-up value.

use std::fmt::Debug;

/// An invariant of this program does not hold. The text names the invariant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a presumed invariant does not hold: {0}")]
pub struct BrokenInvariant(pub &'static str);

/// Values whose presence is an invariant.
pub trait Presume {
    /// The type of the value.
    type Value;

    /// Returns the value. `invariant` is a full sentence without a final period, such as "seats are numbered from 1".
    ///
    /// # Errors
    ///
    /// [`BrokenInvariant`] if there is no value. Builds with debug assertions panic instead.
    fn presume(self, invariant: &'static str) -> Result<Self::Value, BrokenInvariant>;
}

impl<T> Presume for Option<T> {
    type Value = T;

    #[track_caller]
    fn presume(self, invariant: &'static str) -> Result<T, BrokenInvariant> {
        debug_assert!(self.is_some(), "{invariant}");
        self.ok_or(BrokenInvariant(invariant))
    }
}

impl<T, E: Debug> Presume for Result<T, E> {
    type Value = T;

    #[track_caller]
    fn presume(self, invariant: &'static str) -> Result<T, BrokenInvariant> {
        self.map_err(|error| {
            debug_assert!(false, "{invariant}: {error:?}");
            BrokenInvariant(invariant)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_returned() {
        assert_eq!(Some(7).presume("seven is there"), Ok(7));
        assert_eq!("7".parse().presume("7 is a number"), Ok(7));
    }

    #[test]
    #[should_panic(expected = "the list is sorted")]
    fn a_broken_invariant_stops_a_test() {
        let _ = None::<u8>.presume("the list is sorted");
    }

    #[test]
    #[should_panic(expected = "numbers have digits: ParseIntError")]
    fn a_broken_invariant_shows_the_error_that_broke_it() {
        let _ = "x".parse::<u8>().presume("numbers have digits");
    }
}
