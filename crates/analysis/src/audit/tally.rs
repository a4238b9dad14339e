//! What the games of one setting showed, one row a game.

use std::collections::BTreeSet;

use super::coverage::Coverage;
use crate::statistics::{Counts, Wins};
use wyrmgate_program::{Address, Program};
use wyrmgate_view::Stopped;

/// One game.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Of the run, from 1.
    pub number: u64,
    pub decisions: u32,
    /// Of these, so many had one choice only.
    pub forced: u32,
    /// The geometric mean of the numbers of choices: a decision with thousands of subsets does not outweigh all others.
    pub branching: f64,
    /// How often another seat than the last sole leader came to lead alone; `None` where nobody can be said to lead.
    pub lead_changes: Option<u32>,
    pub end: End,
}

/// How it ended.
#[derive(Debug, Clone, PartialEq)]
pub enum End {
    /// Seats counted from 0.
    Won(Vec<u8>),
    Drawn,
    /// It did not come to an end.
    Stopped(Stopped),
}

/// The games of one setting.
#[derive(Debug, Clone)]
pub struct Tally<'p> {
    pub coverage: Coverage<'p>,
    /// Ascending by number.
    pub rows: Vec<Row>,
    /// Numbers of choices, by site.
    pub choices: Vec<Counts>,
    /// Different positions that were met, by the first half of their keys.
    pub positions: BTreeSet<u64>,
}

impl<'p> Tally<'p> {
    pub fn new(program: &'p Program) -> Tally<'p> {
        Tally {
            coverage: Coverage::new(program),
            rows: Vec::new(),
            choices: vec![Counts::default(); program.sites.len()],
            positions: BTreeSet::new(),
        }
    }

    /// Of other games of the same program.
    pub fn merge(&mut self, other: Tally<'_>) {
        self.coverage.merge(&other.coverage);
        self.rows.extend(other.rows);
        self.rows.sort_by_key(|row| row.number);
        for (own, others) in self.choices.iter_mut().zip(&other.choices) {
            own.merge(others);
        }
        self.positions.extend(other.positions);
    }

    /// Lengths of the games that came to their end.
    pub fn lengths(&self) -> Counts {
        let mut lengths = Counts::default();
        let ended = self.rows.iter().filter(|row| row.has_ended());
        ended.for_each(|row| lengths.add(row.decisions));
        lengths
    }

    /// Of all decisions.
    pub fn all_choices(&self) -> Counts {
        let mut all = Counts::default();
        self.choices.iter().for_each(|counts| all.merge(counts));
        all
    }

    pub fn wins(&self) -> Wins {
        let mut wins = Wins::new(self.coverage.program().seats);
        for row in &self.rows {
            match &row.end {
                End::Won(winners) => wins.add(winners),
                End::Drawn => wins.add(&[]),
                End::Stopped(_) => {}
            }
        }
        wins
    }

    pub fn drawn(&self) -> u64 {
        let drawn = self.rows.iter().filter(|row| row.end == End::Drawn);
        drawn.count() as u64
    }

    /// The longest game, of several the first.
    pub fn longest(&self) -> Option<&Row> {
        self.rows.iter().rev().max_by_key(|row| row.decisions)
    }

    /// Games that did not come to an end, and why.
    pub fn failures(&self) -> impl Iterator<Item = (&Row, &Stopped)> {
        self.rows.iter().filter_map(|row| match &row.end {
            End::Stopped(stopped) => Some((row, stopped)),
            _ => None,
        })
    }

    /// Where games ended, and how many there; `None`: at the end of `play`.
    pub fn endings(&self) -> impl Iterator<Item = (Option<Address>, u64)> {
        self.coverage
            .endings()
            .iter()
            .map(|(at, games)| (*at, *games))
    }
}

impl Row {
    pub fn has_ended(&self) -> bool {
        !matches!(self.end, End::Stopped(_))
    }

    /// Counted from 0.
    pub fn is_won_by(&self, seat: u8) -> bool {
        matches!(&self.end, End::Won(winners) if winners.contains(&seat))
    }
}
