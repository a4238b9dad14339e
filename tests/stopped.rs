//! Games that stop before their end: every command that plays them tells what happened, where in the rules, and the
//! command that does it again.

#![cfg(test)]

mod support;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use support::command::{Ran, Service, wyrmgate, wyrmgate_with_input};

/// Stops in another way with each value of its option.
const STUMBLE: &str = "tests/fixtures/stopped/stumble";

/// The value of `way`, which is the code of what happens; the place; and whether it is a limit of the engine.
const WAYS: [(&str, (u64, u64), bool); 6] = [
    ("overflow", (26, 22), true),
    ("fuel", (20, 33), true),
    ("depth", (27, 9), true),
    ("events", (22, 55), true),
    ("enumeration", (29, 5), true),
    ("bound", (18, 5), false),
];

/// Limits alone: what counts has no use for the bound.
fn limits() -> impl Iterator<Item = (&'static str, (u64, u64), bool)> {
    WAYS.into_iter().filter(|(.., is_limit)| *is_limit)
}

/// Runs a command of a report in a shell, as a reader would.
fn again(command: &str) -> Ran {
    let binary = env!("CARGO_BIN_EXE_wyrmgate");
    let script = format!("wyrmgate() {{ '{binary}' \"$@\"; }}; {command}");
    let output = Command::new("sh")
        .args(["-c", &script])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_remove("WYRMGATE_RULES")
        .stdin(Stdio::null())
        .output();
    output.unwrap().into()
}

fn place_in_text((line, column): (u64, u64)) -> String {
    format!("--> stumble/game.yaml:{line}:{column}\n")
}

/// Returns the command of a report.
fn command_of(text: &str) -> &str {
    let (_, rest) = text.split_once("reproduce: `").unwrap_or_else(|| {
        panic!("no command in\n{text}");
    });
    rest.split('`').next().unwrap()
}

