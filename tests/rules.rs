//! Every game in `rules/`: its rules are without problems, its scenarios pass, and they show every clause.

#![cfg(test)]

use std::path::{Path, PathBuf};

use wyrmgate::lang::{Known, Stack};
use wyrmgate::rules::{game_folders, variant, variants_of};
use wyrmgate::scenario::{report, suite};

fn rules() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("rules")
}

fn games() -> Vec<PathBuf> {
    game_folders(&rules()).unwrap()
}

/// Every game, and every game with each of its variants.
fn stacks() -> Vec<Stack> {
    let mut stacks = Vec::new();
    for game in games() {
        stacks.push(Stack::of_folder(&game));
        for (_, file) in variants_of(&game).unwrap() {
            stacks.push(variant(&game, &file, &rules()).unwrap());
        }
    }
    stacks
}

fn check(holds: impl Fn(&suite::SuiteResults) -> bool) {
    for stack in stacks() {
        let outcome = suite::run_stack(&stack, None).unwrap();
        assert!(
            holds(&outcome),
            "\n{}",
            report::to_text(&outcome, false, None)
        );
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
    check(|outcome| {
        let is_variant = outcome.game.contains('+');
        (is_variant || outcome.coverage.total > 0) && outcome.coverage.missing.is_empty()
    });
}

/// Examples to learn from: each of the five games has a small one and a large one.
#[test]
fn every_large_game_has_house_rules() {
    for game in games()
        .iter()
        .filter(|game| game.parent() == Some(&rules()))
    {
        assert!(variants_of(game).unwrap().len() >= 2, "{}", game.display());
    }
}

#[test]
fn what_is_known_of_a_game_changes_none_of_its_variants() {
    for game in games() {
        let known = Known::default();
        let stacks = stacks()
            .into_iter()
            .filter(|stack| stack.folder == game)
            .collect::<Vec<_>>();
        for stack in stacks.iter().chain(stacks.iter().rev()) {
            let bundle = stack.bundle().unwrap();
            let (alone, with_others) = (bundle.load(), bundle.load_knowing(Some(&known)));
            assert_eq!(alone.definition, with_others.definition, "{}", stack.name);
            assert_eq!(alone.report, with_others.report, "{}", stack.name);
            assert_eq!(alone.sources.digest(), with_others.sources.digest());
        }
    }
}
