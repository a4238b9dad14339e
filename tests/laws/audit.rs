//! `wyrmgate audit` and `wyrmgate impact` as a user runs them.

use std::fs;

use serde_json::Value;

use crate::support::command::wyrmgate;

const NIM: &str = "tests/fixtures/games/nim";
/// Its bound is too small.
const SLOW_NIM: &str = "tests/fixtures/lawless/slow-nim";
/// Translates without a warning; what is wrong with it shows in play.
const LOPSIDED: &str = "tests/fixtures/audited/lopsided";
/// Offers what hardly anybody chooses, and cites a clause wherever one can stand.
const SHY: &str = "tests/fixtures/audited/shy";

fn audit(args: &[&str]) -> Value {
    wyrmgate(&[&["audit", "--seed", "7", "--json"], args].concat()).json()
}

fn impact(args: &[&str]) -> Value {
    wyrmgate(&[&["impact", "--seed", "7", "--json"], args].concat()).json()
}

/// The codes of what was found, each with the line it was found on.
fn findings(json: &Value) -> Vec<(&str, u64)> {
    let all = json["findings"].as_array().unwrap().iter();
    all.map(|found| {
        (
            found["code"].as_str().unwrap(),
            found["line"].as_u64().unwrap(),
        )
    })
    .collect()
}

fn measure<'j>(row: &'j Value, name: &str) -> &'j Value {
    let mut measures = row["measures"].as_array().unwrap().iter();
    measures.find(|measure| measure["name"] == name).unwrap()
}

#[test]
fn what_is_never_come_to_is_found_at_its_place() {
    let json = audit(&[LOPSIDED, "-n", "50"]);
    let found = findings(&json);
    let wanted = [
        ("never-offered", 24),
        ("always-held", 25),
        ("never-reached", 26),
        ("never-happened", 28),
        // Effects of what-ifs have run, although nobody sees it.
        ("clause-never-ran", 35),
        ("clause-never-ran", 36),
        ("unused-component", 13),
        ("unused-zone", 10),
        ("never-set", 15),
    ];
    assert_eq!(found, wanted);
    let clauses = &json["reached"]["clauses"];
    assert_eq!(
        (&clauses["reached"], &clauses["all"]),
        (&1.into(), &3.into())
    );
}

/// `windy` is off by default; the games of the other settings reach the rules that it guards.
#[test]
fn what_only_an_option_brings_is_reached_in_its_setting() {
    let alone = audit(&[LOPSIDED, "-n", "50", "--defaults"]);
    let line_of_wind = ("never-reached", 19);
    assert!(findings(&alone).contains(&line_of_wind), "{alone}");
    assert!(alone["other_settings"].as_array().unwrap().is_empty());
    let both = audit(&[LOPSIDED, "-n", "50"]);
    assert!(!findings(&both).contains(&line_of_wind));
    assert_eq!(both["other_settings"][0]["options"]["windy"], "true");
}

