//! The commands as a user runs them: what they print, and how they end.

#![cfg(test)]

#[path = "cli/operators.rs"]
mod operators;
mod support;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use support::command::{Ran, Service, wyrmgate, wyrmgate_with_input};

const NIM: &str = "tests/fixtures/games/nim";
const GAMES: &str = "tests/fixtures/games";
const FAILING: &str = "tests/fixtures/failing";
const FAULTY: &str = "tests/fixtures/faulty";

const COMMANDS: [&str; 27] = [
    "serve",
    "check",
    "test",
    "play",
    "simulate",
    "laws",
    "audit",
    "impact",
    "mutate",
    "replay",
    "openapi",
    "health",
    "perft",
    "bench",
    "key",
    "new",
    "fmt",
    "schema",
    "docs",
    "lsp",
    "explain",
    "diff",
    "draw",
    "print",
    "doctor",
    "completions",
    "man",
];

fn lines_of_json(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn every_command_has_help_with_examples() {
    for command in COMMANDS {
        let ran = wyrmgate(&[command, "--help"]);
        assert_eq!(ran.code, 0, "{command}");
        assert!(
            ran.out.contains("Examples:\n  wyrmgate"),
            "{command}: {}",
            ran.out
        );
    }
}

#[test]
fn what_cannot_be_done_as_asked_ends_with_two() {
    for args in [
        &["no-such-command"][..],
        &["check", "no-such-folder"],
        &["simulate", "no-such-game", "--rules", GAMES],
        &["simulate", NIM, "--seats", "9"],
        &["simulate", NIM, "--option", "heap_size=99"],
        &["simulate", NIM, "--option", "no_such_option=1"],
        &["play", NIM, "--seat", "3"],
        &["play", NIM, "--lang", "es"],
        &["replay", "no-such-file.json"],
        &["health", "--url", "not-a-url"],
        &["bench", NIM, "--seed", "xyz"],
        &["perft", NIM, "--distinct", "--information-sets"],
    ] {
        let ran = wyrmgate(args);
        assert_eq!(ran.code, 2, "{args:?}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains("error: "), "{args:?}: {}", ran.err);
    }
}

#[test]
fn a_mistyped_game_gets_advice() {
    let ran = wyrmgate(&["bench", "nmi", "--rules", GAMES]);
    assert!(ran.err.contains("did you mean `nim`?"), "{}", ran.err);
}

// ---- check

#[test]
fn rules_without_problems_are_good() {
    for folder in [NIM, GAMES, &format!("{NIM}/game.yaml")] {
        let ran = wyrmgate(&["check", folder]);
        assert_eq!((ran.code, ran.out.as_str()), (0, "nim: no problems\n"));
    }
}

#[test]
fn problems_are_shown_at_their_place() {
    let ran = wyrmgate(&["check", FAULTY]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("broken/game.yaml:5:"), "{}", ran.out);
    assert!(ran.out.contains("broken: 1 error"), "{}", ran.out);
}

#[test]
fn a_check_can_be_read_by_programs() {
    let ran = wyrmgate(&["check", FAULTY, "--json"]);
    let json = ran.json();
    assert_eq!((ran.code, &json["ok"]), (1, &Value::Bool(false)));
    let problem = &json["games"][0]["diagnostics"][0];
    assert_eq!(problem["file"], "broken/game.yaml");
    assert_eq!(problem["line"], 5);
    assert_eq!(wyrmgate(&["check", NIM, "--json"]).json()["ok"], true);
}

// ---- test

#[test]
fn passing_scenarios_show_their_clauses() {
    let ran = wyrmgate(&["test", NIM, "--full"]);
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert!(
        ran.out.contains("3 scenarios: 3 passed, 0 failed"),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("clauses: 2 of 2 shown, 100 %"),
        "{}",
        ran.out
    );
}

#[test]
fn failures_show_expected_and_found_side_by_side() {
    let ran = wyrmgate(&["test", FAILING]);
    assert_eq!(ran.code, 1);
    for part in [
        "FAIL  Too many stones",
        "nim/scenarios/wrong.yaml:5:7",
        "        expected │ found\n        count: 4 │ count: 3\n",
        "nim/scenarios/wrong.yaml:6:15",
        "        expected │ found\n        5        │ 7\n",
        "        refused  │ accepted\n",
        "illegal-choice",
        "error[events]: this happened",
        "{type: chose, n: 2} │ {type: chose, args: {n: 1}, decision: take_some, seat: 1}",
        "        no such event │ {",
        "error[no-default]: there is no default for this decision",
        "possible here: {n: 1} · {n: 2} · {n: 3}",
        "9 seats",
    ] {
        assert!(ran.out.contains(part), "no `{part}` in\n{}", ran.out);
    }
}

#[test]
fn mistakes_in_scenario_files_are_shown_like_those_in_rules() {
    let ran = wyrmgate(&["test", FAILING]);
    for part in [
        "nim/scenarios/unreadable.yaml:4:7",
        "did you mean `waiting`?",
        "did you mean `count`?",
        "there is no clause `NIM-03`",
        "did you mean `heap`?",
        "nim/scenarios/unreadable.yaml:10:21",
        "nim/scenarios/unreadable.yaml:13:",
    ] {
        assert!(ran.out.contains(part), "no `{part}` in\n{}", ran.out);
    }
}

/// A report says either that a scenario has a mistake or that it passed, and nothing about what did not run.
#[test]
fn a_scenario_with_a_mistake_does_not_run() {
    let rules = rules_with_variants();
    let folder = rules.path().join("nim/scenarios");
    fs::create_dir_all(&folder).unwrap();
    let test = |text: &str| {
        fs::write(folder.join("own.yaml"), text).unwrap();
        wyrmgate(&["test", rules.path().join("nim").to_str().unwrap()]).out
    };
    let comma = test(
        "- scenario: Split\n  steps:\n    - expect: [count(heap) = 7, min(1, 2) = 1]\n- scenario: Whole\n  steps: []\n",
    );
    assert!(comma.contains("error[yaml-comma]"), "{comma}");
    assert!(!comma.contains("ok    Split"), "{comma}");
    assert!(comma.contains("ok    Whole"), "{comma}");
    let anchor = test("- scenario: Repeats\n  steps: [*nothing]\n");
    assert!(anchor.contains("error[yaml-alias]"), "{anchor}");
    let of_nim = anchor.split("\nnim+short").next().unwrap();
    assert!(!of_nim.contains("0 scenarios"), "{anchor}");
    let twice = test("- scenario: Again\n  steps: []\n- scenario: Again\n  steps: []\n");
    assert!(twice.contains("warning[duplicate-scenario]"), "{twice}");
}

#[test]
fn a_clause_that_is_claimed_and_never_reached_is_a_warning() {
    let ran = wyrmgate(&["test", FAILING]);
    assert!(ran.out.contains("warning[idle-clause]"), "{}", ran.out);
}

#[test]
fn a_test_can_be_read_by_programs() {
    let json = wyrmgate(&["test", FAILING, "--json"]).json();
    let game = &json["games"][0];
    assert_eq!(json["ok"], false);
    let failures = &game["scenarios"][0]["failures"];
    assert_eq!(failures[0]["file"], "nim/scenarios/wrong.yaml");
    assert_eq!(
        (&failures[0]["line"], &failures[0]["column"]),
        (&5.into(), &7.into())
    );
    assert_eq!(
        (&failures[0]["expected"], &failures[0]["found"]),
        (&"count: 4".into(), &"count: 3".into())
    );
    assert_eq!(failures.as_array().map(Vec::len), Some(4));
    assert_eq!(game["coverage"]["missing"][0]["clause"], "NIM-01");
}

#[test]
fn the_failed_scenario_of_a_variant_is_run_again_by_a_path_from_here() {
    let ran = wyrmgate(&["test", "tests/fixtures/overturned"]);
    assert_eq!(ran.code, 1);
    let again =
        "reproduce: `wyrmgate test tests/fixtures/overturned/tally/variants/long.yaml --scenario";
    assert!(ran.out.contains(again), "{}", ran.out);
    let ran = wyrmgate(&["test", "./tests/fixtures/overturned/tally"]);
    assert!(
        ran.out.contains("reproduce: `wyrmgate test tests/"),
        "{}",
        ran.out
    );
}

/// Listed values can be typed as listed, and the most similar one comes first.
#[test]
fn a_refused_choice_is_told_what_its_seat_could_have_written() {
    let ran = wyrmgate(&["test", "tests/fixtures/refused/cards"]);
    assert_eq!(ran.code, 1);
    for part in [
        "seat 1 sees `card-3` as `row-1#3`: write `c: row-1#3`",
        "possible here: {n: 2, c: row-1#1} · {n: 2, c: row-1#2}",
        "possible here: {n: 1, c: row-1#5} · {n: 2, c: row-1#5} · {n: 3, c: row-1#5} · {n: 1, c: row-1#1}",
        "reproduce: `wyrmgate test tests/fixtures/refused/cards --scenario 'A number that is not offered'`",
    ] {
        assert!(ran.out.contains(part), "no `{part}` in\n{}", ran.out);
    }
    assert!(!ran.out.contains("· {n: 2, c: card-"), "{}", ran.out);
    let one = [
        "test",
        "tests/fixtures/refused/cards",
        "--scenario",
        "A number",
    ];
    let one = wyrmgate(&one);
    assert!(
        one.out.contains("1 scenario: 0 passed, 1 failed"),
        "{}",
        one.out
    );
    let none = wyrmgate(&["test", NIM, "--scenario", "no such scenario"]);
    assert_eq!(none.code, 2, "{}", none.err);
}

// ---- simulate, replay, bench

#[test]
fn the_same_seed_gives_the_same_games_on_any_number_of_threads() {
    let simulate = |threads| {
        wyrmgate(&[
            "simulate",
            NIM,
            "-n",
            "300",
            "--seed",
            "7",
            "--json",
            "--threads",
            threads,
        ])
        .json()
    };
    let one = simulate("1");
    assert_eq!(one, simulate("4"));
    assert_eq!(one["games"], 300);
    let wins: u64 = (0..2)
        .map(|seat| one["wins"][seat]["count"].as_u64().unwrap())
        .sum();
    assert_eq!(wins, 300);
    assert_eq!(one["failed"], 0);
}

#[test]
fn a_simulation_tells_wins_intervals_and_lengths() {
    let ran = wyrmgate(&[
        "simulate",
        NIM,
        "-n",
        "50",
        "--seed",
        "7",
        "--seats",
        "3",
        "--option",
        "heap_size=12",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for part in [
        "nim, 3 seats, 50 games",
        "seat 3",
        " % to ",
        "length in decisions: mean",
    ] {
        assert!(ran.out.contains(part), "no `{part}` in\n{}", ran.out);
    }
}

fn simulated_records(folder: &Path) -> Vec<std::path::PathBuf> {
    let ran = wyrmgate(&[
        "simulate",
        NIM,
        "-n",
        "5",
        "--seed",
        "3",
        "--option",
        "first=high",
        "--records",
        folder.to_str().unwrap(),
    ]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let files = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files.collect();
    files.sort();
    files
}

fn replay(file: &Path, more: &[&str]) -> Ran {
    let args = [&["replay", file.to_str().unwrap(), "--rules", GAMES], more].concat();
    wyrmgate(&args)
}

#[test]
fn every_record_of_a_simulation_replays_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let files = simulated_records(folder.path());
    assert_eq!(files.len(), 5);
    for file in files {
        let ran = replay(&file, &[]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.out.contains("The record is correct."), "{}", ran.out);
    }
}

#[test]
fn a_replay_tells_every_state_decision_choice_and_event() {
    let folder = tempfile::tempdir().unwrap();
    let file = &simulated_records(folder.path())[0];
    let record: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let lines = lines_of_json(&replay(file, &["--json"]).out);
    let log = record["log"].as_array().unwrap();
    assert_eq!(lines.len(), log.len() + 1);
    for (number, line) in lines.iter().enumerate() {
        assert_eq!(line["step"], number);
        let zones = line["state"]["zones"].as_object().unwrap();
        let stones: usize = zones
            .values()
            .map(|zone| zone["components"].as_array().unwrap().len())
            .sum();
        assert_eq!(stones, 7, "every component is somewhere");
    }
    for (line, entry) in lines.iter().zip(log) {
        let decision = &line["decisions"][0];
        assert_eq!(decision["complete"], true);
        let choices = decision["choices"].as_array().unwrap();
        assert_eq!(choices.len() as u64, decision["count"].as_u64().unwrap());
        assert!(
            choices
                .iter()
                .any(|choice| choice["args"] == line["choice"]["args"])
        );
        assert_eq!(line["choice"]["args"], entry["args"]);
    }
    let first_events = lines[0]["events"].as_array().unwrap();
    assert!(
        first_events.iter().any(|event| event["type"] == "drawn"),
        "the result of chance is told"
    );
    let last = lines.last().unwrap();
    assert_eq!(last["choice"], Value::Null);
    assert_eq!(
        last["state"]["outcome"]["winners"],
        record["outcome"]["winners"]
    );
}

#[test]
fn a_record_that_was_altered_is_found_out() {
    let folder = tempfile::tempdir().unwrap();
    let file = &simulated_records(folder.path())[0];
    let text = fs::read_to_string(file).unwrap();
    let mut record: Value = serde_json::from_str(&text).unwrap();
    for (alter, complaint) in [
        (
            ("/outcome/winners/0", Value::from(9)),
            "differs from the record",
        ),
        (("/ruleset", Value::from("0")), "ruleset"),
        (("/log/0/args/n", Value::from(4)), "refused"),
        (
            ("/log/0/seat", Value::from(7)),
            "does not owe this decision",
        ),
        (("/seed", Value::from("7")), "64 hexadecimal digits"),
        (("/format", Value::from(2)), "format 2"),
    ] {
        let (pointer, value) = alter;
        let before = std::mem::replace(record.pointer_mut(pointer).unwrap(), value);
        fs::write(file, record.to_string()).unwrap();
        let ran = replay(file, &[]);
        assert_eq!(ran.code, 1, "{pointer}");
        assert!(ran.err.contains(complaint), "{pointer}: {}", ran.err);
        *record.pointer_mut(pointer).unwrap() = before;
    }
}

#[test]
fn overlays_find_the_tables_beside_them() {
    let folder = tempfile::tempdir().unwrap();
    let shop = folder.path().join("shop");
    fs::create_dir_all(shop.join("variants/own")).unwrap();
    let game = "game: shop\ntitle: Shop\nplayers: 2\ndata:\n  wares: {table: wares.csv}\nvars:\n  cost: {type: int}\n\
        effects:\n  play: |\n    cost = sum(wares, .price)\n    finish drawn\n";
    let over = "extends: shop\nadd: {data.tools: {table: more.csv}}\n";
    for (file, text) in [
        ("game.yaml", game),
        ("wares.csv", "ware,price\nsilk,3\nrope,1\n"),
        ("variants/short.yaml", over),
        ("variants/more.csv", "tool,price\npick,2\n"),
        ("variants/own/overlay.yaml", over),
        ("variants/own/more.csv", "tool,price\npick,2\n"),
    ] {
        fs::write(shop.join(file), text).unwrap();
    }
    fs::write(folder.path().join("house.yaml"), over).unwrap();
    fs::write(folder.path().join("more.csv"), "tool,price\npick,2\n").unwrap();
    let rules = folder.path().to_str().unwrap();
    let house = folder.path().join("house.yaml");
    for game in ["shop", "shop+short", "shop+own", house.to_str().unwrap()] {
        let checked = wyrmgate(&["check", game, "--rules", rules]);
        assert_eq!(checked.code, 0, "{game}: {}{}", checked.out, checked.err);
    }
}

#[test]
fn a_simulation_ends_when_it_is_exact_enough_or_its_time_is_over() {
    let exact = wyrmgate(&["simulate", NIM, "--precision", "3", "--seed", "1", "--json"]);
    assert_eq!(exact.code, 0, "{}", exact.err);
    let exact = exact.json();
    for wins in exact["wins"].as_array().unwrap() {
        let [share, low, high] = ["share", "low", "high"].map(|of| wins[of].as_f64().unwrap());
        assert!(high - share <= 0.03 && share - low <= 0.03, "{wins}");
    }
    let games = exact["games"].as_u64().unwrap();
    assert!((800..1_600).contains(&games), "{games}"); // 1.96² × 0.5² / 0.03² are 1,067
    // The first games of a longer run are the same.
    let whole = wyrmgate(&[
        "simulate",
        NIM,
        "-n",
        &games.to_string(),
        "--seed",
        "1",
        "--json",
    ]);
    assert_eq!(whole.json(), exact);

    let cut = wyrmgate(&[
        "simulate",
        NIM,
        "-n",
        "4000000000",
        "--seconds",
        "1",
        "--json",
    ]);
    assert_eq!(cut.code, 1);
    let played = cut.json()["games"].as_u64().unwrap();
    assert!((1..4_000_000_000).contains(&played), "{played}");
    assert!(
        cut.err.contains(&format!("stopped after {played} games")),
        "{}",
        cut.err
    );
}

#[test]
fn a_bench_counts_steps() {
    let json = wyrmgate(&["bench", NIM, "--seconds", "0.1", "--json"]).json();
    assert!(json["steps_per_second"].as_f64().unwrap() > 0.0);
    assert!(json["choices"].as_u64() >= json["steps"].as_u64());
}

/// One thread has had at most one processor.
#[test]
fn a_bench_tells_which_lines_take_the_time() {
    let text = wyrmgate(&["bench", NIM, "--profile", "--playouts", "50"]).out;
    assert!(
        text.contains("share") && text.contains("game.yaml:"),
        "{text}"
    );
    let json = wyrmgate(&["bench", NIM, "--profile", "--playouts", "50", "--json"]).json();
    let lines = json["lines"].as_array().unwrap();
    let share: f64 = lines
        .iter()
        .map(|line| line["share"].as_f64().unwrap())
        .sum();
    assert!((share - 1.0).abs() < 1e-6, "{json}");
    let runs = |line: &Value| line["runs_per_playout"].as_f64().unwrap();
    assert!(lines.iter().any(|line| runs(line) >= 1.0), "{json}");
}

/// Choices are listed by option, so that the expensive one is not hidden behind the line of its decision.
#[test]
fn a_profile_tells_which_option_takes_the_time() {
    let market = "rules/gallery/night-market";
    let json = wyrmgate(&["bench", market, "--profile", "--playouts", "50", "--json"]).json();
    let rules = fs::read_to_string("rules/gallery/night-market/game.yaml").unwrap();
    let share = |text: &str| {
        let line = rules.lines().position(|line| line.contains(text)).unwrap() + 1;
        let lines = json["lines"].as_array().unwrap();
        let found = lines.iter().find(|found| found["line"] == line);
        found.unwrap()["share"].as_f64().unwrap()
    };
    let (play, decision) = (share("option play"), share("choose \"Your turn\""));
    // Shares are times, and vary on a busy machine; the option would have next to none if the decision were charged.
    assert!(play > 0.25 * decision, "{play} {decision}");
}

#[cfg(feature = "native")]
#[test]
fn a_bench_tells_which_lines_are_left_to_the_interpreter() {
    let text = wyrmgate(&["bench", NIM, "--interpreted"]).out;
    assert!(text.contains("everything is machine code"), "{text}");
    let draughts = [
        "bench",
        "international-draughts",
        "--rules",
        "rules/gallery",
        "--interpreted",
    ];
    let text = wyrmgate(&draughts).out;
    let jumps = "value        of a decision          international-draughts/game.yaml:";
    assert!(text.contains(jumps), "{text}");
    let json = wyrmgate(&[&draughts[..], &["--json"]].concat()).json();
    assert_eq!(json["machine_code"], true, "{json}");
    let left = json["left"].as_array().unwrap();
    assert_eq!(left.len(), 1, "{json}");
    assert_eq!(
        (&left[0]["part"], &left[0]["statement"]),
        (&json!("value"), &json!("decision"))
    );
}

#[cfg(feature = "native")]
#[test]
fn a_seed_plays_the_same_games_with_and_without_machine_code() {
    let folders = ["rules", "rules/gallery"].map(|rules| fs::read_dir(rules).unwrap());
    let folders = folders
        .into_iter()
        .flatten()
        .map(|game| game.unwrap().path());
    let games: Vec<_> = folders
        .filter(|game| game.join("game.yaml").exists())
        .collect();
    assert!(games.len() > 40, "{games:?}");
    for game in &games {
        let seeded = [
            "simulate",
            game.to_str().unwrap(),
            "--seed",
            "9",
            "-n",
            "12",
            "--threads",
            "1",
            "--json",
        ];
        let interpreted = wyrmgate(&[&seeded[..], &["--interpret"]].concat()).json();
        assert_eq!(wyrmgate(&seeded).json(), interpreted, "{game:?}");
    }
}

#[test]
fn a_bench_tells_the_time_on_a_processor() {
    let json = wyrmgate(&["bench", NIM, "--playouts", "2000", "--json"]).json();
    let number = |name: &str| json[name].as_f64().unwrap();
    let (wall, cpu) = (number("seconds"), number("cpu_seconds"));
    assert!(cpu > 0.0 && cpu <= wall * 1.05 + 0.01, "{cpu} of {wall}");
    let steps = number("steps");
    assert!((number("steps_per_cpu_second") * cpu / steps - 1.0).abs() < 1e-6);
    let text = wyrmgate(&["bench", NIM, "--playouts", "100"]).out;
    assert!(
        text.contains(" s CPU time") && text.contains(" per CPU second"),
        "{text}"
    );
    let load = wyrmgate(&["bench", NIM, "--load", "--seconds", "0.1", "--json"]).json();
    assert!(load["cpu_milliseconds"]["mean"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_bench_of_loading_tells_milliseconds() {
    let json = wyrmgate(&["bench", NIM, "--load", "--seconds", "0.1", "--json"]).json();
    assert!(json["milliseconds"]["median"].as_f64() >= json["milliseconds"]["least"].as_f64());
    let both = wyrmgate(&["bench", NIM, "--load", "--playouts", "3"]);
    assert_eq!(both.code, 2);
}

#[test]
fn a_bench_plays_as_many_games_as_asked() {
    let bench = ["bench", NIM, "--playouts", "5", "--json"];
    let json = wyrmgate(&bench).json();
    assert_eq!(json["playouts"], 5);
    let listed = wyrmgate(&[&bench[..], &["--list"]].concat()).json();
    assert_eq!(listed["choices"], json["choices"]);
}

/// A report has charts with axes and a legend, and the text of the command.
#[test]
fn studies_write_reports_with_charts() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.html");
    let html = file.to_str().unwrap();
    let few = ["--seed", "1", "--html", html];
    let commands: [&[&str]; 3] = [
        &["simulate", NIM, "-n", "40"],
        &["audit", NIM, "--games", "40"],
        &["impact", NIM, NIM, "--games", "40"],
    ];
    for command in commands {
        let ran = wyrmgate(&[command, &few].concat());
        assert_eq!(ran.code, 0, "{command:?}: {}", ran.err);
        let report = std::fs::read_to_string(&file).unwrap();
        for part in [
            "<svg ",
            "100 %</text>",
            "class=\"grid\"",
            "prefers-color-scheme",
            "decisions in a game",
            "<pre",
        ] {
            assert!(report.contains(part), "{command:?}: {part}");
        }
        assert!(!report.contains("NaN") && !report.contains("http://localhost"));
    }
}

#[test]
fn a_choice_of_a_record_is_shown_statement_by_statement() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().to_str().unwrap();
    let made = wyrmgate(&[
        "simulate",
        NIM,
        "-n",
        "1",
        "--seed",
        "7",
        "--records",
        games,
    ]);
    assert_eq!(made.code, 0, "{}", made.err);
    let file = folder.path().join("nim-000001.json");
    let traced = replay(&file, &["--trace", "1"]);
    assert_eq!(traced.code, 0, "{}", traced.err);
    for part in [
        "nim/game.yaml:25 ",
        "move take(heap, n) to taken(active)",
        "heap is empty",
        "does not hold",
        "→ Seat ",
    ] {
        assert!(traced.out.contains(part), "{part}: {}", traced.out);
    }
    let beyond = replay(&file, &["--trace", "99"]);
    assert!(
        beyond.err.contains("the record has choices 1 to"),
        "{}",
        beyond.err
    );
}

// ---- play

#[test]
fn a_game_can_be_played_through_a_pipe() {
    let ran = wyrmgate_with_input(
        &["play", NIM, "--seed", "7", "--seat", "2"],
        &"1\n".repeat(20),
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("Seat 2 (you)"), "{}", ran.out);
    assert!(ran.out.contains("How many?"), "{}", ran.out);
    assert!(
        ran.out.contains("Won by Seat 1.") || ran.out.contains("You win."),
        "{}",
        ran.out
    );
}

#[test]
fn a_game_speaks_the_language_asked_for_if_it_has_it() {
    let play = |more: &[&str]| {
        let args = [&["play", "mount-drago", "--seed", "7"], more].concat();
        wyrmgate_with_input(&args, "quit\n").out
    };
    assert!(play(&["--lang", "es-MX"]).contains("Juega un naipe"));
    assert!(play(&["--lang", "en"]).contains("Play a card"));
    let wrong = wyrmgate(&["play", "mount-drago", "--lang", "fr"]);
    assert!(wrong.err.contains("one of en, es"), "{}", wrong.err);
}

#[test]
fn a_player_may_mistype_look_again_and_leave() {
    let ran = wyrmgate_with_input(&["play", NIM, "--seed", "7"], "99\nview\nmore\nquit\n");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("Type a number from 1 to 3"), "{}", ran.out);
    assert!(ran.out.ends_with("You leave the table.\n"), "{}", ran.out);
    assert_eq!(
        wyrmgate_with_input(&["play", NIM], "").code,
        0,
        "the input may end"
    );
}

// ---- serve, openapi, health

#[test]
fn a_service_says_where_it_is_and_stops_when_asked() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("embedded:{}", folder.path().join("store.redb").display());
    let service = Service::start(&["--rules", GAMES, "--store", &store]);
    assert_eq!(service.printed[0], "wyrmgate serves nim");
    assert!(
        service.printed[2].ends_with("/docs/"),
        "{:?}",
        service.printed
    );
    let health = wyrmgate(&["health", "--url", &format!("http://{}", service.address)]);
    assert_eq!((health.code, health.out.as_str()), (0, "alive\n"));
    // A file has grown beyond a limit of the process: its disk is full, and it goes on.
    service.signal("XFSZ");
    assert_eq!(service.stop(), 0);
}

#[test]
fn games_with_errors_are_told_and_not_offered() {
    let folder = tempfile::tempdir().unwrap();
    for (name, from) in [
        ("nim", NIM.to_owned()),
        ("broken", format!("{FAULTY}/broken")),
    ] {
        let game = folder.path().join(name);
        fs::create_dir(&game).unwrap();
        let text = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join(from)
            .join("game.yaml");
        fs::copy(text, game.join("game.yaml")).unwrap();
    }
    let rules = folder.path().to_str().unwrap();
    let service = Service::start(&["--rules", rules, "--store", "memory"]);
    assert_eq!(service.printed[0], "wyrmgate serves nim");
}

#[test]
fn a_flag_counts_before_the_environment_and_that_before_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let (file, log) = (folder.path().join("w.yaml"), folder.path().join("log"));
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join(GAMES);
    let settings = format!(
        "rules: {}\nstore: no-such-store\nlog: error\nlog_format: json\n",
        games.display()
    );
    fs::write(&file, settings).unwrap();
    let file = file.to_str().unwrap();
    let variables = [("WYRMGATE_STORE", "memory"), ("WYRMGATE_LOG", "debug")];
    let args = ["--config", file, "--log", "info"];
    let service = Service::start_with(&args, &variables, &log);
    assert_eq!(service.printed[0], "wyrmgate serves nim");
    let asked = std::process::Command::new("curl")
        .args([
            "-s",
            "-H",
            "X-Request-Id: tell-me",
            &format!("http://{}/v1/games", service.address),
        ])
        .output();
    assert!(asked.unwrap().status.success());
    assert_eq!(service.stop(), 0);
    let lines = lines_of_json(&fs::read_to_string(&log).unwrap());
    let line = lines
        .iter()
        .find(|line| line["message"] == "answered")
        .unwrap();
    assert_eq!(line["route"], "/v1/games");
    assert_eq!(line["status"], 200);
    assert_eq!(line["request_id"], "tell-me");
}

#[test]
fn settings_that_make_no_sense_are_misuse() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("w.yaml");
    fs::write(&file, "colour: red\n").unwrap();
    let file = file.to_str().unwrap();
    for args in [
        &["serve", "--config", file][..],
        &["serve", "--config", "no-such-file.yaml"],
        &["serve", "--log", "info=much"],
        &["serve", "--log", "warning"],
        &["serve", "--heartbeat", "soon"],
        &["serve", "--rates", "create=many"],
        &["serve", "--webhook-ports", "0-99999"],
        &["serve", "--webhook-allow", "http://127.0.0.1:9000/path"],
        #[cfg(not(feature = "otel"))]
        &["serve", "--otlp", "http://127.0.0.1:4318"],
    ] {
        let ran = wyrmgate(args);
        assert_eq!(ran.code, 2, "{args:?}: {}", ran.err);
    }
}

#[test]
fn a_misspelled_variable_is_misuse_and_says_what_was_meant() {
    let ran = std::process::Command::new(env!("CARGO_BIN_EXE_wyrmgate"))
        .args(["serve", "--log", "warning"])
        .env("WYRMGATE_STOER", "memory")
        .env("WYRMGATE_SERVICE_HOST", "10.0.0.1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(ran.status.code(), Some(2), "{said}");
    assert!(said.contains("did you mean `WYRMGATE_STORE`?"), "{said}");
    assert!(!said.contains("SERVICE_HOST"), "{said}");
}

#[test]
fn a_store_is_checked_and_a_file_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let (store, file) = (folder.path().join("w.redb"), folder.path().join("w.jsonl"));
    let (store, file) = (store.to_str().unwrap(), file.to_str().unwrap());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let open = wyrmgate::store::open(&format!("embedded:{store}")).await;
        let mut create = wyrmgate::store::Create::new("damaged");
        create.fixed = vec![7; 900].into();
        open.unwrap().create(create).await.unwrap();
    });
    let whole = wyrmgate(&["store", "check", store, "--json"]);
    assert_eq!((whole.code, &whole.json()["sessions"]), (0, &1.into()));
    let mut bytes = fs::read(store).unwrap();
    let at = bytes
        .windows(900)
        .position(|part| part == [7; 900])
        .unwrap();
    bytes[at] ^= 1;
    fs::write(store, bytes).unwrap();
    let damaged = wyrmgate(&["store", "check", store]);
    assert_eq!(damaged.code, 1, "{}", damaged.err);
    assert!(
        damaged.out.contains("damaged session: damaged"),
        "{}",
        damaged.out
    );

    fs::write(file, "mine").unwrap();
    for command in [
        &["store", "backup", file][..],
        &["store", "export", file, "--store", "memory"],
    ] {
        assert_eq!(wyrmgate(command).code, 2);
    }
    assert_eq!(fs::read_to_string(file).unwrap(), "mine");

    let absent = folder.path().join("absent.redb");
    let from = format!("embedded:{}", absent.display());
    let exported = ["store", "export", "new.jsonl", "--store", &from];
    for command in [
        &exported[..],
        &["store", "copy", &from, "embedded:new.redb"],
    ] {
        let slip = wyrmgate(command);
        assert!(
            slip.code == 2 && slip.err.contains("there is no such store"),
            "{}",
            slip.err
        );
        assert!(!absent.exists());
    }
}

