//! Statistics about rules from many random games: whether every game ends, everything is reached, and the game is fair.
//!
//! [`play`] plays the games of one setting and counts into a [`Tally`]; its [`Coverage`] observes them by addresses of
//! one program. [`Summary`] contains the numbers. [`Reached`] combines all settings by source place, and [`findings`]
//! reports what was never reached. [`Impact`] compares two tallies game by game.

mod chart;
mod clauses;
mod coverage;
mod findings;
mod impact;
mod impact_chart;
mod play;
mod reached;
mod summary;
mod tally;

pub use chart::svg;
pub use coverage::Coverage;
pub use findings::{Findings, Part, findings};
pub use impact::{Impact, Measure, Use, Used};
pub use impact_chart::impact_svg;
pub use play::{Plan, play};
pub use reached::Reached;
pub use summary::{Longest, Summary};
pub use tally::{End, Row, Tally};
