//! The results of one setting in numbers.

use serde::Serialize;

use super::tally::SettingTally;
use crate::laws::{GameId, Setting};
use crate::simulate::{Failure, Failures};
use crate::statistics::{Counts, SeatTest, Share};
use wyrmgate_base::diagnostic::Span;

#[derive(Debug, Clone)]
pub struct Summary {
    pub setting: Setting,
    pub bound: u32,
    pub games: u64,
    pub failed: u64,
    /// The causes.
    pub failures: Vec<Failure>,
    /// Lengths in decisions of games that ended.
    pub lengths: Counts,
    pub longest: Option<LongestGame>,
    /// Numbers of choices over all decisions.
    pub choices: Counts,
    /// Geometric mean over all decisions of a game, averaged over the games.
    pub branching: f64,
    /// Number of distinct positions, if counted.
    pub positions: Option<u64>,
    /// Mean number per game, if the game has a leader.
    pub lead_changes: Option<f64>,
    pub seats: Vec<SeatTest>,
    pub drawn: Share,
    /// The places where games ended, with the number of games.
    pub endings: Vec<(Span, u64)>,
    /// The places of decisions, with the numbers of choices.
    pub decisions: Vec<(Span, Counts)>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LongestGame {
    #[serde(flatten)]
    pub game: GameId,
    pub decisions: u32,
}

impl Summary {
    /// Summarizes a tally. `seed` is the seed of the run.
    pub fn of(setting: Setting, tally: &SettingTally<'_>, seed: &[u8; 32]) -> Summary {
        let program = tally.coverage.program;
        let wins = tally.wins();
        let failures = failures(tally, seed);
        let play = program.effect(program.code.play);
        let at = |address: Option<u32>| match address {
            Some(address) => program.code.spans.get(address as usize).copied(),
            None => play.map(|play| play.span),
        };
        let endings = tally.coverage.endings.iter();
        let sites = program.sites.iter().zip(&tally.choices);
        Summary {
            setting,
            bound: program.identity.bound,
            games: tally.rows.len() as u64,
            failed: tally.rows.iter().filter(|row| !row.has_ended()).count() as u64,
            failures: failures.into_sorted(),
            lengths: tally.lengths(),
            longest: tally.longest().map(|row| LongestGame {
                game: GameId::of(seed, row.number),
                decisions: row.decisions,
            }),
            choices: tally.all_choices(),
            branching: mean(tally.rows.iter().map(|row| row.branching)),
            positions: Some(tally.positions.len() as u64).filter(|n| *n > 0),
            lead_changes: program.standing.map(|_| {
                let changes = tally.rows.iter().filter_map(|row| row.lead_changes);
                mean(changes.map(f64::from))
            }),
            seats: wins.tests(),
            drawn: Share::of(tally.drawn(), wins.games()),
            endings: endings
                .filter_map(|(address, games)| Some((at(*address)?, *games)))
                .collect(),
            decisions: sites.map(|(site, c)| (site.span, c.clone())).collect(),
        }
    }

    /// Returns the share of decisions with only one choice.
    pub fn forced(&self) -> f64 {
        self.choices.times(1) as f64 / self.choices.total().max(1) as f64
    }
}

/// Returns the games that did not end. `seed` is the seed of the run.
pub(super) fn failures(tally: &SettingTally<'_>, seed: &[u8; 32]) -> Failures {
    let mut failures = Failures::default();
    for (row, stopped) in tally.failures() {
        failures.add(seed, row.number, stopped);
    }
    failures
}

fn mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = numbers.fold((0.0, 0.0_f64), |(sum, count), n| (sum + n, count + 1.0));
    sum / count.max(1.0)
}