fn tells_and_repeats(ran: &Ran, way: &str, place: (u64, u64)) {
    let text = format!("{}{}", ran.out, ran.err);
    assert_eq!(ran.code, 1, "{text}");
    let parts = [
        format!("error[{way}]: "),
        place_in_text(place),
        format!("way={way}"),
        "after ".into(),
        "= help: ".into(),
    ];
    for part in &parts {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
    let second = again(command_of(&text));
    let text = format!("{}{}", second.out, second.err);
    assert_eq!(second.code, 1, "{text}");
    for part in &parts[..2] {
        assert!(text.contains(part), "no `{part}` again in\n{text}");
    }
}

fn is_told(failure: &Value, (way, (line, column), is_limit): (&str, (u64, u64), bool)) {
    assert_eq!(failure["code"], way, "{failure}");
    let limit = if is_limit { way.into() } else { Value::Null };
    assert_eq!(failure["limit"], limit, "{failure}");
    assert_eq!(failure["file"], "stumble/game.yaml", "{failure}");
    let found = (&failure["line"], &failure["column"]);
    assert_eq!(found, (&line.into(), &column.into()), "{failure}");
    for member in ["reason", "excerpt", "help", "command"] {
        assert!(failure[member].is_string(), "{member}: {failure}");
    }
    assert!(failure["decisions"].is_number(), "{failure}");
    let second = again(failure["command"].as_str().unwrap());
    assert_eq!(second.code, 1, "{failure}: {}{}", second.out, second.err);
}

fn with_way(args: &[&str], way: &str) -> Vec<String> {
    let mut all: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
    all.extend(["--option".into(), format!("way={way}")]);
    all
}

fn run(args: &[&str], way: &str) -> Ran {
    let args = with_way(args, way);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    wyrmgate(&args)
}

#[test]
fn a_simulation_tells_where_games_stopped_and_plays_the_first_again() {
    let args = ["simulate", STUMBLE, "-n", "60", "--seed", "7"];
    for all @ (way, place, _) in WAYS {
        tells_and_repeats(&run(&args, way), way, place);
        let json = run(&[&args[..], &["--json"]].concat(), way).json();
        assert_eq!(json["failed"], 60);
        // One cause is reported once.
        assert_eq!(json["failures"].as_array().map(Vec::len), Some(1));
        assert_eq!(json["failures"][0]["game"], 1);
        assert_eq!(json["failures"][0]["games"], 60);
        is_told(&json["failures"][0], all);
    }
}

#[test]
fn players_that_think_stop_at_the_same_place() {
    let players = ["--players", "greedy,search-1"];
    let args = ["simulate", STUMBLE, "-n", "2", "--seed", "7"];
    let ran = run(&[&args[..], &players].concat(), "overflow");
    tells_and_repeats(&ran, "overflow", (26, 22));
}

#[test]
fn an_audit_tells_where_games_stopped() {
    let args = ["audit", STUMBLE, "-n", "10", "--seed", "7"];
    for all @ (way, place, _) in WAYS {
        tells_and_repeats(&run(&args, way), way, place);
        let json = run(&[&args[..], &["--json"]].concat(), way).json();
        assert_eq!(json["ok"], false);
        is_told(&json["rows"][0]["failures"][0], all);
    }
}

#[test]
fn an_impact_tells_which_rules_stopped_and_where() {
    let args = ["impact", STUMBLE, STUMBLE, "-n", "10", "--seed", "7"];
    let ran = run(&args, "overflow");
    tells_and_repeats(&ran, "overflow", (26, 22));
    let args = [&args[..], &["--json", "--other-option", "way=fuel"]].concat();
    let json = wyrmgate(&args).json();
    let failures = &json["rows"][0]["failures"];
    is_told(&failures["base"][0], WAYS[0]);
    is_told(&failures["other"][0], WAYS[1]);
}

#[test]
fn a_bench_tells_where_a_playout_stopped() {
    let args = ["bench", STUMBLE, "--playouts", "50"];
    for all @ (way, place, _) in WAYS {
        tells_and_repeats(&run(&args, way), way, place);
        let json = run(&[&args[..], &["--json", "--list"]].concat(), way).json();
        assert_eq!(json["ok"], false);
        is_told(&json["failure"], all);
    }
}

#[test]
fn counting_tells_where_it_stopped() {
    for all @ (way, place, _) in limits() {
        for args in [
            &["perft", STUMBLE][..],
            &["perft", STUMBLE, "--distinct"],
            &["perft", STUMBLE, "--information-sets"],
            &["perft", STUMBLE, "--seed", "7", "--depth", "5"],
        ] {
            tells_and_repeats(&run(args, way), way, place);
        }
        let json = run(&["perft", STUMBLE, "--json"], way).json();
        is_told(&json["failure"], all);
    }
}

#[test]
fn a_game_in_the_terminal_tells_where_it_stopped_and_what_was_typed() {
    for (way, place, _) in limits() {
        let args = with_way(&["play", STUMBLE, "--seed", "7", "--seat", "2"], way);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let ran = wyrmgate_with_input(&args, "2\n1\n2\n1\n");
        tells_and_repeats(&ran, way, place);
    }
}

/// The files of the records that a simulation has kept.
fn records(way: &str, folder: &Path) -> Vec<String> {
    let args = ["simulate", STUMBLE, "-n", "2", "--seed", "7", "--records"];
    let folder_name = folder.to_str().unwrap();
    let ran = run(&[&args[..], &[folder_name]].concat(), way);
    assert!(ran.out.contains("wyrmgate replay "), "{}", ran.out);
    let files = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<String> = files
        .map(|file| file.unwrap().path().to_str().unwrap().to_owned())
        .collect();
    files.sort();
    files
}

#[test]
fn a_record_of_a_game_that_stopped_stops_at_the_same_place() {
    for all @ (way, place, _) in limits() {
        let folder = tempfile::tempdir().unwrap();
        let files = records(way, folder.path());
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let rules = ["--rules", "tests/fixtures/stopped"];
        let ran = wyrmgate(&[&["replay"], &files[..], &rules].concat());
        // Those after the first are played all the same.
        let told = ran.err.matches(&place_in_text(place)).count();
        assert_eq!(told, 2, "{}{}", ran.out, ran.err);
        tells_and_repeats(&ran, way, place);
        let ran = wyrmgate(&[&["replay", files[0], "--json"], &rules[..]].concat());
        let last = ran.out.lines().last().unwrap();
        let last: Value = serde_json::from_str(last).unwrap();
        is_told(&last["failure"], all);
        assert_eq!(last["failure"]["record"], files[0]);
    }
}

#[test]
fn a_record_that_others_rules_cannot_play_tells_where_they_stop() {
    let folder = tempfile::tempdir().unwrap();
    let files = records("bound", folder.path());
    let text = std::fs::read_to_string(&files[0]).unwrap();
    let other = folder.path().join("other.json");
    std::fs::write(&other, text.replace(r#""bound""#, r#""overflow""#)).unwrap();
    let rules = ["--rules", "tests/fixtures/stopped"];
    let args = ["replay", "--against", STUMBLE, other.to_str().unwrap()];
    let ran = wyrmgate(&[&args[..], &rules].concat());
    tells_and_repeats(&ran, "overflow", (26, 22));
    let ran = wyrmgate(&[&args[..], &rules, &["--json"]].concat());
    let line: Value = serde_json::from_str(ran.out.lines().next().unwrap()).unwrap();
    is_told(&line["failure"], WAYS[0]);
}

#[test]
fn a_command_that_plays_a_game_again_needs_its_seed() {
    let ran = wyrmgate(&["simulate", STUMBLE, "--game", "3"]);
    assert_eq!(ran.code, 2, "{}", ran.err);
}

fn step(address: &str, body: &Value) -> Value {
    send(address, "POST /v1/steps", "", body)
}

/// Asks a server, without more than the standard library has.
fn send(address: &str, line: &str, token: &str, body: &Value) -> Value {
    let body = body.to_string();
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    let credential = match token {
        "" => String::new(),
        token => format!("Authorization: Bearer {token}\r\n"),
    };
    let head = format!(
        "{line} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n{credential}\
         Connection: close\r\nContent-Length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(body.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (from, to) = (answer.find('{').unwrap(), answer.rfind('}').unwrap());
    serde_json::from_str(&answer[from..=to]).unwrap()
}

/// Plays without a session until the rules hit their limit, and returns the problem.
fn stopped_step(address: &str) -> Value {
    let begin = json!({"game": "stumble", "seats": 2, "options": {"way": "overflow"}});
    let mut last = step(address, &begin);
    while let Some(seat) = last["owing"].get(0).cloned() {
        let choice = json!({"seat": seat, "args": {"n": 1}});
        last = step(address, &json!({"state": last["state"], "choice": choice}));
    }
    last
}

/// Plays in a session until the rules hit their limit, and returns the session's id and the problem.
fn stopped_session(address: &str) -> (String, Value) {
    let seats = ["open", "open"];
    let create = json!({"game": "stumble", "seats": seats, "options": {"way": "overflow"}});
    let created = send(address, "POST /v1/sessions", "", &create);
    let id = created["id"].as_str().unwrap().to_owned();
    let tokens = [1, 2].map(|seat| {
        let line = format!("PUT /v1/sessions/{id}/seats/{seat}");
        let claimed = send(address, &line, "", &json!({}));
        claimed["token"].as_str().unwrap().to_owned()
    });
    let line = format!("POST /v1/sessions/{id}/moves");
    for version in 3.. {
        let token = &tokens[(version - 3) % 2];
        let choice = json!({"version": version, "args": {"n": 1}});
        let made = send(address, &line, token, &choice);
        if made.get("code").is_some() {
            return (id, made);
        }
    }
    panic!("the rules hit no limit")
}

/// Players learn the limit and the line; the operator finds both in the log.
#[test]
fn a_service_logs_where_in_the_rules_a_limit_was_hit() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let args = ["--rules", "tests/fixtures/stopped", "--store", "memory"];
    let service = Service::start_with(&args, &[], &log);
    let stateless = stopped_step(&service.address);
    let (session, of_session) = stopped_session(&service.address);
    service.stop();
    for problem in [stateless, of_session] {
        assert_eq!(problem["limit"], "overflow", "{problem}");
        assert_eq!(problem["reason"]["line"], 26, "{problem}");
    }
    let log = std::fs::read_to_string(log).unwrap();
    let lines = log
        .lines()
        .filter(|line| line.contains("the rules exceeded a limit"));
    let lines: Vec<_> = lines.collect();
    assert_eq!(lines.len(), 2, "{log}");
    for part in ["stumble/game.yaml:26:22", "overflow"] {
        assert!(
            lines.iter().all(|line| line.contains(part)),
            "no `{part}` in\n{log}"
        );
    }
    assert!(lines[1].contains(&session), "{log}");
}

/// A game in which a text cannot be made: another one with each value of its option.
const MUMBLE: &str = "tests/fixtures/stopped/mumble";

/// The value of `way`, the line, the limit, and what a person reads.
const UNTOLD: [(&str, u64, &str, &str); 4] = [
    ("said", 16, "overflow", "Now 0, then …, at last …"),
    ("prompt", 20, "overflow", "Give …"),
    ("label", 21, "overflow", "1 of …"),
    ("purse", 22, "lacking", "Have …"),
];

#[test]
fn a_text_that_cannot_be_made_is_reported_everywhere_and_stops_no_game() {
    for (way, line, limit, read) in UNTOLD {
        let args = with_way(&["play", MUMBLE, "--seed", "7", "--seat", "1,2"], way);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let played = wyrmgate_with_input(&args, &"1\n".repeat(9));
        assert_eq!(played.code, 0, "{}{}", played.out, played.err);
        assert!(played.out.contains(read), "{}", played.out);
        let place = format!("--> mumble/game.yaml:{line}:");
        let reports = [
            played.err,
            run(&["simulate", MUMBLE, "-n", "3", "--seed", "7"], way).out,
            run(&["audit", MUMBLE, "-n", "3", "--seed", "7"], way).out,
            run(&["laws", MUMBLE, "-n", "20", "--seed", "7"], way).out,
        ];
        for report in reports {
            let parts = [
                "a text cannot be made: ",
                &format!("(limit `{limit}`)"),
                &place,
                "reproduce: `",
            ];
            for part in parts {
                assert!(report.contains(part), "no `{part}` in\n{report}");
            }
            let second = again(command_of(&report));
            let text = second.out + &second.err;
            assert!(text.contains(&place), "not again in\n{text}");
        }
        for command in ["simulate", "audit", "laws"] {
            let ran = run(&[command, MUMBLE, "-n", "20", "--seed", "7"], way);
            assert_eq!(ran.code, 1, "{command} {way}");
        }
        let json = run(&["simulate", MUMBLE, "-n", "3", "--json"], way).json();
        assert_eq!((&json["failed"], &json["games"]), (&json!(0), &json!(3)));
        let failure = &json["failures"][0];
        assert_eq!(
            (&failure["code"], &failure["line"]),
            (&json!("untold"), &json!(line))
        );
    }
}

#[test]
fn a_text_that_cannot_be_made_fails_a_scenario() {
    let ran = wyrmgate(&["test", MUMBLE]);
    assert_eq!(ran.code, 1, "{}", ran.out);
    for part in [
        "error[fault]: a number became too large",
        "mumble/game.yaml:16:",
    ] {
        assert!(ran.out.contains(part), "no `{part}` in\n{}", ran.out);
    }
}

#[test]
fn a_server_offers_choices_whose_texts_cannot_be_made_and_tells_the_operator() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let args = ["--rules", "tests/fixtures/stopped", "--store", "memory"];
    let service = Service::start_with(&args, &[], &log);
    let ask = |line: &str, token: &str, body: &Value| send(&service.address, line, token, body);
    for (way, _, limit, read) in UNTOLD {
        let order = json!({"game": "mumble", "seats": ["open", "random"], "options": {"way": way}});
        let session = ask("POST /v1/sessions", "", &order);
        let path = format!("/v1/sessions/{}", session["id"].as_str().unwrap());
        let seat = ask(&format!("PUT {path}/seats/1"), "", &json!({}));
        let token = seat["token"].as_str().unwrap();
        let actions = ask(&format!("GET {path}/actions"), token, &json!({}));
        let items = actions["items"].as_array().unwrap();
        assert_eq!(items[0]["count"], 2, "{actions}");
        let told = match way {
            "said" => ask(&format!("GET {path}/events"), token, &json!({})).to_string(),
            _ => actions.to_string(),
        };
        assert!(told.contains(read), "{told}");
        let written = std::fs::read_to_string(&log).unwrap();
        let is_told = |line: &str| line.contains("cannot be made") && line.contains(limit);
        assert!(written.lines().any(is_told), "{way}: {written}");
    }
}
