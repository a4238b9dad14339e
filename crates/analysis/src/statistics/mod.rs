//! Statistics over many games: confidence intervals and tests. Knows no games.
//!
//! [`Share`]: a proportion (Wilson's interval). [`Difference`]: a paired comparison of two sets of rules. [`uneven`]:
//! whether seats that should have equal chances do. All use the 95 % level; [`holm`] corrects for multiple comparisons.

mod counts;
mod exchange;
mod multiple;
mod normal;
mod paired;
mod proportion;
mod student;

pub use counts::{Bar, Counts};
pub use exchange::{SeatTest, Wins};
pub use multiple::holm;
pub use normal::two_sided;
pub use paired::{Difference, Mean, differs, shifted};
pub use proportion::Share;

/// What is less likely than this by chance alone is called significant.
pub const LEVEL: f64 = 0.05;

/// The 97.5 % point of the normal distribution: intervals are at the 95 % level.
pub(crate) const Z: f64 = 1.959_963_984_540_054;
