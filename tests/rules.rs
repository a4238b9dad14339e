//! Every game in `rules/`: its rules are without problems, its scenarios pass, and they show every clause.

#![cfg(test)]

use std::path::{Path, PathBuf};

use wyrmgate::rules::game_folders;
use wyrmgate::scenario::{report, suite};

fn games() -> Vec<PathBuf> {
    game_folders(&Path::new(env!("CARGO_MANIFEST_DIR")).join("rules")).unwrap()
}

fn check(holds: impl Fn(&suite::Outcome) -> bool) {
    for game in games() {
        let outcome = suite::run_folder(&game).unwrap();
        assert!(holds(&outcome), "\n{}", report::to_text(&outcome, false));
    }
}

#[test]
fn there_are_games() {
    assert!(!games().is_empty());
}

#[test]
fn rules_and_scenarios_are_read_without_a_problem() {
    check(|outcome| outcome.report.diagnostics.is_empty());
}

#[test]
fn every_scenario_passes() {
    check(|outcome| {
        !outcome.played.is_empty() && outcome.played.iter().all(|played| played.passed())
    });
}

#[test]
fn no_scenario_claims_what_it_does_not_reach() {
    check(|outcome| {
        outcome
            .played
            .iter()
            .all(|played| played.warnings.is_empty())
    });
}

#[test]
fn every_clause_is_shown() {
    check(|outcome| outcome.coverage.total > 0 && outcome.coverage.missing.is_empty());
}
