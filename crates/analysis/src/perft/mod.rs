//! Perft: a game's tree walked to a depth and counted, so that its rules and the engine can be compared with numbers
//! that others have published.
//!
//! A *ply* is one decision. The nodes of ply n are the rests of the game after n decisions: decisions and ends, one for
//! every sequence of choices and outcomes of chance. Seats that decide at once answer one after the other, in seat order.
//! Chance nodes are the draws with several outcomes: each die of a roll, each card of a shuffle but the last, each
//! choice at random; they are counted with the ply before them, and belong to none.

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
