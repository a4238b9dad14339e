//! The counters of a walk.

use std::collections::HashSet;

use super::history::HistoryKey;
use super::step::Passed;
use crate::explore::Continuation;

/// The nodes after a number of decisions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ply {
    pub nodes: u128,
    /// Number of terminal nodes among them.
    pub finished: u128,
    /// Number of draws between these nodes and the previous ply.
    pub chance: u128,
    /// Number of distinct positions among the nodes, if they are merged.
    pub distinct: u64,
}

impl Ply {
    fn add(&mut self, more: &Ply) {
        self.nodes += more.nodes;
        self.finished += more.finished;
        self.chance += more.chance;
    }

    /// Returns what has been counted since then.
    pub(super) fn since(&self, then: &Ply) -> Ply {
        Ply {
            nodes: self.nodes - then.nodes,
            finished: self.finished - then.finished,
            chance: self.chance - then.chance,
            distinct: 0,
        }
    }
}

fn add(sum: &mut u128, more: u128) {
    *sum = sum.saturating_add(more);
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    pub plies: Vec<Ply>,
    /// Number of distinct positions in all plies together, if they are merged.
    pub distinct: Option<u64>,
    /// Observations of seats where they decided, if requested.
    pub histories: HashSet<HistoryKey>,
}

impl Tally {
    pub(super) fn ply(&mut self, ply: u32) -> &mut Ply {
        let ply = ply as usize;
        if self.plies.len() <= ply {
            self.plies.resize(ply + 1, Ply::default());
        }
        #[expect(
            clippy::indexing_slicing,
            reason = "the list has just been made long enough"
        )]
        &mut self.plies[ply]
    }

    /// Returns the counters of the plies after one, up to the last.
    pub(super) fn after(&mut self, ply: u32, last: u32) -> Box<[Ply]> {
        self.ply(last);
        let after = self.plies.get(ply as usize + 1..=last as usize);
        after.unwrap_or_default().into()
    }

    /// Adds counters of the plies after one.
    pub(super) fn add_after(&mut self, ply: u32, more: &[Ply]) {
        for (counted, ply) in more.iter().zip(ply + 1..) {
            self.ply(ply).add(counted);
        }
    }

    /// Counts nodes for the plies that their steps passed; `ply` is that of the steps. Returns the last one.
    pub(super) fn node(&mut self, ply: u32, passed: Passed, is_finished: bool, nodes: u128) -> u32 {
        let last = (*passed.end()).max(ply);
        for passed in passed {
            add(&mut self.ply(passed).nodes, nodes);
        }
        if is_finished {
            add(&mut self.ply(last).finished, nodes);
        }
        last
    }

    /// Counts nodes and the chance that led to them.
    pub(super) fn way(
        &mut self,
        ply: u32,
        passed: Passed,
        way: &Continuation<'_>,
        nodes: u128,
    ) -> u32 {
        if way.new_chance_nodes > 0 {
            let chance = nodes.saturating_mul(way.new_chance_nodes as u128);
            add(&mut self.ply(*passed.start()).chance, chance);
        }
        self.node(ply, passed, way.after.outcome().is_some(), nodes)
    }

    pub(super) fn add(&mut self, other: Tally) {
        for (ply, counted) in other.plies.iter().enumerate() {
            self.ply(ply as u32).add(counted);
        }
        self.histories.extend(other.histories);
    }

    pub fn nodes(&self) -> u128 {
        self.plies.iter().map(|ply| ply.nodes).sum()
    }

    /// Returns the number of terminal nodes.
    pub fn terminals(&self) -> u128 {
        self.plies.iter().map(|ply| ply.finished).sum()
    }

    /// Returns the number of decision nodes, including those of the last ply.
    pub fn decisions(&self) -> u128 {
        self.nodes() - self.terminals()
    }

    pub fn chance(&self) -> u128 {
        self.plies.iter().map(|ply| ply.chance).sum()
    }

    /// Returns the number of nodes without expanded children: terminal nodes and decisions of the last ply.
    pub fn leaves(&self, depth: u32) -> u128 {
        let last = self.plies.get(depth as usize).copied().unwrap_or_default();
        self.terminals() + last.nodes - last.finished
    }
}
