//! The debugger for rules, from inside and over its protocol.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use wyrmgate::debugger::{Arrival, Course, Pace, Walk, of_scenario, told, why};
use wyrmgate::diagnostic::FileId;
use wyrmgate::lang::Stack;

use super::framed::Framed;
use crate::support::command::binary;

const GAME: &str = "\
game: count
players: 2
bound: 20
vars:
  total: int
clauses:
  CNT-01: Only even numbers are named.
effects:
  play: |
    repeat 2 times:
      let bonus = total + 1
      each p in seats: p names bonus
    finish drawn
  seat p names int bonus: |
    turn of p:
      choose \"Which number?\":
        option name n in 1..6 where n mod 2 = 0 [CNT-01] and n > total: total += n
    score[p] += bonus
";

const SCENARIOS: &str = "\
- scenario: Two even numbers
  shows: [CNT-01]
  steps:
    - play: {seat: 1, option: name, n: 2}
    - play: {seat: 2, option: name, n: 4}
";

/// A game with a scenario in a folder of its own.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("count");
    fs::create_dir_all(game.join("scenarios")).unwrap();
    fs::write(game.join("game.yaml"), GAME).unwrap();
    fs::write(game.join("scenarios/count.yaml"), SCENARIOS).unwrap();
    folder
}

fn course(folder: &Path) -> Course {
    of_scenario(&Stack::of_folder(&folder.join("count")), "Two even").unwrap()
}

/// The line on which a text of the game stands, from 1.
fn line_of(text: &str) -> usize {
    GAME.lines().position(|line| line.contains(text)).unwrap() + 1
}

fn line(course: &Course, walk: &Walk<'_>) -> usize {
    let running = told::running(&course.program, walk.here().unwrap());
    let span = running[0].span;
    course.sources.line_column(span.file, span.start).0
}

#[test]
fn a_walk_goes_over_into_and_out_of_effects_and_back() {
    let folder = folder();
    let course = course(folder.path());
    assert_eq!(course.end, "the scenario passes");
    let mut walk = Walk::new(&course.tape, &course.program, &course.sources).unwrap();
    let forward = |walk: &mut Walk<'_>, pace| (walk.forward(pace), line(&course, walk));
    let (repeat, bonus, each) = (line_of("repeat 2"), line_of("let bonus"), line_of("each p"));
    assert_eq!(line(&course, &walk), repeat);
    assert_eq!(forward(&mut walk, Pace::Over), (Arrival::Step, bonus));
    assert_eq!(forward(&mut walk, Pace::Over), (Arrival::Step, each));
    while forward(&mut walk, Pace::Into).1 == each {}
    assert_eq!(line(&course, &walk), line_of("turn of p"));
    let running = told::running(&course.program, walk.here().unwrap());
    let names: Vec<&str> = running
        .iter()
        .map(|running| running.name.as_str())
        .collect();
    assert_eq!(names, ["names", "play"]);
    let named = told::names(&course.program, walk.here().unwrap(), &running[0]);
    assert_eq!(Value::Object(named), json!({"p": 1, "bonus": 1}));
    assert_eq!(forward(&mut walk, Pace::Into).1, line_of("choose"));
    assert_eq!(
        forward(&mut walk, Pace::Into),
        (Arrival::Step, line_of("option name"))
    );
    let here = walk.here().unwrap();
    let named = told::names(
        &course.program,
        here,
        &told::running(&course.program, here)[0],
    );
    assert_eq!(named["n"], 2);
    assert_eq!(told::table(&course.program, here)["vars"]["total"], 0);
    assert_eq!(forward(&mut walk, Pace::Out).1, each);
    assert_eq!(
        told::table(&course.program, walk.here().unwrap())["vars"]["total"],
        2
    );
    walk.back(Pace::On);
    assert_eq!(
        (line(&course, &walk), walk.back(Pace::Into)),
        (repeat, Arrival::End)
    );
}

#[test]
fn lines_and_clauses_stop_a_walk() {
    let folder = folder();
    let course = course(folder.path());
    let file = (0..)
        .map(FileId)
        .find(|file| course.sources.get(*file).unwrap().path == "count/game.yaml");
    let mut walk = Walk::new(&course.tape, &course.program, &course.sources).unwrap();
    // Nothing begins at `effects:`; the first statement below it does.
    let marked = walk.mark_lines(
        file.unwrap(),
        &[line_of("score[p]"), line_of("effects:"), 999],
    );
    assert_eq!(
        marked,
        [Some(line_of("score[p]")), Some(line_of("repeat 2")), None]
    );
    assert!(walk.is_marked_here());
    for bonus in [1, 1] {
        assert_eq!(walk.forward(Pace::On), Arrival::Mark);
        let running = told::running(&course.program, walk.here().unwrap());
        let named = told::names(&course.program, walk.here().unwrap(), &running[0]);
        assert_eq!(
            (line(&course, &walk), &named["bonus"]),
            (line_of("score[p]"), &json!(bonus))
        );
    }
    assert_eq!(walk.mark_clauses(&["CNT-01", "CNT-99"]), [true, false]);
}

