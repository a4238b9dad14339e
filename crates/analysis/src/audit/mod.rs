//! Statistics about rules from many random games: whether every game ends, everything is reached, and the game is fair.
//!
//! [`Run`] plays settings, [`play`] the games of one and counts into a [`SettingTally`]; its [`Coverage`] observes them by addresses of
//! one program. [`Summary`] contains the numbers. [`ReachedParts`] combines all settings by source place, and [`Findings`]
//! report what was never reached. [`Impact`] compares two tallies game by game.

mod chart;
mod clauses;
mod coverage;
mod findings;
mod impact;
mod impact_chart;
mod impact_text;
mod play;
mod reached;
mod run;
mod summary;
mod tally;
mod text;

pub use chart::svg;
pub use coverage::Coverage;
pub use findings::{Findings, PartCoverage};
pub use impact::{Impact, ImpactMeasure, KindUse, Used};
pub use impact_chart::impact_svg;
pub use impact_text::impact_text;
pub use play::{Plan, play};
pub use reached::ReachedParts;
pub use run::{Audit, Run};
pub use summary::{LongestGame, Summary};
pub use tally::{GameEnd, SettingTally, TalliedGame};
pub use text::{percent, share_and_interval};
