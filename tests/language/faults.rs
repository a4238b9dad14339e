//! Code that only a limit can stop stops at a named limit, with its line.

use serde_json::json;
use wyrmgate::engine::FaultKind;

use crate::play::{NotTaken, begin, try_begin};

fn fault(effects: &str) -> (FaultKind, String) {
    match try_begin(effects, "") {
        Ok(_) => panic!("no fault"),
        Err((fault, text)) => (fault.kind, text),
    }
}

#[test]
fn an_endless_loop_names_its_line() {
    let (kind, text) =
        fault("play: |\n  count_of = 1\n  while count_of > 0: count_of = 2 + 1\n  finish drawn");
    assert_eq!(kind, FaultKind::Events);
    assert_eq!(text, "count_of = 2 + 1");
    let (kind, text) = fault("play: |\n  let n = 1\n  while n > 0: n = 3 - n\n  finish drawn");
    assert_eq!(kind, FaultKind::Fuel);
    assert!(["n > 0", "n = 3 - n"].contains(&text.as_str()), "{text}");
}

#[test]
fn effects_that_call_each_other_for_ever_name_the_call() {
    let (kind, text) = fault("play: ping(1)\nping(int n): pong(n + 1)\npong(int n): ping(n)");
    assert_eq!(kind, FaultKind::Depth);
    assert!(text == "pong(n + 1)" || text == "ping(n)", "{text}");
}

#[test]
fn effects_may_nest_deep_but_not_endlessly() {
    assert!(
        try_begin(
            "play: dive(200)\ndive(int n): |\n  if n > 0: dive(n - 1)",
            ""
        )
        .is_ok()
    );
    let (kind, _) = fault("play: dive(400)\ndive(int n): |\n  if n > 0: dive(n - 1)");
    assert_eq!(kind, FaultKind::Depth);
}

#[test]
fn a_number_that_becomes_too_large_names_what_made_it() {
    for (line, wrong) in [
        ("let big = 2147483647\n  big += 1", "big += 1"),
        ("let big = 2147483647\n  let x = 1 + (big * 2)", "(big * 2)"),
        ("let low = -2147483647 - 1\n  let x = -low", "-low"),
        ("let low = -2147483647 - 1\n  let x = abs(low)", "abs"),
        ("let low = -2147483647 - 1\n  let x = low / -1", "low / -1"),
        (
            "mine[seat(1)] = 2147483647\n  mine[seat(1)] += 1",
            "mine[seat(1)] += 1",
        ),
        (
            "seat(1) scores 2147483647\n  seat(1) scores 1",
            "seat(1) scores 1",
        ),
        ("let x = 2147483647 + 1", "2147483647 + 1"),
    ] {
        let (kind, text) = fault(&format!("play: |\n  {line}\n  finish drawn"));
        assert_eq!((kind, text.as_str()), (FaultKind::Overflow, wrong));
    }
}

/// Nothing is written where there is nothing; what belongs to nobody stays nobody's.
#[test]
fn a_number_without_a_value_names_the_line_that_sets_it() {
    let sections = "vars:\n  held: {each: 1..3, type: int}";
    for line in ["held[n] = 5", "held[n] += 1", "n.held = 5"] {
        for n in ["4", "0", "99", "-1"] {
            let play = format!("play: |\n  let n = {n}\n  {line}\n  finish drawn");
            let Err((fault, text)) = try_begin(&play, sections) else {
                panic!("no fault: {line}, {n}");
            };
            assert_eq!((fault.kind, text.as_str()), (FaultKind::Key, line));
        }
    }
    let known = "play: |\n  each n in 1..3: held[n] = n\n  finish drawn";
    assert!(try_begin(known, sections).is_ok());
    let nobody = "play: |\n  let p = first(seats where false)\n  mine[p] = 5\n  finish drawn";
    assert!(try_begin(nobody, "").is_ok());
}

#[test]
fn a_fault_after_a_decision_names_its_line_too() {
    let mut game = begin(
        "play: |\n  turn of seat(1):\n    choose n in 1..2\n    let big = 2147483647 + n\n  finish drawn",
        "",
    );
    let Err(NotTaken::Fault(fault)) = game.try_answer(1, "", json!({"n": 1})) else {
        panic!("no fault");
    };
    assert_eq!(fault.kind, FaultKind::Overflow);
    assert_eq!(game.text_at(&fault), "2147483647 + n");
}

/// Machine code, which is compared with the interpreter in every one of these games, gives up there: what has been played
/// is played anew, from the beginning or from a state on the way.
#[test]
fn what_fails_late_fails_as_if_it_had_been_played_slowly() {
    for step in ["count_of = count_of * 3 + k", "count_of += 2000000"] {
        let play = format!(
            "play: |\n  turns from seat(1):\n    roll dice\n    choose k in 1..3 \"Which?\"\n    {step}"
        );
        let game = begin(&play, "");
        assert_eq!(game.choices(1), 3);
    }
}