#[test]
fn a_key_is_shown_once_with_the_entry_for_the_file() {
    let ran = wyrmgate(&["key", "lobby", "--scopes", "create,manage", "--json"]);
    let json = ran.json();
    let key: wyrmgate::session::Token =
        wyrmgate::session::Token::parse(json["key"].as_str().unwrap()).unwrap();
    assert_eq!(
        json["entry"]["hash"],
        serde_json::to_value(key.hash()).unwrap()
    );
    assert_eq!(
        json["entry"]["scopes"],
        serde_json::json!(["create", "manage"])
    );
    assert_eq!(wyrmgate(&["key", "lobby", "--scopes", "fly"]).code, 2);
}

#[test]
fn a_service_that_cannot_start_says_why() {
    for args in [
        &["serve", "--listen", "nowhere:1", "--store", "memory"][..],
        &[
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--store",
            "memory",
            "--rules",
            "no-such-folder",
        ],
        &[
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--store",
            "no-such-store",
        ],
    ] {
        let ran = wyrmgate(args);
        assert_eq!(ran.code, 1, "{args:?}");
        assert!(ran.err.starts_with("error: "), "{args:?}: {}", ran.err);
    }
}

#[test]
fn the_description_of_the_service_is_json() {
    let json = wyrmgate(&["openapi"]).json();
    assert!(json["openapi"].as_str().unwrap().starts_with("3.1"));
}

