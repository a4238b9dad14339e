//! What many random games tell of the rules: does every game end, is everything reached, is it fair.
//!
//! [`play`] plays the games of one setting and counts into a [`Tally`]; its [`Coverage`] looks on and knows addresses of
//! one program. [`Summary`] is it in numbers. [`Reached`] brings the settings together by where things are written, and
//! [`findings`] tells what was never come to. [`Impact`] compares two tallies game by game.

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
