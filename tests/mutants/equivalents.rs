//! Mutants that are listed as making no difference.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::command::{Ran, wyrmgate};

/// The game whose scenario does not notice that `active scores n` is left out, with this list beside the scenario.
struct Tally {
    _folder: TempDir,
    game: PathBuf,
}

impl Tally {
    fn listing(entries: &str) -> Tally {
        let folder = tempfile::tempdir().unwrap();
        let game = folder.path().join("tally");
        fs::create_dir_all(game.join("scenarios")).unwrap();
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/mutants/tally");
        for file in ["game.yaml", "scenarios/passing.yaml"] {
            fs::copy(from.join(file), game.join(file)).unwrap();
        }
        fs::write(game.join("scenarios/equivalents.yaml"), entries).unwrap();
        Tally {
            _folder: folder,
            game,
        }
    }

    fn mutate(&self, more: &[&str]) -> Ran {
        let args = ["mutate", self.game.to_str().unwrap()];
        wyrmgate(&[&args[..], more].concat())
    }

    /// The only game of the run, and whether all is well.
    fn json(&self, more: &[&str]) -> (Value, bool) {
        let json = self.mutate(&[more, &["--json"]].concat()).json();
        (json["games"][0].clone(), json["ok"].as_bool().unwrap())
    }
}

/// An entry of the list with a reason.
const SCORING: &str = "- change: this statement is left out\n  at: active scores n\n  \
    because: Points are only for show.\n";

fn entry(change: &str, at: &str) -> String {
    format!("- change: {change:?}\n  at: {at:?}\n  because: Somebody thought so.\n")
}