#[test]
fn a_server_that_is_not_there_is_not_alive() {
    let ran = wyrmgate(&["health", "--url", "http://127.0.0.1:1"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("does not respond"), "{}", ran.err);
}

#[test]
fn perft_counts_as_text_and_as_json() {
    let counted = wyrmgate(&["perft", NIM, "--depth", "2"]);
    assert_eq!(counted.code, 0, "{}", counted.err);
    assert!(counted.out.contains("\nnodes "), "{}", counted.out);
    assert!(counted.out.contains("A ply is one decision"));
    let json = wyrmgate(&["perft", NIM, "--depth", "2", "--distinct", "--json"]);
    let doc: Value = serde_json::from_str(&json.out).unwrap();
    let nodes: Vec<u64> = doc["plies"]
        .as_array()
        .unwrap()
        .iter()
        .map(|ply| ply["nodes"].as_u64().unwrap())
        .collect();
    assert_eq!(nodes, [2, 6, 18]);
    assert_eq!(doc["nodes"], 26);
    assert_eq!(doc["chance_nodes"], 1);
}

#[test]
fn perft_says_what_it_did_not_play() {
    let ttt = "rules/gallery/tic-tac-toe";
    let ends = |args: &[&str]| -> (Value, Value) {
        let counted = wyrmgate(&[&["perft", ttt, "--json", "--depth"], args].concat());
        let doc: Value = serde_json::from_str(&counted.out).unwrap();
        (
            doc["plies"][5]["finished"].clone(),
            doc["terminal_nodes"].clone(),
        )
    };
    assert_eq!(
        ends(&["5"]),
        (Value::Null, Value::Null),
        "nobody played ply 5"
    );
    assert_eq!(ends(&["5", "--ends"]), (1_440.into(), 1_440.into()));
    assert_eq!(ends(&["6"]).0, 1_440, "ply 5 was played");
    let text = wyrmgate(&["perft", ttt, "--depth", "5"]);
    assert!(text.out.contains("--ends plays them"), "{}", text.out);
    assert_eq!(wyrmgate(&["perft", ttt, "--ends"]).code, 2);
}

#[test]
fn games_lie_in_the_folder_or_on_a_shelf_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let text = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(NIM)
        .join("game.yaml");
    for game in ["zebra", "shelf/ant", "shelf/too/deep"] {
        let game = folder.path().join(game);
        fs::create_dir_all(&game).unwrap();
        fs::copy(&text, game.join("game.yaml")).unwrap();
    }
    let rules = folder.path().to_str().unwrap();
    let checked = wyrmgate(&["check", rules, "--json"]);
    let doc: Value = serde_json::from_str(&checked.out).unwrap();
    let games = doc["games"]
        .as_array()
        .unwrap()
        .iter()
        .map(|game| game["game"].as_str().unwrap());
    assert_eq!(
        games.collect::<Vec<_>>(),
        ["zebra", "ant"],
        "those of the folder first"
    );
    let played = wyrmgate(&["simulate", "ant", "--rules", rules, "-n", "1"]);
    assert_eq!(played.code, 0, "{}", played.err);

    fs::create_dir_all(folder.path().join("other/ant")).unwrap();
    fs::copy(&text, folder.path().join("other/ant/game.yaml")).unwrap();
    let twice = wyrmgate(&["check", rules]);
    assert_eq!(twice.code, 2);
    assert!(twice.err.contains("have the same name"), "{}", twice.err);
}

