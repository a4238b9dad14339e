//! Perft: counts the nodes of a game tree to a depth, to compare the rules and the engine with published numbers.
//!
//! A *ply* is one decision. The nodes of ply n are the positions after n decisions, each a decision or an end, one for
//! every sequence of choices and outcomes of chance. Seats that decide at once answer one after the other, in seat
//! order. Chance nodes are the draws with several outcomes: each die of a roll, each card of a shuffle but the last,
//! each random choice. They are counted with the ply before them and belong to none.
//!
//! With [`Plan::by_turns`], a ply is one turn: positions within a turn are walked and not counted, and a turn that passes
//! without a decision counts as a ply with one node.

mod history;
mod merge;
mod progress;
mod quick;
mod step;
mod tally;
mod transposed;
mod walk;

pub use history::{Histories, HistoryKey};
pub use merge::merged;
pub use tally::{Ply, Tally};
pub use walk::{Divided, divide, walk};

use crate::explore::Luck;
pub use progress::Progress;
use wyrmgate_program::Program;

impl Plan {
    /// Returns whether the choices of the last ply are counted and not played.
    pub fn counts_choices(&self, program: &Program) -> bool {
        self.bulk && self.is_without_chance(program)
    }

    /// Returns whether what follows from a position depends on it alone, and every choice leads to one node.
    fn is_without_chance(&self, program: &Program) -> bool {
        !self.by_turns && !program.code.ops.iter().any(|op| op.facts().random)
    }
}

/// The scope of a count.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The last ply.
    pub depth: u32,
    pub luck: Luck,
    /// Whether a ply is a turn, however many decisions it takes.
    pub by_turns: bool,
    /// Whether to count information sets.
    pub information_sets: bool,
    /// Whether the last ply is counted by the choices before it, which are not played: then nobody knows which of its
    /// nodes are ends.
    pub bulk: bool,
    /// The size of the table of positions that were counted before, in MiB; 0 for none.
    pub table: usize,
    pub threads: usize,
}