#[test]
fn an_unfair_seat_is_told_and_is_a_problem_only_if_asked() {
    let ran = wyrmgate(&["audit", LOPSIDED, "-n", "50", "--seed", "7"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    for part in [
        "lopsided, seed 7, 50 games for each number of seats, 5 in each of 1 other settings",
        "2 seats, fair is  50.0 %",
        "seat 1  100.0 % (92.9 % to 100.0 %)  unfair, p < 0.0001",
        "100.0 %  lopsided/game.yaml:27  finish won by seat(1)",
        "`pray` was never offered in 55 games",
        "UNFAIR: with 2 seats, seat 2 wins less than its share",
        "55 games: every game ended, and no decision was stuck; 9 findings",
    ] {
        assert!(ran.out.contains(part), "no `{part}` in\n{}", ran.out);
    }
    let strict = wyrmgate(&["audit", LOPSIDED, "-n", "50", "--seed", "7", "--strict"]);
    assert_eq!(strict.code, 1);
}

#[test]
fn a_game_that_does_not_end_is_an_error_with_the_command_that_shows_it() {
    let args = ["-n", "20", "--seats", "3", "--seed", "7", "--defaults"];
    let ran = wyrmgate(&[&["audit", SLOW_NIM], &args[..]].concat());
    assert_eq!(ran.code, 1, "{}", ran.out);
    let found =
        "error[bound]: the game is not over after 3 decisions, which its rules state as its bound";
    assert!(ran.out.contains(found), "{}", ran.out);
    let (_, command) = ran.out.split_once("reproduce: `wyrmgate ").unwrap();
    let command = command.split('`').next().unwrap();
    let again: Vec<&str> = command.split(' ').collect();
    let again = wyrmgate(&again);
    assert!(again.out.contains(found), "{command}: {}", again.out);
}

/// The findings at a line: code and message.
fn finding_at(json: &Value, line: u64) -> (&str, &str) {
    let mut all = json["findings"].as_array().unwrap().iter();
    let found = all.find(|found| found["line"] == line);
    let found = found.unwrap_or_else(|| panic!("nothing at {line}: {}", json["findings"]));
    let text = |member: &str| found[member].as_str().unwrap();
    (text("code"), text("message"))
}

/// A random player hardly ever takes one of 50,001 choices.
#[test]
fn what_is_offered_and_never_chosen_is_told_apart_from_what_is_never_offered() {
    let json = audit(&[SHY, "-n", "20", "--defaults", "--seats", "2"]);
    assert_eq!(
        finding_at(&json, 32),
        (
            "never-chosen",
            "`rare` was offered 40 times and never chosen in 20 games"
        )
    );
    assert_eq!(
        finding_at(&json, 33),
        ("never-offered", "`never` was never offered in 20 games")
    );
    // An effect that only an option leads to has the same cause.
    let (code, message) = finding_at(&json, 37);
    assert_eq!(code, "never-happened");
    assert!(message.contains("offered 40 times"), "{message}");
    assert!(message.contains("because `rare` was"), "{message}");
    // Cards, too: with twenty games of two choices most of 200 are never chosen.
    let (code, message) = finding_at(&json, 15);
    assert_eq!(code, "unused-component");
    assert!(
        message.contains("though it could be chosen at 6480 decisions"),
        "{message}"
    );
    let options = json["reached"]["each_option"].as_array().unwrap();
    let counts: Vec<_> = options
        .iter()
        .map(|option| {
            let count = |member: &str| option[member].as_u64().unwrap();
            (option["option"].as_str(), count("offered"), count("chosen"))
        })
        .collect();
    let wanted = [
        (Some("rare"), 40, 0),
        (Some("never"), 0, 0),
        (Some("often"), 40, 40),
        (None, 40, 40),
    ];
    assert_eq!(counts, wanted);
}

/// A clause counts wherever it is cited; the report lists clauses that no game used.
#[test]
fn every_clause_is_counted() {
    let json = audit(&[SHY, "-n", "20", "--defaults", "--seats", "2"]);
    let findings = json["findings"].as_array().unwrap().iter();
    let idle = findings.filter(|found| found["code"] == "clause-never-ran");
    let idle: Vec<&str> = idle
        .map(|found| {
            found["excerpt"]
                .as_str()
                .unwrap()
                .trim()
                .split(':')
                .next()
                .unwrap()
        })
        .collect();
    let wanted = ["SHY-04", "SHY-07", "SHY-12", "SHY-20", "SHY-21", "SHY-25"];
    assert_eq!(idle, wanted);
    let clauses = &json["reached"]["clauses"];
    assert_eq!(clauses, &serde_json::json!({"reached": 19, "all": 25}));
}

#[test]
fn an_audit_is_the_same_on_any_number_of_threads() {
    let run = |jobs| audit(&[NIM, "-n", "60", "--positions", "--threads", jobs]);
    let (one, many) = (run("1"), run("3"));
    assert_eq!(one, many);
    assert_eq!(one["rows"][0]["games"], 60);
    assert!(one["rows"][0]["positions"].as_u64().unwrap() > 10);
}

#[test]
fn its_games_are_those_of_a_simulation_of_the_same_seed() {
    let args = [NIM, "-n", "40", "--seats", "3"];
    let audited = audit(&[&args[..], &["--defaults"]].concat());
    let simulated = wyrmgate(&[&["simulate", "--seed", "7", "--json"], &args[..]].concat()).json();
    let row = &audited["rows"][0];
    assert_eq!(row["decisions"]["median"], simulated["length"]["median"]);
    assert_eq!(row["decisions"]["max"], simulated["length"]["most"]);
    for seat in 0..3 {
        assert_eq!(row["wins"][seat]["count"], simulated["wins"][seat]["count"]);
    }
}

#[test]
fn the_same_rules_have_no_impact() {
    let json = impact(&[NIM, NIM, "-n", "50", "--seats", "2"]);
    for measure in json["rows"][0]["measures"].as_array().unwrap() {
        assert_eq!(measure["base"], measure["other"], "{measure}");
        assert_eq!(measure["difference"]["mean"], 0.0, "{measure}");
        assert_eq!(measure["significant"], false, "{measure}");
    }
}

#[test]
fn a_longer_game_is_found_to_be_longer_and_stones_to_be_used_as_often() {
    let json = impact(&[NIM, NIM, "-n", "100", "--other-option", "heap_size=18"]);
    assert_eq!(json["other"]["title"], "nim heap_size=18");
    let row = &json["rows"][0];
    let decisions = measure(row, "decisions");
    assert_eq!(decisions["significant"], true, "{decisions}");
    assert!(
        decisions["difference"]["low"].as_f64().unwrap() > 2.0,
        "{decisions}"
    );
    assert_eq!(row["uses"][0]["kind"], "stone");
    assert_eq!(row["uses"][0]["other"]["in_play"], 1.0);
    let leading = row["measures"].as_array().unwrap().iter();
    let mut leading = leading.filter(|m| m["name"] == "changes of the lead");
    assert!(leading.next().is_none(), "nim says nothing about who leads");
}

#[test]
fn impact_is_told_as_a_table() {
    let ran = wyrmgate(&[
        "impact",
        NIM,
        NIM,
        "-n",
        "50",
        "--seats",
        "2",
        "--seed",
        "7",
        "--other-option",
        "heap_size=18",
    ]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    for part in [
        "nim and nim heap_size=18, seed 7",
        "2 seats, 50 games",
        "seat 1 wins",
        "drawn",
    ] {
        assert!(ran.out.contains(part), "no `{part}` in\n{}", ran.out);
    }
    let mut lines = ran.out.lines();
    let decisions = lines
        .find(|line| line.trim_start().starts_with("decisions "))
        .unwrap();
    assert!(decisions.ends_with(" *"), "{decisions}");
}

#[test]
fn both_can_be_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("picture.svg");
    let path = file.to_str().unwrap();
    for (args, title) in [
        (&["audit", NIM][..], "nim: wins by seat"),
        (&["impact", NIM, NIM], "2 seats: wins. Intervals"),
    ] {
        let ran = wyrmgate(&[args, &["-n", "5", "--svg", path]].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        let picture = fs::read_to_string(&file).unwrap();
        assert!(picture.contains(title), "{picture}");
        assert!(
            !picture.contains("NaN") && !picture.contains("inf"),
            "{picture}"
        );
    }
}

#[test]
fn what_cannot_be_audited_as_asked_ends_with_two() {
    for args in [
        &["audit"][..],
        &["audit", "no-such-game"],
        &["audit", NIM, "--seats", "9"],
        &["audit", NIM, "--option", "heap_size=99"],
        &["audit", NIM, "--seed", "xyz"],
        &["impact", NIM],
        &["impact", NIM, "no-such-game"],
        &["impact", NIM, NIM, "--seats", "9"],
        &["impact", NIM, NIM, "--other-option", "heap_size=99"],
        &["impact", NIM, LOPSIDED, "--seats", "3"],
    ] {
        let ran = wyrmgate(args);
        assert_eq!(ran.code, 2, "{args:?}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains("error: "), "{args:?}: {}", ran.err);
    }
}

/// Plays on where its author has hardly thought of it.
const FORGETFUL: &str = "tests/fixtures/audited/forgetful";

/// What was noticed, with the line, and whether it was so in all games.
fn noticed(rows: &Value, games: u64) -> Vec<(String, u64, bool)> {
    let rows = rows.as_array().unwrap().iter();
    rows.map(|row| {
        for number in ["times", "game"] {
            assert!(row[number].as_u64().unwrap() > 0, "{row}");
        }
        assert!(
            row["setting"]
                .as_str()
                .unwrap()
                .ends_with(" seats, defaults"),
            "{row}"
        );
        assert_eq!(row["seed"].as_str().unwrap().len(), 64, "{row}");
        let what = row["what"].as_str().unwrap().to_owned();
        (what, row["line"].as_u64().unwrap(), row["games"] == games)
    })
    .collect()
}

#[test]
fn what_rules_do_silently_is_noticed_with_its_line_and_a_game() {
    let of = |what: &str, line, always| (what.to_owned(), line, always);
    // Three seats are dealt seven cards, four each.
    let wanted = [
        of("unfinished", 13, true),
        of("drawn-from-empty", 15, true),
        of("drawn-short", 15, true),
        of("skipped", 17, true),
        of("drawn-from-empty", 18, true),
    ];
    let args = [FORGETFUL, "--seats", "3", "-n", "20"];
    let json = audit(&args);
    assert_eq!(json["ok"], true);
    assert_eq!(noticed(&json["noticed"], 20), wanted);
    let laws = wyrmgate(&[&["laws", "--seed", "7", "--json"], &args[..]].concat()).json();
    assert_eq!(noticed(&laws["games"][0]["noticed"], 20), wanted);
    for command in ["audit", "laws"] {
        let ran = wyrmgate(&[&[command, "--seed", "7"], &args[..]].concat());
        assert_eq!(ran.code, 0, "{}", ran.out);
        for part in [
            "forgetful/game.yaml:17",
            "nobody had a choice",
            "there was nothing left to draw",
            "in 20 games, first in game 1, 3 seats, defaults",
        ] {
            assert!(ran.out.contains(part), "no `{part}` in\n{}", ran.out);
        }
    }
    // Two seats have enough at first, and `else` and `may` say what happens without a choice.
    let two = audit(&[FORGETFUL, "--seats", "2", "-n", "20"]);
    let lines: Vec<_> = noticed(&two["noticed"], 20)
        .into_iter()
        .map(|(what, line, _)| (what, line))
        .collect();
    assert!(
        !lines.contains(&("skipped".to_owned(), 19))
            && !lines.contains(&("skipped".to_owned(), 21))
    );
}

/// A board with values is in use, and the end of an effect is no statement.
#[test]
fn seats_that_nobody_asks_and_games_that_nobody_wins_are_found() {
    let json = audit(&["tests/fixtures/audited/silent", "-n", "20"]);
    assert_eq!(findings(&json), [("never-asked", 4), ("never-won", 4)]);
    let statements = &json["reached"]["statements"];
    assert_eq!(statements["reached"], statements["all"]);
    let stayed = [("stayed".to_owned(), 18, true)];
    assert_eq!(noticed(&json["noticed"], 20), stayed);
}