// ---- overlays

/// Nim with two overlays: one in a file, one in a folder that stands on it.
fn rules_with_variants() -> tempfile::TempDir {
    let rules = tempfile::tempdir().unwrap();
    let game = rules.path().join("nim");
    std::fs::create_dir_all(game.join("variants/shorter/scenarios")).unwrap();
    let write = |path: &str, text: &str| std::fs::write(game.join(path), text).unwrap();
    std::fs::copy(format!("{NIM}/game.yaml"), game.join("game.yaml")).unwrap();
    write(
        "variants/short.yaml",
        "extends: nim\ntitle: Short Nim\nchange: {bound: 25}\nadd: {data.least: 1}\n",
    );
    write(
        "variants/short.scenarios.yaml",
        "- scenario: It has a least\n  steps: [{expect: least = 1}]\n",
    );
    write(
        "variants/shorter/overlay.yaml",
        "extends: nim+short\nchange: {bound: 20}\ninclude: more.yaml\n",
    );
    write("variants/shorter/more.yaml", "change: {data.least: 2}\n");
    write(
        "variants/shorter/scenarios/least.yaml",
        "- scenario: It has a least of two\n  steps: [{expect: least = 2}]\n",
    );
    rules
}

#[test]
fn overlays_are_named_behind_the_game() {
    let rules = rules_with_variants();
    let folder = rules.path().to_str().unwrap();
    let run = |args: &[&str]| wyrmgate(&[args, &["--rules", folder]].concat());
    let tested = run(&["test", "nim+short"]);
    assert!(
        tested.out.contains("ok    It has a least\n"),
        "{}",
        tested.out
    );
    // The game under an overlay is loaded first.
    let tested = run(&["test", "nim+shorter", "--json"]).json();
    assert_eq!(tested["games"][0]["game"], "nim+short+shorter");
    assert_eq!(tested["games"][0]["scenarios"][0]["passed"], true);
    let played = run(&["simulate", "nim+short", "-n", "2", "--seed", "1"]);
    assert!(played.out.starts_with("nim+short, "), "{}", played.out);
    let file = format!("{folder}/nim/variants/short.yaml");
    assert_eq!(
        run(&["check", &file, "--json"]).json()["games"][0]["game"],
        "nim+short"
    );
    let unknown = run(&["check", "nim+shart"]);
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.err.contains("did you mean `short`?"),
        "{}",
        unknown.err
    );
}

