//! The games of a run that stopped before their end, for every command that plays many games.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::setup::is_colored;
use super::stopped::{Again, Case, merge};
use crate::diagnostic::Sources;
use crate::simulate::Failure;

/// The games of one setting that stopped: the first one of each cause.
pub struct StoppedGames<'a> {
    pub failures: &'a [Failure],
    pub sources: &'a Sources,
    /// The setting: `my-game, 3 seats, blocks=2`.
    pub which: String,
    /// The command that plays a game again, without the number of the game.
    pub again: Again,
}

impl<'a> StoppedGames<'a> {
    /// Returns the report of a game. `record` is the file with its record, if there is one.
    pub fn case(&self, failure: &'a Failure, record: Option<PathBuf>) -> Case<'a> {
        let others = match failure.games {
            0 | 1 => String::new(),
            games => format!(" (and {} more that stopped here)", games - 1),
        };
        Case {
            stopped: &failure.stopped,
            sources: self.sources,
            which: format!("game {} of the run{others}, {}", failure.game, self.which),
            again: self.again.clone().flag("--game", failure.game),
            record,
        }
    }

    /// Returns the reports without records, each between empty lines.
    pub fn text(&self) -> String {
        let color = is_colored(&std::io::stdout());
        let cases = self.failures.iter().map(|failure| self.case(failure, None));
        cases
            .map(|case| format!("\n{}\n", case.text(color)))
            .collect()
    }

    pub fn json(&self) -> Vec<Value> {
        let failures = self.failures.iter();
        failures
            .map(|failure| failure_json(failure, &self.case(failure, None)))
            .collect()
    }
}

/// Describes a game that stopped.
pub fn failure_json(failure: &Failure, case: &Case<'_>) -> Value {
    let mut doc = json!({"game": failure.game, "seed": failure.seed, "games": failure.games});
    merge(&mut doc, case.json());
    doc
}