#[test]
fn a_listed_survivor_is_told_apart_and_not_counted() {
    let tally = Tally::listing(SCORING);
    let ran = tally.mutate(&["--at-least", "100"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(
        ran.out.contains(" 0 survived, 1 equivalent, ") && ran.out.contains("100 % killed"),
        "{}",
        ran.out
    );
    assert!(!ran.out.contains("no scenario notices"), "{}", ran.out);
}

#[test]
fn programs_can_read_the_list_with_its_places_and_reasons() {
    let (game, ok) = Tally::listing(SCORING).json(&[]);
    assert!(ok, "{game}");
    let entry = &game["equivalents"][0];
    assert_eq!(entry["because"], "Points are only for show.");
    assert_eq!((&entry["line"], &entry["column"]), (&14.into(), &5.into()));
    assert_eq!(game["problems"], Value::Array(Vec::new()));
    let number = |key: &str| game[key].as_u64().unwrap();
    let parts = ["killed", "timed_out", "stillborn", "survived", "equivalent"].map(number);
    assert_eq!(parts.iter().sum::<u64>(), number("mutants"));
}

/// Returns the code of the only problem of a list.
#[track_caller]
fn problem(entries: &str) -> (String, String) {
    let tally = Tally::listing(entries);
    let (game, ok) = tally.json(&[]);
    assert!(!ok, "{game}");
    assert_eq!(game["problems"].as_array().unwrap().len(), 1, "{game}");
    assert_eq!(tally.mutate(&[]).code, 1);
    let problem = &game["problems"][0];
    assert_eq!(problem["file"], "tally/scenarios/equivalents.yaml");
    let text = |key: &str| problem[key].as_str().unwrap().to_owned();
    (text("code"), text("message"))
}

#[test]
fn a_listed_change_that_a_scenario_notices_is_reported() {
    let noticed = entry("`sum` becomes `n`", "sum += n");
    assert_eq!(problem(&noticed).0, "unknown-mutant");
    let noticed = entry("`+=` becomes `-=`", "sum += n");
    let (code, message) = problem(&noticed);
    assert_eq!(code, "not-equivalent");
    assert!(message.contains("a scenario notices this"), "{message}");
}

#[test]
fn a_listed_change_that_does_not_compile_is_reported() {
    let (code, message) = problem(&entry("this statement is left out", "choose n in 1..3"));
    assert_eq!(code, "not-equivalent");
    assert!(message.contains("do not compile"), "{message}");
}

#[test]
fn a_change_that_is_not_there_any_more_is_reported() {
    let elsewhere = entry("this statement is left out", "active scores 2 * n");
    let (code, message) = problem(&elsewhere);
    assert_eq!(code, "unknown-mutant");
    assert!(message.contains("no mutation here is that"), "{message}");
    assert_eq!(
        problem(&entry("`<` becomes `>`", "sum > 6")).0,
        "unknown-mutant"
    );
}

#[test]
fn an_entry_that_can_mean_several_changes_is_reported() {
    let everywhere = entry("this statement is left out", "n");
    assert_eq!(problem(&everywhere).0, "unknown-mutant");
    let (code, message) = problem(&entry("`1` becomes `2`", "1"));
    assert_eq!(code, "ambiguous-mutant", "{message}");
}

#[test]
fn a_whole_line_is_meant_before_a_part_of_another_one() {
    let scoring = "active scores n                           [TAL-02]";
    let twice = "active scores 1\n    active scores 1 * n";
    let one = |at: &str| entry("`1` becomes `2`", at);
    let tally = Tally::listing(&(one("active scores 1") + &one("active scores 1 *")));
    let game = tally.game.join("game.yaml");
    let text = fs::read_to_string(&game).unwrap();
    assert!(text.contains(scoring));
    fs::write(&game, text.replace(scoring, twice)).unwrap();
    let (found, ok) = tally.json(&[]);
    assert!(ok, "{found:#}");
    let lines = found["equivalents"].as_array().unwrap().iter();
    let lines: Vec<u64> = lines.map(|entry| entry["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [14, 15]);
    let list = tally.game.join("scenarios/equivalents.yaml");
    fs::write(list, one("scores 1")).unwrap();
    assert_eq!(tally.json(&[]).0["problems"][0]["code"], "ambiguous-mutant");
}

#[test]
fn a_list_without_entries_can_go() {
    let (code, message) = problem("# Equivalent mutants.\n");
    assert_eq!(
        (code.as_str(), message.as_str()),
        ("empty-list", "the list is empty")
    );
}

#[test]
fn an_entry_without_a_reason_is_a_mistake() {
    let (code, message) = problem("- change: this statement is left out\n  at: active scores n\n");
    assert_eq!(
        (code.as_str(), message.as_str()),
        ("missing-key", "missing `because`")
    );
}

#[test]
fn a_list_is_no_scenario() {
    let tally = Tally::listing(SCORING);
    let ran = wyrmgate(&["test", tally.game.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
}

/// Untried mutants are not judged, but every entry must name a change.
#[test]
fn a_sample_judges_the_entries_that_it_draws() {
    let listed = entry("`+=` becomes `-=`", "sum += n");
    let all: Vec<bool> = (1..=12)
        .map(|seed: u8| {
            let seed = seed.to_string();
            Tally::listing(&listed)
                .json(&["--limit", "4", "--seed", &seed])
                .1
        })
        .collect();
    assert!(all.contains(&true) && all.contains(&false), "{all:?}");
}

#[test]
fn an_overlay_has_a_list_beside_it() {
    let tally = Tally::listing(SCORING);
    let variants = tally.game.join("variants");
    fs::create_dir_all(&variants).unwrap();
    let write = |file: &str, text: &str| fs::write(variants.join(file), text).unwrap();
    write(
        "short.yaml",
        "extends: tally\nadd:\n  vars.spare: {type: int, start: 3}\n",
    );
    write(
        "short.scenarios.yaml",
        "- scenario: It is played\n  given: {seats: 2}\n  steps: [{random: 1}]\n",
    );
    write(
        "short.equivalents.yaml",
        &entry("`3` becomes `4`", "start: 3"),
    );
    let name = format!("{}/variants/short.yaml", tally.game.display());
    let json = wyrmgate(&["mutate", &name, "--json"]).json();
    let equivalents = json["games"][0]["equivalents"].as_array().unwrap();
    assert_eq!(equivalents.len(), 1, "{json}");
    let only_what_it_writes = 3;
    assert_eq!(json["games"][0]["mutants"], only_what_it_writes, "{json}");
    let folder = tally.game.to_str().unwrap();
    let all = wyrmgate(&["mutate", folder, "--json"]).json();
    let names = all["games"].as_array().unwrap().iter();
    let names: Vec<&str> = names.map(|game| game["game"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        ["tally", "tally+short"],
        "a folder includes variants"
    );
    assert_eq!(all["games"][1], json["games"][0]);
    let ran = wyrmgate(&["check", folder]);
    assert_eq!(
        ran.code, 0,
        "the list is no overlay: {}{}",
        ran.out, ran.err
    );
}

/// The first block of a page of `rules/guide` with this mark.
fn block(page: &str, mark: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/guide");
    let text = fs::read_to_string(folder.join(page)).unwrap();
    let (_, rest) = text.split_once(&format!("```{mark}\n")).unwrap();
    rest.split("```").next().unwrap().to_owned()
}

#[test]
fn the_example_of_the_language_reference_is_such_a_list() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("cliff-race");
    fs::create_dir_all(game.join("scenarios")).unwrap();
    for (file, page, mark) in [
        ("game.yaml", "reference.md", "yaml game"),
        ("scenarios/story.yaml", "testing.md", "yaml scenario"),
        (
            "scenarios/equivalents.yaml",
            "testing.md",
            "yaml equivalents",
        ),
    ] {
        fs::write(game.join(file), block(page, mark)).unwrap();
    }
    let json = wyrmgate(&["mutate", game.to_str().unwrap(), "--json"]).json();
    let game = &json["games"][0];
    assert_eq!(game["equivalent"], 1, "{game:#}");
    assert_eq!(game["problems"], Value::Array(Vec::new()));
}
