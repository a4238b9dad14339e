//! What a walk has counted.

use std::collections::HashSet;

use super::history::HistoryKey;

/// The nodes after so many decisions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ply {
    pub nodes: u128,
    /// Those of them where the game is over.
    pub finished: u128,
    /// Draws between these nodes and the ply before.
    pub chance: u128,
    /// Different positions among the nodes, where they are merged.
    pub distinct: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    pub plies: Vec<Ply>,
    /// Different positions in all plies together, where they are merged.
    pub distinct: Option<u64>,
    /// What seats have seen where they decided, where asked for.
    pub histories: HashSet<HistoryKey>,
}

impl Tally {
    pub(super) fn ply(&mut self, ply: u32) -> &mut Ply {
        let ply = ply as usize;
        if self.plies.len() <= ply {
            self.plies.resize(ply + 1, Ply::default());
        }
        // Resized above.
        #[expect(
            clippy::indexing_slicing,
            reason = "the list has just been made long enough"
        )]
        &mut self.plies[ply]
    }

    pub(super) fn add(&mut self, other: Tally) {
        for (ply, counted) in other.plies.iter().enumerate() {
            let sum = self.ply(ply as u32);
            sum.nodes += counted.nodes;
            sum.finished += counted.finished;
            sum.chance += counted.chance;
        }
        self.histories.extend(other.histories);
    }

    pub fn nodes(&self) -> u128 {
        self.plies.iter().map(|ply| ply.nodes).sum()
    }

    /// Nodes where the game is over.
    pub fn terminals(&self) -> u128 {
        self.plies.iter().map(|ply| ply.finished).sum()
    }

    /// Nodes where somebody decides, those of the last ply included.
    pub fn decisions(&self) -> u128 {
        self.nodes() - self.terminals()
    }

    pub fn chance(&self) -> u128 {
        self.plies.iter().map(|ply| ply.chance).sum()
    }

    /// Nodes from which the walk did not go on: ends, and decisions of the last ply.
    pub fn leaves(&self, depth: u32) -> u128 {
        let last = self.plies.get(depth as usize).copied().unwrap_or_default();
        self.terminals() + last.nodes - last.finished
    }
}
