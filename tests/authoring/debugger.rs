//! The debugger for rules, from inside and over its protocol.

use std::fs;
use std::path::Path;

use std::sync::Arc;

use serde_json::{Value, json};
use wyrmgate::debugger::protocol::{Debugged, Debugger, Wanted};
use wyrmgate::debugger::{
    Arrival, BYTES_MAX, Course, Pace, RecordWalk, StopMark, Tape, inspect, of_scenario, why,
};
use wyrmgate::diagnostic::FileId;
use wyrmgate::editor::Project;
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

fn project(folder: &Path) -> Project {
    Project::of_stack(Stack::of_folder(&folder.join("count"))).unwrap()
}

fn course(folder: &Path) -> Arc<Course> {
    let (read, tape) = (project(folder).with_scenarios(), Tape::of(BYTES_MAX));
    Arc::new(of_scenario("count", read, "Two even", tape).unwrap())
}

/// The line on which a text of the game stands, from 1.
fn line_of(text: &str) -> usize {
    GAME.lines().position(|line| line.contains(text)).unwrap() + 1
}

fn line(course: &Course, walk: &RecordWalk) -> usize {
    let span = inspect::innermost(&course.game.program, walk.here().unwrap()).span;
    course.game.sources.line_column(span.file, span.start).0
}

