//! The results of the games of one setting, one row per game.

use std::collections::BTreeSet;

use super::coverage::Coverage;
use crate::statistics::{Counts, Wins};
use wyrmgate_program::Program;
use wyrmgate_view::Stopped;

/// One game.
#[derive(Debug, Clone, PartialEq)]
pub struct TalliedGame {
    /// Number in the run, from 1.
    pub number: u64,
    pub decisions: u32,
    /// Number of decisions with only one choice.
    pub forced: u32,
    /// Geometric mean of the numbers of choices, so that a decision with thousands of subsets does not outweigh all
    /// others.
    pub branching: f64,
    /// How often another seat than the last sole leader took the sole lead. `None` if the game has no leader.
    pub lead_changes: Option<u32>,
    pub end: GameEnd,
    /// The first text that could not be made.
    pub untold: Option<Stopped>,
}

/// How a game ended.
#[derive(Debug, Clone, PartialEq)]
pub enum GameEnd {
    /// The winning seats, from 0.
    Won(Vec<u8>),
    Drawn,
    /// It did not reach an end.
    Stopped(Stopped),
}

/// The games of one setting.
#[derive(Debug, Clone)]
pub struct SettingTally<'p> {
    pub coverage: Coverage<'p>,
    /// Rows, ascending by number.
    pub rows: Vec<TalliedGame>,
    /// Numbers of choices by site.
    pub choices: Vec<Counts>,
    /// Distinct positions, by the first half of their keys.
    pub positions: BTreeSet<u64>,
}

impl<'p> SettingTally<'p> {
    pub fn new(program: &'p Program) -> SettingTally<'p> {
        SettingTally {
            coverage: Coverage::new(program),
            rows: Vec::new(),
            choices: vec![Counts::default(); program.sites.len()],
            positions: BTreeSet::new(),
        }
    }

    /// Adds other games of the same program.
    pub fn merge(&mut self, other: SettingTally<'_>) {
        self.coverage.merge(&other.coverage);
        self.rows.extend(other.rows);
        self.rows.sort_by_key(|row| row.number);
        for (own, others) in self.choices.iter_mut().zip(&other.choices) {
            own.merge(others);
        }
        self.positions.extend(other.positions);
    }

    /// Returns the lengths of games that ended.
    pub fn lengths(&self) -> Counts {
        let mut lengths = Counts::default();
        let ended = self.rows.iter().filter(|row| row.has_ended());
        ended.for_each(|row| lengths.add(row.decisions));
        lengths
    }

    /// Returns the numbers of choices over all decisions.
    pub fn all_choices(&self) -> Counts {
        let mut all = Counts::default();
        self.choices.iter().for_each(|counts| all.merge(counts));
        all
    }

    pub fn wins(&self) -> Wins {
        let mut wins = Wins::new(self.coverage.program.seats);
        for row in &self.rows {
            match &row.end {
                GameEnd::Won(winners) => wins.add(winners),
                GameEnd::Drawn => wins.add(&[]),
                GameEnd::Stopped(_) => {}
            }
        }
        wins
    }

    pub fn drawn(&self) -> u64 {
        let drawn = self.rows.iter().filter(|row| row.end == GameEnd::Drawn);
        drawn.count() as u64
    }

    /// Returns the longest game; the first of several.
    pub fn longest(&self) -> Option<&TalliedGame> {
        self.rows.iter().rev().max_by_key(|row| row.decisions)
    }

    /// Returns the games that did not end, or had a text that could not be made, and why.
    pub fn failures(&self) -> impl Iterator<Item = (&TalliedGame, &Stopped)> {
        self.rows.iter().flat_map(|row| {
            let stopped = match &row.end {
                GameEnd::Stopped(stopped) => Some(stopped),
                GameEnd::Won(_) | GameEnd::Drawn => None,
            };
            let both = stopped.into_iter().chain(&row.untold);
            both.map(move |stopped| (row, stopped))
        })
    }
}

impl TalliedGame {
    pub fn has_ended(&self) -> bool {
        !matches!(self.end, GameEnd::Stopped(_))
    }

    /// Returns whether a seat, from 0, won.
    pub fn is_won_by(&self, seat: u8) -> bool {
        matches!(&self.end, GameEnd::Won(winners) if winners.contains(&seat))
    }
}
