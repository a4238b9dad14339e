//! Perft: walks a game tree to a depth and counts it, to compare the rules and the engine with published numbers.
//!
//! A *ply* is one decision. The nodes of ply n are the rests of the game after n decisions: decisions and ends, one for
//! every sequence of choices and outcomes of chance. Seats that decide at the same time answer one after the other, in
//! seat order. Chance nodes are draws with several outcomes: each die of a roll, each card of a shuffle except the
//! last, each random choice; they are counted with the ply before them, and belong to none.

mod history;
mod merge;
mod tally;
mod walk;

pub use history::{Histories, HistoryKey};
pub use merge::merged;
pub use tally::{Ply, Tally};
pub use walk::{Progress, walk};

use crate::explore::Luck;

/// What to count.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The last ply.
    pub depth: u32,
    pub luck: Luck,
    /// Count what the deciding seats can tell apart.
    pub information_sets: bool,
    pub threads: usize,
}