#[test]
fn a_folder_stands_for_its_games_with_all_variants() {
    let rules = rules_with_variants();
    let checked = wyrmgate(&["check", rules.path().to_str().unwrap(), "--json"]).json();
    let games = checked["games"].as_array().unwrap().iter();
    let names: Vec<&str> = games.map(|game| game["game"].as_str().unwrap()).collect();
    assert_eq!(names, ["nim", "nim+short", "nim+short+shorter"]);
}

#[test]
fn a_mistake_of_the_base_game_is_told_once_with_the_variants_it_affects() {
    let rules = rules_with_variants();
    let file = rules.path().join("nim/game.yaml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("finish won by", "finish wom by")).unwrap();
    let folder = rules.path().to_str().unwrap();
    let ran = wyrmgate(&["check", folder]);
    assert_eq!(ran.code, 1);
    assert_eq!(
        ran.out.matches("--> nim/game.yaml:").count(),
        1,
        "{}",
        ran.out
    );
    for part in [
        "= note: this is also in nim+short, nim+short+shorter\n",
        "\nnim: 1 error\n",
        "nim+short: no problems of its own, and 1 error of nim\n",
        "nim+short+shorter: no problems of its own, and 1 error of nim\n",
    ] {
        assert!(ran.out.contains(part), "no `{part}` in\n{}", ran.out);
    }
    let json = wyrmgate(&["check", folder, "--json"]).json();
    assert_eq!(json["ok"], false);
    let counts = json["games"].as_array().unwrap().iter().map(|game| {
        let own = game["diagnostics"].as_array().unwrap().len();
        (own, game["inherited"]["errors"].clone(), game["ok"].clone())
    });
    let wanted = [(1, 0), (0, 1), (0, 1)];
    let wanted = wanted.map(|(own, inherited)| (own, Value::from(inherited), Value::from(false)));
    assert_eq!(counts.collect::<Vec<_>>(), wanted);
    // A variant that is checked alone has the mistake.
    let alone = wyrmgate(&["check", "nim+short", "--rules", folder]);
    assert!(alone.out.contains("--> nim/game.yaml:"), "{}", alone.out);
}

/// A name that the base game lost is missed by the overlay that changes it, too: one mistake, one report.
#[test]
fn a_name_that_the_base_game_lost_is_told_once() {
    let rules = rules_with_variants();
    let file = rules.path().join("nim/game.yaml");
    let text = fs::read_to_string(&file).unwrap();
    let text = text.replace("min(3,", "min(most,");
    let text = text.replace("zones:\n", "data:\n  mots: 3\nzones:\n");
    fs::write(&file, text).unwrap();
    let overlay = "extends: nim\nchange: {data.most: 2}\n";
    fs::write(rules.path().join("nim/variants/few.yaml"), overlay).unwrap();
    let ran = wyrmgate(&["check", rules.path().to_str().unwrap()]);
    assert_eq!(ran.out.matches("error[").count(), 1, "{}", ran.out);
}

#[test]
fn an_overlay_of_ones_own_lies_anywhere() {
    let rules = rules_with_variants();
    let folder = rules.path().to_str().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let file = elsewhere.path().join("house.yaml");
    std::fs::write(&file, "extends: nim+short\nchange: {bound: 29}\n").unwrap();
    let file = file.to_str().unwrap();
    let ran = wyrmgate(&["check", file, "--rules", folder]);
    assert!(
        ran.out.ends_with("nim+short+house: 1 warning\n"),
        "{}",
        ran.out
    );
    std::fs::write(file, "extends: nom\n").unwrap();
    let ran = wyrmgate(&["check", file, "--rules", folder]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("did you mean `nim`?"), "{}", ran.err);
}

#[test]
fn a_value_is_explained_with_its_history() {
    let rules = rules_with_variants();
    let folder = rules.path().to_str().unwrap();
    let run = |args: &[&str]| wyrmgate(&[args, &["--rules", folder]].concat());
    let told = run(&["explain", "nim+shorter", "bound"]).out;
    let expected = "bound\n    20\n\n\
        nim/variants/shorter/overlay.yaml:2:10  shorter changes it\n  it was\n    25\n\n\
        nim/variants/short.yaml:3:10  short changes it\n  it was\n    30\n\n\
        nim/game.yaml:6:8  as the game has it\n";
    assert_eq!(told, expected);
    let told = run(&["explain", "nim+shorter", "data.least", "--json"]).json();
    assert_eq!(told["value"], "2");
    assert_eq!(told["history"][1]["deed"], "added");
    assert_eq!(told["original"], Value::Null);
    let all = run(&["explain", "nim+short"]).out;
    assert!(
        all.contains("  + data: `{least: 1}`") || all.contains("  + data.least: `1`"),
        "{all}"
    );
    let unknown = run(&["explain", "nim", "bond"]);
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.err.contains("did you mean `bound`?"),
        "{}",
        unknown.err
    );
}

