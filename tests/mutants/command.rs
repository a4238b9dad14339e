//! `wyrmgate mutate` as a user runs it.

use std::fs;
use std::path::Path;

use crate::support::command::wyrmgate;

const TALLY: &str = "tests/fixtures/mutants/tally";

#[test]
fn a_rule_that_no_scenario_shows_survives() {
    let ran = wyrmgate(&["mutate", TALLY]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    for part in [
        "no scenario notices: this statement is left out",
        "tally/game.yaml:14:5",
        "active scores n",
        ", 1 survived, ",
    ] {
        assert!(ran.out.contains(part), "no `{part}` in\n{}", ran.out);
    }
    assert_eq!(
        ran.out.matches("no scenario notices").count(),
        1,
        "{}",
        ran.out
    );
    assert_eq!(ran.err, "", "progress is for terminals");
}

#[test]
fn a_mutation_run_can_be_read_by_programs() {
    let json = wyrmgate(&["mutate", TALLY, "--json", "--jobs", "2"]).json();
    let game = &json["games"][0];
    assert_eq!((&json["ok"], &game["survived"]), (&true.into(), &1.into()));
    let survivor = &game["survivors"][0];
    assert_eq!(
        (&survivor["line"], &survivor["column"]),
        (&14.into(), &5.into())
    );
    let number = |key: &str| game[key].as_u64().unwrap();
    let parts = ["killed", "timed_out", "stillborn", "survived"].map(number);
    assert_eq!(parts.iter().sum::<u64>(), number("mutants"));
    assert!(
        number("timed_out") > 0,
        "a turn without a decision never ends: {game}"
    );
    assert!(
        number("stillborn") > 0,
        "nothing compiles without the `choose`: {game}"
    );
    let other = wyrmgate(&["mutate", TALLY, "--json", "--jobs", "1"]).json();
    assert_eq!(json, other);
}

#[test]
fn too_few_kills_can_be_a_failure() {
    let code = |least: &str| wyrmgate(&["mutate", TALLY, "--at-least", least]).code;
    assert_eq!((code("100"), code("90")), (1, 0));
}

#[test]
fn a_scenario_that_shows_the_rule_kills_the_survivor() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("tally");
    fs::create_dir_all(game.join("scenarios")).unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join(TALLY);
    for file in ["game.yaml", "scenarios/passing.yaml"] {
        fs::copy(from.join(file), game.join(file)).unwrap();
    }
    let scenario = "- scenario: What is chosen is scored\n  shows: [TAL-02]\n  given: {seats: 2}\n  \
         steps: [{play: {n: 3}}, {expect: \"score[seat(1)] = 3\"}]\n";
    fs::write(game.join("scenarios/scoring.yaml"), scenario).unwrap();
    let ran = wyrmgate(&["mutate", game.to_str().unwrap(), "--at-least", "100"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(
        ran.out.contains(" 0 survived, ") && ran.out.contains("100 % killed"),
        "{}",
        ran.out
    );
}

#[test]
fn so_many_mutants_are_drawn_by_the_seed() {
    let run =
        |seed: &str| wyrmgate(&["mutate", TALLY, "--limit", "5", "--seed", seed, "--json"]).json();
    assert_eq!(run("7")["games"][0]["mutants"], 5);
    assert_eq!(run("7"), run("7"));
}

#[test]
fn without_passing_scenarios_nothing_can_be_learnt() {
    let ran = wyrmgate(&["mutate", "tests/fixtures/failing/nim"]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(
        ran.err.contains("have errors: `wyrmgate test "),
        "{}",
        ran.err
    );
    let ran = wyrmgate(&["mutate", "tests/fixtures/lawless/leaky-deck"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("has no scenarios"), "{}", ran.err);
    assert_eq!(wyrmgate(&["mutate", "no-such-game"]).code, 2);
}
