//! Locations and diagnostics of rules, cancellation of long computations, presumed invariants, random numbers, characters
//! that nobody sees.

pub mod cancel;
pub mod diagnostic;
pub mod dice;
mod from_variants;
pub mod hex;
mod named;
pub mod presume;
pub mod stack;
pub mod visible;