#[test]
fn two_games_are_compared_value_by_value() {
    let rules = rules_with_variants();
    let folder = rules.path().to_str().unwrap();
    let run = |args: &[&str]| wyrmgate(&[args, &["--rules", folder]].concat());
    let told = run(&["diff", "nim", "nim+short"]);
    assert_eq!(told.code, 0);
    assert!(
        told.out
            .contains("  ~ title  (nim/variants/short.yaml:2:8)\n      - Nim\n      + Short Nim\n"),
        "{}",
        told.out
    );
    let told = run(&["diff", "nim", "nim+short", "--json"]).json();
    assert_eq!(told["clauses"].as_array().unwrap().len(), 0);
    assert!(
        told["values"]
            .as_array()
            .unwrap()
            .iter()
            .any(|d| d["now"] == "Short Nim")
    );
    assert!(run(&["diff", "nim", "nim"]).out.contains("no difference"));
}

#[test]
fn scenarios_of_the_game_are_played_by_the_rules_of_an_overlay() {
    let told = wyrmgate(&["test", "magic-dragon+quick", "--with-base", "--json"]).json();
    assert_eq!(told["ok"], true, "{told}");
    let below = &told["games"][0]["below"][0];
    assert_eq!(below["game"], "magic-dragon");
    assert!(below["held"].as_u64().unwrap() > 20, "{below}");
    let changed = below["changed"].as_array().unwrap().iter();
    let names: Vec<&str> = changed.map(|c| c["scenario"].as_str().unwrap()).collect();
    assert!(names.contains(&"With thirty-nine it goes on"), "{names:?}");
}

