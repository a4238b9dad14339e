//! `wyrmgate mutate` as a user runs it.

use std::fs;
use std::path::Path;

use serde_json::Value;

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
    let json = wyrmgate(&["mutate", TALLY, "--json", "--threads", "2"]).json();
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
    let other = wyrmgate(&["mutate", TALLY, "--json", "--threads", "1"]).json();
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
fn without_passing_scenarios_nothing_can_be_learned() {
    let ran = wyrmgate(&["mutate", "tests/fixtures/failing/nim"]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(
        ran.err.contains("have errors: `wyrmgate test "),
        "{}",
        ran.err
    );
    assert!(
        ran.err.contains("a scenario's step has no `wating`"),
        "{}",
        ran.err
    );
    let ran = wyrmgate(&[
        "mutate",
        "tests/fixtures/overturned/tally/variants/long.yaml",
    ]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    for part in [
        "FAIL  Three are not enough",
        "long.scenarios.yaml:4:7",
        "shows them all",
    ] {
        assert!(ran.err.contains(part), "no `{part}` in\n{}", ran.err);
    }
    let ran = wyrmgate(&["mutate", "tests/fixtures/lawless/leaky-deck"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("has no scenarios"), "{}", ran.err);
    assert_eq!(wyrmgate(&["mutate", "no-such-game"]).code, 2);
}

/// A game of its own, with one scenario that notices nothing.
fn survivors(players: &str, play: &str) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("own");
    fs::create_dir_all(game.join("scenarios")).unwrap();
    let mut text = format!("game: own\nplayers: {players}\nbound: 9\n");
    text +=
        "zones:\n  pile: {holds: card}\n  slot: {each: {owner: seats}, holds: card, capacity: 1}\n";
    text += "components:\n  card: {copies: 5, in: pile}\neffects:\n  play: |\n";
    for line in play.lines() {
        text += &format!("    {line}\n");
    }
    fs::write(game.join("game.yaml"), text).unwrap();
    let scenario = "- scenario: It is played\n  steps: [{waiting: {}}]\n";
    fs::write(game.join("scenarios/own.yaml"), scenario).unwrap();
    let json = wyrmgate(&["mutate", game.to_str().unwrap(), "--json"]).json();
    json["games"][0]["survivors"].as_array().unwrap().clone()
}

fn messages(survivors: &[Value]) -> Vec<&str> {
    let messages = survivors.iter();
    let messages = messages.map(|survivor| survivor["message"].as_str().unwrap());
    messages
        .map(|message| message.trim_start_matches("no scenario notices: "))
        .collect()
}

const ENDS: &str = "\
each p in seats: move top(pile) to slot(p)
choose n in 1..2 by seat(1): finish won by left(seat(1))
if last(slot(seat(1))) = top(pile): seat(2).right scores 1
";

#[test]
fn of_two_seats_and_of_one_component_no_order_is_changed() {
    let of_two = survivors("2", ENDS);
    let of_two = messages(&of_two);
    let of_three = survivors("2..3", ENDS);
    let of_three = messages(&of_three);
    let tops = |all: &[&str]| {
        all.iter()
            .filter(|m| **m == "`top` becomes `bottom`")
            .count()
    };
    for change in ["`left` becomes `right`", "`right` becomes `left`"] {
        assert!(!of_two.contains(&change), "{of_two:#?}");
        assert!(of_three.contains(&change), "{of_three:#?}");
    }
    for all in [of_two, of_three] {
        assert!(!all.contains(&"`last` becomes `first`"), "{all:#?}");
        assert_eq!(tops(&all), 2, "the pile holds several: {all:#?}");
    }
}

#[test]
fn a_lost_condition_is_shown_from_its_where_on() {
    let scores = "seat(1) scores count((1..3)  where it < n)";
    let survivors = survivors("2", &format!("choose n in 1..2 by seat(1)\n{scores}"));
    let lost = survivors.iter();
    let mut lost = lost.filter(|s| {
        s["message"]
            .as_str()
            .unwrap()
            .ends_with("`where` is left out")
    });
    let lost = lost.next().expect("the condition is left out");
    let begins = "    seat(1) scores count((1..3)  where".len() - "where".len() + 1;
    assert_eq!(lost["column"], begins, "{lost:#}");
    assert_eq!(
        lost["end_column"],
        begins + "where it < n".len(),
        "{lost:#}"
    );
}

#[test]
fn where_nothing_can_be_killed_no_kill_is_claimed() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("tally");
    fs::create_dir_all(game.join("variants")).unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join(TALLY);
    fs::copy(from.join("game.yaml"), game.join("game.yaml")).unwrap();
    let write = |file: &str, text: &str| fs::write(game.join("variants").join(file), text).unwrap();
    write("named.yaml", "extends: tally\ntitle: Another name\n");
    write(
        "named.scenarios.yaml",
        "- scenario: It is played\n  steps: [{random: 1}]\n",
    );
    let file = game.join("variants/named.yaml");
    let ran = wyrmgate(&["mutate", file.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(
        ran.out.contains("0 stillborn; nothing to kill"),
        "{}",
        ran.out
    );
}
