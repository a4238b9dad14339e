//! What counts of many games say about the truth behind them: intervals and tests. Knows no games.
//!
//! [`Share`]: how often something happens (Wilson's interval). [`Difference`]: two rules compared game by game.
//! [`uneven`]: whether seats that should be alike are. All at the 95 % level; where several questions are asked at once
//! the answers are corrected by [`holm`].

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