#[test]
fn records_are_replayed_against_other_rules() {
    let folder = tempfile::tempdir().unwrap();
    let records: Vec<String> = simulated_records(folder.path())
        .iter()
        .map(|path| path.to_str().unwrap().to_owned())
        .collect();
    let rules = rules_with_variants();
    let rules = rules.path().to_str().unwrap();
    let overlay = |text: &str| fs::write(format!("{rules}/nim/variants/other.yaml"), text).unwrap();
    let against = |more: &[&str]| {
        let files: Vec<&str> = records.iter().map(String::as_str).collect();
        let fixed = ["replay", "--rules", rules, "--against", "nim+other"];
        wyrmgate(&[&fixed, more, &files].concat())
    };
    overlay("extends: nim\nchange: {clauses.NIM-01: Take up to three stones.}\n");
    let same = against(&[]);
    assert_eq!(same.code, 0, "{}{}", same.out, same.err);
    assert!(same.out.contains("has the same result"));
    overlay("extends: nim\nadd: {handlers.after turn_begins(seat p): p scores 1}\n");
    let other = against(&["--json"]);
    assert_eq!(other.code, 1);
    let first: Value = serde_json::from_str(other.out.lines().next().unwrap()).unwrap();
    assert_eq!(first["diverges_at"], 0, "{first}");
    overlay(
        "extends: nim\nchange:\n  effects.take some: |\n    choose n in 1..1\n    move take(heap, n) to taken(active)\n    if heap is empty: finish won by active\n",
    );
    let refused = against(&[]);
    assert_eq!(refused.code, 1);
    assert!(
        refused.out.contains("is refused") || refused.out.contains("happens"),
        "{}",
        refused.out
    );
}

