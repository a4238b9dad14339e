//! The games of a run that stopped before their end, one entry for each cause.

use serde::Serialize;

use super::seed_of_game;
use crate::record::seed_to_hex;
use wyrmgate_view::Stopped;

/// Causes told in full.
const CAUSES_MAX: usize = 10;

/// The first game of a run that stopped for one cause. `wyrmgate simulate --game` plays it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// Of the run, from 1.
    pub game: u64,
    /// Of this game alone, hexadecimal.
    pub seed: String,
    /// Made before it happened.
    pub decisions: u32,
    pub reason: String,
    /// The limit of the engine that was hit.
    pub limit: Option<&'static str>,
    /// Games that stopped for the same reason at the same place.
    pub games: u64,
    /// The whole of it, for those who know the rules and can say where it was.
    #[serde(skip)]
    pub stopped: Stopped,
}

/// Collects failures, in whatever order the games end.
#[derive(Debug, Clone, Default)]
pub struct Failures {
    causes: Vec<Failure>,
}

impl Failures {
    /// Notes game `number` of the run that has this seed.
    pub fn add(&mut self, seed: &[u8; 32], number: u64, stopped: &Stopped) {
        let failure = Failure {
            game: number,
            seed: seed_to_hex(&seed_of_game(seed, number)),
            decisions: stopped.decisions,
            reason: stopped.to_string(),
            limit: stopped.limit,
            games: 1,
            stopped: stopped.clone(),
        };
        let cause = |one: &Stopped| (one.code, one.span);
        let mut known = self.causes.iter_mut();
        match known.find(|known| cause(&known.stopped) == cause(stopped)) {
            None => self.causes.push(failure),
            Some(known) => {
                let games = known.games + 1;
                if number < known.game {
                    *known = failure;
                }
                known.games = games;
            }
        }
    }

    /// How many games stopped.
    pub fn games(&self) -> u64 {
        self.causes.iter().map(|failure| failure.games).sum()
    }

    /// By the number of the first game of each.
    pub fn told(mut self) -> Vec<Failure> {
        self.causes.sort_by_key(|failure| failure.game);
        self.causes.truncate(CAUSES_MAX);
        self.causes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wyrmgate_engine::{Fault, FaultKind};

    #[test]
    fn each_cause_is_told_once_with_its_first_game() {
        let stopped = |kind, decisions| Stopped::from(Fault { kind, span: None }).after(decisions);
        let mut failures = Failures::default();
        for (number, kind) in [
            (5, FaultKind::Fuel),
            (2, FaultKind::Fuel),
            (3, FaultKind::Overflow),
            (9, FaultKind::Fuel),
        ] {
            failures.add(&[7; 32], number, &stopped(kind, number as u32));
        }
        assert_eq!(failures.games(), 4);
        let told: Vec<_> = failures
            .told()
            .into_iter()
            .map(|one| (one.game, one.decisions, one.limit, one.games))
            .collect();
        assert_eq!(told, [(2, 2, Some("fuel"), 3), (3, 3, Some("overflow"), 1)]);
    }
}
