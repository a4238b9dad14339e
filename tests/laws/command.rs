//! `wyrmgate laws` as a user runs it.

use std::fs;

use serde_json::Value;

use crate::support::command::wyrmgate;

const NIM: &str = "tests/fixtures/games/nim";
/// Its bound is too small.
const SLOW_NIM: &str = "tests/fixtures/lawless/slow-nim";

fn numbers(value: &Value, keys: &[&str]) -> Vec<u64> {
    keys.iter()
        .map(|key| value[*key].as_u64().unwrap())
        .collect()
}

#[test]
fn a_lawful_game_is_told_with_its_lengths() {
    let ran = wyrmgate(&["laws", NIM, "-n", "20", "--seed", "7"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    for part in [
        "nim, 24 settings, seed 7",
        "defaults",
        "heap_size=3",
        "lengths of 480 games, in decisions (bound 30)",
        "480 games, seed 7: all laws hold",
    ] {
        assert!(ran.out.contains(part), "no `{part}` in\n{}", ran.out);
    }
    assert_eq!(ran.err, "", "progress is for terminals");
}

#[test]
fn a_broken_law_is_told_with_the_command_that_shows_it() {
    let ran = wyrmgate(&["laws", SLOW_NIM, "-n", "20", "--seats", "3", "--seed", "7"]);
    assert_eq!(ran.code, 1, "{}", ran.out);
    let found = "BROKEN ends: not over at its bound of 3 (after 3 decisions)";
    assert!(ran.out.contains(found), "{}", ran.out);
    let command = ran
        .out
        .lines()
        .find_map(|line| line.trim().strip_prefix("reproduce: `wyrmgate "))
        .unwrap();
    let command = command.trim_end_matches('`');
    let again: Vec<&str> = command.split(' ').collect();
    let again = wyrmgate(&again);
    assert_eq!(again.code, 1, "{command}: {}{}", again.out, again.err);
    assert!(again.out.contains(found), "{}", again.out);
    assert!(again.out.contains("1 games, seed 7"), "{}", again.out);
    assert!(
        ran.out.contains("game.yaml:"),
        "the place of the next decision: {}",
        ran.out
    );
}

#[test]
fn a_game_found_in_a_rules_folder_is_found_there_again() {
    let rules = "tests/fixtures/lawless";
    let ran = wyrmgate(&[
        "laws", "slow-nim", "--rules", rules, "-n", "3", "--seed", "7",
    ]);
    let again = "`wyrmgate laws slow-nim --rules tests/fixtures/lawless --seats";
    assert!(ran.out.contains(again), "{}", ran.out);
    assert_eq!(
        ran.out.matches("BROKEN").count(),
        1,
        "one cause, whatever the setting: {}",
        ran.out
    );
}

#[test]
fn what_is_revealed_is_listed_and_what_need_not_be_is_told() {
    let ran = wyrmgate(&[
        "laws",
        "tests/fixtures/lawful/revealing",
        "-n",
        "100",
        "--seed",
        "7",
    ]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    for part in [
        "revealed deliberately:",
        "game.yaml:20:",
        "distinguished worlds 0 times",
        "WARNING not needed",
        "pairs of worlds",
    ] {
        assert!(ran.out.contains(part), "no `{part}` in\n{}", ran.out);
    }
    let args = [
        "laws",
        "tests/fixtures/lawful/revealing",
        "-n",
        "100",
        "--seed",
        "7",
        "--json",
    ];
    let reveals = wyrmgate(&args).json()["games"][0]["reveals"].clone();
    let rows = reveals.as_array().unwrap();
    assert_eq!(rows.len(), 2, "{reveals}");
    let needed: Vec<bool> = rows.iter().map(|row| row["warning"].is_null()).collect();
    assert_eq!(needed, [true, false], "{reveals}");
    assert!(rows[0]["told_apart"].as_u64().unwrap() > 0, "{reveals}");
}

#[test]
fn rules_that_tell_what_is_hidden_are_found() {
    let ran = wyrmgate(&[
        "laws",
        "tests/fixtures/lawless/leaky-deck",
        "-n",
        "5",
        "--thorough",
    ]);
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert!(
        ran.out
            .contains("influences what it receives: the decision it owes"),
        "{}",
        ran.out
    );
}

/// The report names a secret that exists only in a suspended effect.
#[test]
fn secret_answers_and_random_choices_that_are_told_later_are_named() {
    let game = "tests/fixtures/lawless/undeclared";
    let ran = wyrmgate(&["laws", game, "-n", "60", "--law", "hidden", "--seed", "3"]);
    for part in [
        "the secret answer of seat ",
        ": `{\"args\":{\"hidden\":\"left_fist\"}}` or `{\"args\":{\"hidden\":\"right_fist\"}}`",
        "`number`, chosen at random",
    ] {
        assert!(ran.out.contains(part), "no `{part}` in\n{}", ran.out);
    }
}

/// Everything lies open, and nothing is drawn: there is nothing to compare.
#[test]
fn the_law_of_what_is_hidden_is_not_looked_at_where_nothing_is_hidden() {
    let args = [
        "laws",
        "GAME",
        "-n",
        "5",
        "--law",
        "hidden",
        "--thorough",
        "--json",
    ];
    for (game, is_looked_at) in [("tic-tac-toe", false), ("kuhn-poker", true)] {
        let args = args.map(|arg| if arg == "GAME" { game } else { arg });
        let looked = wyrmgate(&args).json()["looked"]["hidden"].as_u64();
        assert_eq!(looked > Some(0), is_looked_at, "{game}: {looked:?}");
    }
}

#[test]
fn a_hopeless_setting_is_left_early_and_its_games_have_seeds() {
    let args = [
        "laws",
        SLOW_NIM,
        "--option",
        "heap_size=20",
        "--threads",
        "1",
        "--json",
    ];
    let json = wyrmgate(&args).json();
    assert_eq!(
        (&json["ok"], &json["interrupted"]),
        (&Value::Bool(false), &Value::Bool(false))
    );
    let rows = json["games"][0]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2, "one for each number of seats");
    let row = &rows[0];
    assert_eq!(row["options"]["heap_size"], "20");
    assert_eq!(row["games"], 10, "{row}");
    assert_eq!(row["violations"][0]["law"], "ends");
    assert_eq!(row["violations"][0]["seed"].as_str().unwrap().len(), 64);
}

#[test]
fn what_is_looked_at_does_not_change_the_games() {
    let run = |more: &[&str]| {
        let args = [
            "laws",
            NIM,
            "-n",
            "30",
            "--seed",
            "7",
            "--defaults",
            "--json",
        ];
        wyrmgate(&[&args[..], more].concat()).json()
    };
    let (sampled, thorough, one) = (run(&[]), run(&["--thorough"]), run(&["--law", "saved"]));
    assert_eq!(sampled["games"], thorough["games"]);
    assert_eq!(sampled["games"], one["games"]);
    let looked = |json: &Value| json["looked"]["saved"].as_u64().unwrap();
    assert!(looked(&sampled) < looked(&thorough));
    assert_eq!(looked(&sampled), looked(&one));
    assert_eq!(one["looked"].as_object().unwrap().len(), 1);
}

#[test]
fn lengths_agree_with_a_simulation_of_the_same_seed() {
    let args = [NIM, "-n", "40", "--seed", "7", "--seats", "3", "--json"];
    let laws = wyrmgate(&[&["laws", "--defaults"], &args[..]].concat()).json();
    let simulated = wyrmgate(&[&["simulate"], &args[..]].concat()).json();
    let here = numbers(
        &laws["games"][0]["decisions"],
        &["min", "median", "p95", "max"],
    );
    let there = numbers(&simulated["length"], &["least", "median", "p95", "most"]);
    assert_eq!(here, there);
}

#[test]
fn lengths_can_be_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lengths.svg");
    let ran = wyrmgate(&[
        "laws",
        NIM,
        "-n",
        "5",
        "--defaults",
        "--svg",
        file.to_str().unwrap(),
    ]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let drawn = fs::read_to_string(file).unwrap();
    assert!(drawn.contains("nim: decisions per game") && drawn.contains("10 games; "));
}

#[test]
fn what_cannot_be_proved_as_asked_ends_with_two() {
    for args in [
        &["laws"][..],
        &["laws", "no-such-game"],
        &["laws", NIM, "--seats", "9"],
        &["laws", NIM, "--option", "heap_size=99"],
        &["laws", NIM, "--law", "gravity"],
        &["laws", NIM, "--seed", "xyz"],
        &["laws", NIM, "--game", "0"],
    ] {
        let ran = wyrmgate(args);
        assert_eq!(ran.code, 2, "{args:?}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains("error: "), "{args:?}: {}", ran.err);
    }
}
