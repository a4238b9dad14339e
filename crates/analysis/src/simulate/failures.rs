//! The games of a run that stopped before their end, one entry per cause.

use serde::Serialize;

use super::seed_of_game;
use wyrmgate_base::hex;
use wyrmgate_view::Stopped;

/// Maximum number of causes with full details.
const CAUSES_MAX: usize = 10;

/// The first game of a run that stopped for one cause. `wyrmgate simulate --game` plays it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// Number in the run, from 1.
    pub game: u64,
    /// The seed of this game, in hexadecimal digits.
    pub seed: String,
    /// Number of decisions before it stopped.
    pub decisions: u32,
    pub reason: String,
    /// The exceeded limit of the engine.
    pub limit: Option<&'static str>,
    /// Number of games that stopped for the same reason at the same place.
    pub games: u64,
    /// The complete cause, for callers that know the rules and can locate it.
    #[serde(skip)]
    pub stopped: Stopped,
}

/// Collects failures, in any order.
#[derive(Debug, Clone, Default)]
pub struct Failures {
    causes: Vec<Failure>,
}

impl Failures {
    /// Records the failure of game `number` of the run with this seed.
    pub fn add(&mut self, seed: &[u8; 32], number: u64, stopped: &Stopped) {
        let failure = Failure {
            game: number,
            seed: hex::encode(&seed_of_game(seed, number)),
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

    /// Returns the number of games that stopped.
    pub fn games(&self) -> u64 {
        self.causes.iter().map(|failure| failure.games).sum()
    }

    /// Returns the failures, ordered by the number of their first game.
    pub fn into_sorted(mut self) -> Vec<Failure> {
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
        let sorted: Vec<_> = failures
            .into_sorted()
            .into_iter()
            .map(|one| (one.game, one.decisions, one.limit, one.games))
            .collect();
        assert_eq!(
            sorted,
            [(2, 2, Some("fuel"), 3), (3, 3, Some("overflow"), 1)]
        );
    }
}