/// `cargo test --features otel --test cli spans`
#[cfg(feature = "otel")]
#[test]
fn spans_reach_the_collector_within_the_trace_of_whoever_asks() {
    use std::io::{Read, Write};

    const TRACE: [u8; 16] = *b"trace of a test!";
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let collector = format!("http://{}", listener.local_addr().unwrap());
    let collecting = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut got = Vec::new();
        let mut part = [0; 65_536];
        while !is_whole(&got) {
            let length = stream.read(&mut part).unwrap();
            assert!(length > 0, "the request ended early");
            got.extend_from_slice(&part[..length]);
        }
        stream
            .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            .unwrap();
        got
    });
    let folder = tempfile::tempdir().unwrap();
    let args = ["--rules", GAMES, "--store", "memory", "--otlp", &collector];
    let variables = [("OTEL_SERVICE_NAME", "table-7")];
    let service = Service::start_with(&args, &variables, &folder.path().join("log"));
    let hex: String = TRACE.iter().map(|byte| format!("{byte:02x}")).collect();
    let asked = std::process::Command::new("curl")
        .args([
            "-s",
            "-H",
            &format!("traceparent: 00-{hex}-b7ad6b7169203331-01"),
        ])
        .arg(format!("http://{}/readyz", service.address))
        .output();
    assert!(asked.unwrap().status.success());
    // Pending entries are handed over when the service stops.
    assert_eq!(service.stop(), 0);
    let got = collecting.join().unwrap();
    let has = |bytes: &[u8]| got.windows(bytes.len()).any(|part| part == bytes);
    assert!(got.starts_with(b"POST /v1/traces HTTP/1.1"));
    assert!(has(&TRACE));
    for text in [
        "GET /readyz",
        "http.route",
        "request_id",
        "store",
        "probe",
        "table-7",
    ] {
        assert!(has(text.as_bytes()), "{text}");
    }
}

/// Whether a request has all of its body.
#[cfg(feature = "otel")]
fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request).to_lowercase();
    let Some((head, _)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head.split_once("content-length: ").unwrap().1;
    let length: usize = length.lines().next().unwrap().parse().unwrap();
    request.len() >= head.len() + 4 + length
}

/// A comment that would turn the rest of its line, and clear the screen.
#[test]
fn nothing_that_is_printed_controls_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("turned");
    fs::create_dir(&game).unwrap();
    let text = "game: turned\nplayers: 2 # \u{202e}\u{9b}2J\n";
    fs::write(game.join("game.yaml"), text).unwrap();
    let told = wyrmgate(&["check", game.to_str().unwrap()]);
    let told = told.out + &told.err;
    assert!(told.contains("invisible-character"), "{told}");
    assert!(told.contains("␦2J"), "{told}");
    assert!(!told.contains(['\u{202e}', '\u{9b}']), "{told}");
}