#[test]
fn a_walk_goes_over_into_and_out_of_effects_and_back() {
    let folder = folder();
    let course = course(folder.path());
    assert_eq!(course.end, "the scenario passes");
    let mut walk = RecordWalk::new(course.clone()).unwrap();
    let forward = |walk: &mut RecordWalk, pace| (walk.forward(pace), line(&course, walk));
    let (repeat, bonus, each) = (line_of("repeat 2"), line_of("let bonus"), line_of("each p"));
    assert_eq!(line(&course, &walk), repeat);
    assert_eq!(forward(&mut walk, Pace::Over), (Arrival::Step, bonus));
    assert_eq!(forward(&mut walk, Pace::Over), (Arrival::Step, each));
    while forward(&mut walk, Pace::Into).1 == each {}
    assert_eq!(line(&course, &walk), line_of("turn of p"));
    let running = inspect::running(&course.game.program, walk.here().unwrap());
    let names: Vec<&str> = running
        .iter()
        .map(|running| running.name.as_str())
        .collect();
    assert_eq!(names, ["names", "play"]);
    let named = inspect::names(&course.game.program, walk.here().unwrap(), &running[0]);
    assert_eq!(Value::Object(named), json!({"p": 1, "bonus": 1}));
    assert_eq!(forward(&mut walk, Pace::Into).1, line_of("choose"));
    assert_eq!(
        forward(&mut walk, Pace::Into),
        (Arrival::Step, line_of("option name"))
    );
    let here = walk.here().unwrap();
    let named = inspect::names(
        &course.game.program,
        here,
        &inspect::running(&course.game.program, here)[0],
    );
    assert_eq!(named["n"], 2);
    assert_eq!(
        inspect::position(&course.game.program, here)["vars"]["total"],
        0
    );
    assert_eq!(forward(&mut walk, Pace::Out).1, each);
    assert_eq!(
        inspect::position(&course.game.program, walk.here().unwrap())["vars"]["total"],
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
        .find(|file| course.game.sources.get(*file).unwrap().path == "count/game.yaml");
    let mut walk = RecordWalk::new(course.clone()).unwrap();
    // Nothing begins at `effects:`; the first statement below it does.
    let plain = |at| StopMark {
        at,
        condition: None,
    };
    let lines = [line_of("score[p]"), line_of("effects:"), 999];
    let marked = walk.mark_lines(file.unwrap(), &lines.map(plain));
    let nowhere = "no statement begins here or below".to_owned();
    assert_eq!(
        marked,
        [
            Ok(line_of("score[p]")),
            Ok(line_of("repeat 2")),
            Err(nowhere)
        ]
    );
    assert!(walk.is_marked_here());
    for bonus in [1, 1] {
        assert_eq!(walk.forward(Pace::On), Arrival::Mark);
        let running = inspect::running(&course.game.program, walk.here().unwrap());
        let named = inspect::names(&course.game.program, walk.here().unwrap(), &running[0]);
        assert_eq!(
            (line(&course, &walk), &named["bonus"]),
            (line_of("score[p]"), &json!(bonus))
        );
    }
    let clauses = ["CNT-01", "CNT-99"].map(|at| StopMark {
        at,
        condition: None,
    });
    assert_eq!(walk.mark_clauses(&clauses), [true, false]);
}

#[test]
fn every_condition_says_whether_it_holds() {
    let folder = folder();
    let course = course(folder.path());
    let ask = |moments, choice: Value| why::why(&course, moments, &choice).unwrap();
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
    let other = why::why(&course, 1, &json!({"seat": 2, "option": "name"}));
    assert_eq!(other.unwrap_err(), "this seat owes no decision");
    let asked = json!([{"seat": 1, "decision": why::asked(&course, 1)[0]["decision"], "options": [
        {"option": "name", "args": [{"name": "n", "example": 2}]},
    ]}]);
    assert_eq!(json!(why::asked(&course, 1)), asked);
}

/// Returns the value of an expression in the effect with this number on the stack, from the innermost.
fn worth(
    course: &Course,
    walk: &mut RecordWalk,
    frame: usize,
    text: &str,
) -> Result<Value, String> {
    let moment = walk.here().unwrap().clone();
    let running = inspect::running(&course.game.program, &moment).swap_remove(frame);
    walk.expressions
        .value(&course.game, &moment, &running, text)
}

#[test]
fn expressions_have_values_in_each_effect_that_runs() {
    let folder = folder();
    let course = course(folder.path());
    let mut walk = RecordWalk::new(course.clone()).unwrap();
    while line(&course, &walk) != line_of("total += n") || walk.here().unwrap().depth() < 2 {
        assert_ne!(walk.forward(Pace::Into), Arrival::End);
    }
    let here = walk.here().unwrap().clone();
    for (frame, text, value) in [
        (0, "n * 10 + bonus", json!(21)),
        (0, "p", json!(1)),
        (0, "total = 0 and n mod 2 = 0", json!(true)),
        (0, "1..6 where it > n", json!([3, 4, 5, 6])),
        (0, "seats where score[it] = 0", json!([1, 2])),
        (0, "none", Value::Null),
        (1, "bonus + 1", json!(2)),
        (1, "count(seats where it != p)", json!(1)),
    ] {
        assert_eq!(worth(&course, &mut walk, frame, text), Ok(value), "{text}");
    }
    for (frame, text, problem) in [
        (1, "n + 1", "unknown name `n`"),
        (0, "totl", "unknown name `totl`; did you mean `total`?"),
        (0, "1 +", "expected a value"),
        (0, "1000000 * 1000000 * n", "overflow"),
        (0, "total + true", "truth value"),
    ] {
        let found = worth(&course, &mut walk, frame, text).unwrap_err();
        assert!(found.contains(problem), "{text}: {found}");
    }
    // Looking changes nothing.
    assert_eq!(walk.here().unwrap().state, here.state);
}

#[test]
fn a_mark_with_a_condition_stops_only_if_it_holds() {
    let folder = folder();
    let course = course(folder.path());
    let file = project(folder.path());
    let (file, _) = file.file(&folder.path().join("count/game.yaml")).unwrap();
    let mut walk = RecordWalk::new(course.clone()).unwrap();
    let score = line_of("score[p]");
    let mark = |walk: &mut RecordWalk, condition: &str| {
        let condition = Some(condition.to_owned());
        walk.mark_lines(
            file,
            &[StopMark {
                at: score,
                condition,
            }],
        )
        .remove(0)
    };
    assert_eq!(mark(&mut walk, "p = seat(2) and bonus > 1"), Ok(score));
    assert_eq!(walk.forward(Pace::On), Arrival::Mark);
    assert_eq!(worth(&course, &mut walk, 0, "total"), Ok(json!(6)));
    assert_eq!(walk.forward(Pace::On), Arrival::End);
    let wrong = mark(&mut walk, "bonsu > 1").unwrap_err();
    assert!(wrong.contains("unknown name `bonsu`"), "{wrong}");
    let wrong = mark(&mut walk, "bonus").unwrap_err();
    assert!(wrong.contains("not a condition"), "{wrong}");
    assert_eq!(walk.back(Pace::On), Arrival::End);
    // Evaluated where the clause is cited, whatever names there are.
    let clause = StopMark {
        at: "CNT-01",
        condition: Some("total > 0".to_owned()),
    };
    assert_eq!(walk.mark_clauses(&[clause]), [true]);
}

/// A server has little room for many authors: what does not fit is not recorded, and the author hears of it.
#[test]
fn a_long_game_is_recorded_in_part() {
    let folder = folder();
    let wanted: Wanted = serde_json::from_value(json!({"choices": []})).unwrap();
    let whole = Debugged::of(project(folder.path()), &wanted, BYTES_MAX).unwrap();
    assert_eq!(whole.course.end, "the game waits for seat 1");
    let part = Debugged::of(project(folder.path()), &wanted, 1_500).unwrap();
    let (whole, part) = (&whole.course.tape, &part.course.tape);
    assert!(part.is_cut && !whole.is_cut);
    assert!(part.moments.len() < whole.moments.len());
    let mut debugger = Debugger::default();
    let mut ask = |command: &str, arguments: Value| {
        let request = json!({"seq": 1, "command": command, "arguments": arguments});
        let request = serde_json::from_value(request).unwrap();
        let launch = |wanted: &Wanted| Debugged::of(project(folder.path()), wanted, 1_500);
        json!(debugger.answer(&request, &launch)).to_string()
    };
    ask(
        "launch",
        json!({"choices": [{"seat": 1, "option": "name", "args": {"n": 2}}]}),
    );
    let told = ask("configurationDone", Value::Null);
    assert!(told.contains("it is too long"), "{told}");
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
    for (expression, value) in [
        ("total", "2"),
        ("total * 10 + bonus", "21"),
        ("seats", "[1,2]"),
    ] {
        let found = editor.ask("evaluate", json!({"expression": expression, "frameId": 1}));
        assert_eq!(found["body"]["result"], value, "{expression}");
    }
    editor.ask("reverseContinue", json!({"threadId": 1}));
    assert_eq!(editor.event("stopped")["reason"], "entry");
    let mark = |condition: &str| json!({"line": score, "condition": condition});
    let marks = |condition| json!({"source": {"path": path}, "breakpoints": [mark(condition)]});
    let wrong = editor.ask("setBreakpoints", marks("bonsu = 1"));
    assert_eq!(wrong["body"]["breakpoints"][0]["verified"], false);
    editor.ask("setBreakpoints", marks("p = seat(2)"));
    editor.ask("continue", json!({"threadId": 1}));
    editor.event("stopped");
    let seat = editor.ask("evaluate", json!({"expression": "p", "frameId": 1}));
    assert_eq!(seat["body"]["result"], "2");
    editor.ask("setBreakpoints", marks(""));
    editor.ask("reverseContinue", json!({"threadId": 1}));
    editor.event("stopped");
    editor.ask("reverseContinue", json!({"threadId": 1}));
    editor.event("stopped");
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