#[test]
fn every_condition_says_whether_it_holds() {
    let folder = folder();
    let course = course(folder.path());
    let ask = |moments, choice: Value| {
        why::why(
            &course.program,
            &course.sources,
            &course.tape,
            moments,
            &choice,
        )
        .unwrap()
    };
    let file = format!("count/game.yaml:{}", line_of("option name"));
    let odd = ask(1, json!({"option": "name", "args": {"n": 3}}));
    assert!(
        odd.contains(&format!(
            "✗ {file}  n mod 2 = 0 [CNT-01]\n✓ {file}  n > total"
        )) || odd.contains("✗ "),
        "{odd}"
    );
    assert!(
        odd.contains("[CNT-01]") && odd.contains("not offered"),
        "{odd}"
    );
    let even = ask(1, json!({"seat": 1, "option": "name", "args": {"n": 2}}));
    assert!(!even.contains('✗') && even.ends_with("offered"), "{even}");
    let second = course.tape.rests[0].0 + 1;
    let same = ask(second, json!({"option": "name", "args": {"n": 2}}));
    assert!(same.contains("✗") && same.contains("n > total"), "{same}");
    let other = why::why(
        &course.program,
        &course.sources,
        &course.tape,
        1,
        &json!({"seat": 2, "option": "name"}),
    );
    assert_eq!(other.unwrap_err(), "this seat owes no decision");
}

/// An editor.
struct Editor {
    debugger: Framed,
    number: i64,
    console: String,
}

impl Editor {
    fn open(rules: &Path) -> Editor {
        Editor {
            debugger: Framed::start(binary().args(["dap", "--rules"]).arg(rules)),
            number: 0,
            console: String::new(),
        }
    }

    fn ask(&mut self, command: &str, arguments: Value) -> Value {
        self.number += 1;
        let request = json!({"seq": self.number, "type": "request", "command": command, "arguments": arguments});
        self.debugger.send(&request);
        let answer = self.until(|message| message["request_seq"] == request["seq"]);
        assert_eq!(answer["command"], command);
        answer
    }

    fn event(&mut self, event: &str) -> Value {
        self.until(|message| message["event"] == event)["body"].clone()
    }

    fn until(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.debugger.receive();
            if message["event"] == "output" {
                self.console += message["body"]["output"].as_str().unwrap();
            }
            if is_wanted(&message) {
                return message;
            }
            assert_ne!(message["event"], "terminated", "the debugger ended");
        }
    }
}

#[test]
fn an_editor_debugs_a_scenario_over_standard_input_and_output() {
    let folder = folder();
    let mut editor = Editor::open(folder.path());
    let able = editor.ask("initialize", json!({"adapterID": "wyrmgate"}));
    assert_eq!(able["body"]["supportsStepBack"], true);
    let wrong = editor.ask("launch", json!({"game": "count", "scenario": "no such"}));
    assert_eq!(
        wrong["message"],
        "no scenario of count has `no such` in its name"
    );
    editor.event("terminated");
    editor.ask(
        "launch",
        json!({"game": "count", "scenario": "Two even", "noDebug": false}),
    );
    editor.event("initialized");
    let path = folder
        .path()
        .canonicalize()
        .unwrap()
        .join("count/game.yaml");
    let score = line_of("score[p]");
    let marks = json!({"source": {"path": path}, "breakpoints": [{"line": score}]});
    let marked = editor.ask("setBreakpoints", marks);
    assert_eq!(
        marked["body"]["breakpoints"],
        json!([{"verified": true, "line": score}])
    );
    let clauses = json!({"breakpoints": [{"name": "CNT-99"}]});
    let marked = editor.ask("setFunctionBreakpoints", clauses);
    assert_eq!(marked["body"]["breakpoints"][0]["verified"], false);
    editor.ask("configurationDone", Value::Null);
    assert_eq!(editor.event("stopped")["reason"], "breakpoint");
    let frames = editor.ask("stackTrace", json!({"threadId": 1}))["body"]["stackFrames"].clone();
    assert_eq!(
        (&frames[0]["name"], &frames[0]["line"]),
        (&json!("names"), &json!(score))
    );
    assert_eq!(frames[0]["source"]["path"], path.to_str().unwrap());
    let scopes = editor.ask("scopes", json!({"frameId": 1}))["body"]["scopes"].clone();
    let names = json!({"variablesReference": scopes[0]["variablesReference"]});
    let names = editor.ask("variables", names)["body"]["variables"].clone();
    let names: Vec<_> = names
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["name"].clone(), one["value"].clone()))
        .collect();
    assert_eq!(
        names,
        [(json!("p"), json!("1")), (json!("bonus"), json!("1"))]
    );
    let total = editor.ask("evaluate", json!({"expression": "total"}));
    assert_eq!(total["body"]["result"], "2");
    editor.ask("reverseContinue", json!({"threadId": 1}));
    assert_eq!(editor.event("stopped")["reason"], "entry");
    // Two seats, twice; the second time there is nothing to choose.
    for reason in [
        "breakpoint",
        "breakpoint",
        "breakpoint",
        "breakpoint",
        "end",
    ] {
        editor.ask("continue", json!({"threadId": 1}));
        assert_eq!(editor.event("stopped")["reason"], reason);
    }
    assert!(
        editor.console.ends_with("the scenario passes\n"),
        "{}",
        editor.console
    );
    assert!(editor.console.contains("Seat 2"), "{}", editor.console);
    editor.ask("disconnect", Value::Null);
    assert_eq!(editor.debugger.code(), Some(0));
}
