//! Intervals and tests for counts from many games. Knows no games.
//!
//! [`Share`] estimates a proportion (Wilson's interval), [`PairedDifference`] compares two sets of rules game by game, and
//! [`uneven`] tests whether seats are treated alike. All use the 95 % level; several tests at once are corrected by
//! [`holm`].

mod counts;
mod exchange;
mod multiple;
mod normal;
mod paired;
mod proportion;
mod student;

pub use counts::{Bar, Counts, highest};
pub use exchange::{SeatTest, Wins};
pub use multiple::holm;
pub use normal::two_sided;
pub use paired::{Mean, PairedDifference, differs, shifted};
pub use proportion::Share;

/// The significance level.
pub const LEVEL: f64 = 0.05;

/// The 97.5 % quantile of the normal distribution, for intervals at the 95 % level.
pub(crate) const Z: f64 = 1.959_963_984_540_054;
