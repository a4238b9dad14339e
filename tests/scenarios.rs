//! Scenarios: the findings of each step, and their reports. The game is the one of the language reference.

#![cfg(test)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;
use wyrmgate::scenario::report;
use wyrmgate::scenario::suite::{self, SuiteResults};

/// The reference, and the page about scenarios.
fn pages() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/guide");
    let pages = ["reference.md", "testing.md"];
    let pages = pages.map(|page| fs::read_to_string(folder.join(page)).unwrap());
    pages.concat()
}

/// Blocks of these pages marked with these words.
fn blocks(mark: &str) -> Vec<String> {
    let text = pages();
    let fence = format!("```{mark}\n");
    let parts = text.split(&fence).skip(1);
    parts
        .map(|part| part.split("```").next().unwrap().to_owned())
        .collect()
}

/// The scenarios of this text, played in the reference's first game.
fn play(scenarios: &str) -> SuiteResults {
    play_in(&blocks("yaml game")[0], scenarios)
}

fn play_in(rules: &str, scenarios: &str) -> SuiteResults {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("race");
    fs::create_dir_all(game.join("scenarios")).unwrap();
    fs::write(game.join("game.yaml"), rules).unwrap();
    fs::write(game.join("scenarios/story.yaml"), scenarios).unwrap();
    suite::run_folder(&game).unwrap()
}

/// One scenario with these steps, two seats, and the first one beginning with a throw of 3 and 2.
fn steps(steps: &str) -> SuiteResults {
    let mut text = "- scenario: A story\n  given: {luck: [null, 1, 3, 2]}\n  steps:\n".to_owned();
    for line in steps.lines() {
        text += &format!("    {line}\n");
    }
    play(&text)
}

#[track_caller]
fn passes(outcome: &SuiteResults) {
    assert!(
        outcome.passed() && !outcome.played.is_empty(),
        "\n{}",
        report::to_text(outcome, false, None)
    );
}

/// The messages of all failures, with what was expected and found.
fn failures(outcome: &SuiteResults) -> Vec<(String, String, String)> {
    let all = outcome.played.iter().flat_map(|played| &played.failures);
    all.map(|f| {
        (
            f.diagnostic.message.clone(),
            f.expected.clone(),
            f.found.clone(),
        )
    })
    .collect()
}

#[track_caller]
fn fails(outcome: &SuiteResults, message: &str, expected: &str, found: &str) {
    let all = failures(outcome);
    let one = (message.to_owned(), expected.to_owned(), found.to_owned());
    assert!(
        all.contains(&one),
        "no {one:?} in {all:#?}\n{}",
        report::to_text(outcome, false, None)
    );
}

#[test]
fn the_examples_of_the_reference_pass() {
    let examples = blocks("yaml scenario");
    assert!(!examples.is_empty());
    for example in examples {
        passes(&play(&example));
    }
}

#[test]
fn forced_luck_is_drawn_in_order_and_the_seed_does_the_rest() {
    passes(&play(
        "- scenario: A known deck\n\
         \x20 given:\n\
         \x20   options: {hand_size: 2}\n\
         \x20   luck: [{top: [leap-red-3, gust-2, leap-blue-1]}, 2, 1, 1]\n\
         \x20 steps:\n\
         \x20   - expect: [\"leap(red, 3).zone = hand(seat(1))\", \"gust(2).zone = hand(seat(1))\"]\n\
         \x20   - expect: leap(blue, 1).zone = hand(seat(2)) and starter = seat(2)\n\
         \x20   - luck: [3, 3]\n\
         \x20   - play: {seat: 2, option: keep}\n\
         \x20   - events: [{type: rolled, dice: [{face: 3}, {face: 3}]}]\n",
    ));
}

#[test]
fn luck_that_cannot_be_says_what_could() {
    let outcome = play("- scenario: Luck\n  given: {luck: [null, 9]}\n  steps: [{random: 1}]\n");
    let (message, ..) = &failures(&outcome)[0];
    assert_eq!(message, "`9` cannot be drawn here");
    let text = report::to_text(&outcome, false, None);
    assert!(text.contains("possible here: 1, 2"), "{text}");
}

/// Two numbers that are drawn together.
const PAIR: &str = "game: race\nplayers: 2\nbound: 9\nvars:\n  sum: int\neffects:\n  play: |\n    \
    choose a in 1..6, b in 1..6 where b != a at random\n    sum = 10 * a + b\n    choose c in 1..6 at random\n    \
    seat(1) scores c\n    choose n in 1..2 by seat(1)\n    finish drawn\n";

fn pair(luck: &str, expected: &str) -> SuiteResults {
    let given = format!("- scenario: Luck\n  given: {{luck: {luck}}}\n");
    let steps = format!("  steps: [{{expect: \"{expected}\"}}]\n");
    play_in(PAIR, &(given + &steps))
}

#[test]
fn a_choice_with_several_names_is_forced_by_its_values() {
    let outcome = pair("[{a: 3, b: 1}, 2]", "sum = 31 and score[seat(1)] = 2");
    passes(&outcome);
    assert_eq!(outcome.played[0].warnings, []);
    passes(&pair(
        "[{b: 1, a: 6}, {c: 4}]",
        "sum = 61 and score[seat(1)] = 4",
    ));
}

#[test]
fn a_choice_with_several_names_is_one_result() {
    let outcome = pair("[11, 2]", "sum = 31 and score[seat(1)] = 2");
    passes(&outcome);
    let warning = &outcome.played[0].warnings[0];
    assert_eq!(warning.code, "luck-by-number");
    assert_eq!(warning.help.as_deref(), Some("write `{a: 3, b: 1}`"));
}

#[test]
fn values_that_cannot_be_drawn_together_are_refused() {
    for (luck, message, possible) in [
        (
            "[{a: 3, b: 3}]",
            "this cannot be drawn here",
            "{a: 1, b: 2} · ",
        ),
        (
            "[{a: 3}]",
            "this can mean several results",
            "possible here: {a: 3, b: 1} · ",
        ),
        ("[{d: 3}]", "this cannot be drawn here", "{a: 1, b: 2} · "),
        (
            "[null, {b: 3}]",
            "a single value is drawn here",
            "write the drawn value",
        ),
    ] {
        let outcome = pair(luck, "sum > 0");
        let text = report::to_text(&outcome, false, None);
        assert!(
            text.contains(message) && text.contains(possible),
            "{luck}: {text}"
        );
    }
}

/// Rows of the reference: types of events, and their keys.
fn rows_of_events() -> BTreeMap<String, BTreeSet<String>> {
    let text = pages();
    let (_, table) = text.split_once("| Type | Keys |\n| --- | --- |\n").unwrap();
    let words = |cell: &str| -> BTreeSet<String> {
        let words = cell.split('`').skip(1).step_by(2);
        words
            .filter(|word| !word.contains(['{', ' ']))
            .map(str::to_owned)
            .collect()
    };
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    rows.flat_map(|row| {
        let cells: Vec<&str> = row.split('|').collect();
        let keys = words(cells[2]);
        words(cells[1])
            .into_iter()
            .map(move |of| (of, keys.clone()))
    })
    .collect()
}

#[test]
fn the_reference_lists_the_keys_of_every_event_of_a_game() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi/openapi.json");
    let document: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let schemas = &document["components"]["schemas"];
    let of_sessions = [
        "session-created",
        "resumed",
        "seat-taken",
        "seat-left",
        "seat-renewed",
        "seat-reserved",
        "player-forgotten",
        "absence-voted",
        "rated",
        "matched",
        "declined",
        "withdrawn",
        "expired",
        "undo-wished",
        "undo-refused",
        "undone",
        "rolled-back",
        "timed-out",
        "resigned",
        "draw-offered",
        "draw-accepted",
        "draw-declined",
        "draw-withdrawn",
        "aborted",
        "claimed",
        "pause-wanted",
        "pause-declined",
        "paused",
        "unpaused",
        "token-renewed",
        "forked",
    ];
    let mapping = schemas["KnownEvent"]["discriminator"]["mapping"]
        .as_object()
        .unwrap();
    let of_games = mapping
        .iter()
        .filter(|(of, _)| !of_sessions.contains(&of.as_str()));
    let stated: BTreeMap<String, BTreeSet<String>> = of_games
        .map(|(of, schema)| {
            let name = schema.as_str().unwrap().rsplit('/').next().unwrap();
            let keys = schemas[name]["properties"].as_object().unwrap().keys();
            (
                of.clone(),
                keys.filter(|key| *key != "type").cloned().collect(),
            )
        })
        .collect();
    assert_eq!(rows_of_events(), stated);
}

#[test]
fn luck_that_is_left_over_is_a_warning() {
    let outcome = play(
        "- scenario: Luck\n  given: {luck: [null, 1, 3, 2, 1]}\n  steps: [{waiting: {seat: 1}}]\n",
    );
    passes(&outcome);
    assert_eq!(outcome.played[0].warnings[0].code, "leftover-luck");
}

#[test]
fn a_seat_sees_its_own_hand_and_no_other() {
    let deal = "- scenario: Hands\n\
         \x20 given: {options: {hand_size: 1}, luck: [{top: [leap-red-3, gust-2]}, 1, 1, 1]}\n\
         \x20 steps:\n";
    let sees = |step: &str| play(&format!("{deal}    - sees: {step}\n"));
    passes(&sees(
        "{seat: 1, view: {zones: {hand-1: {components: [{id: leap-red-3}]}}}, hides: [gust-2]}",
    ));
    passes(&sees(
        "{seat: 2, view: {zones: {hand-1: {count: 1}}}, hides: [leap-red-3]}",
    ));
    passes(&sees("{seat: public, hides: [leap-red-3, gust-2]}"));
    fails(
        &sees("{seat: 1, hides: [leap-red-3]}"),
        "`leap-red-3` is visible",
        "hidden",
        "seen",
    );
    fails(
        &sees("{seat: 2, view: {zones: {hand-1: {count: 2}}}}"),
        "the view differs at `zones.hand-1.count`",
        "2",
        "1",
    );
}

#[test]
fn waiting_compares_who_and_what() {
    passes(&steps(
        "- waiting: {seats: [1], kind: pick, prompt: \"Play a card?\", options: [play, keep], count: 4}",
    ));
    passes(&steps(
        "- waiting: {option: play, count: 3}\n- waiting: {option: keep, choices: [{option: keep}]}",
    ));
    passes(&steps(
        "- waiting: {includes: [{option: keep}], excludes: [{option: play, c: gust-99}]}",
    ));
    fails(
        &steps("- waiting: {seat: 2}"),
        "no such decision is pending",
        "seat 2 owes a decision",
        "seat 1 owes a decision",
    );
    fails(
        &steps("- waiting: {seats: [1, 2]}"),
        "other seats owe a decision",
        "seats [1, 2]",
        "seats [1]",
    );
    fails(
        &steps("- waiting: {kind: order}"),
        "`kind` of the decision differs",
        "order",
        "pick",
    );
    let outcome = steps("- waiting: {option: leave}");
    assert!(failures(&outcome)[0].0.contains("`leave` is not offered"));
    let outcome = steps("- waiting: {excludes: [{option: keep}]}");
    assert_eq!(failures(&outcome)[0].0, "this choice is possible");
    let outcome = steps("- waiting: {choices: [{option: keep}]}");
    assert!(
        failures(&outcome)[0]
            .2
            .starts_with("only found: {option: play, c: ")
    );
}

#[test]
fn a_misspelled_choice_is_not_taken_for_an_impossible_one() {
    let outcome = steps("- waiting: {excludes: [{option: play, card: gust-1}]}");
    assert_eq!(
        failures(&outcome).len(),
        1,
        "\n{}",
        report::to_text(&outcome, false, None)
    );
}

#[test]
fn an_expectation_that_fails_tells_both_sides_in_words() {
    let outcome = steps("- expect: active.mount.space = space(7)");
    fails(&outcome, "this does not hold", "space 7", "space 3");
    let outcome = steps("- expect: count(hand(seat(1))) = 3 and starter != seat(1)");
    fails(&outcome, "this does not hold", "seat 1", "seat 1");
    assert_eq!(
        failures(&outcome).len(),
        1,
        "each part of a conjunction is judged alone"
    );
}

#[test]
fn a_step_that_looks_may_fail_and_the_story_goes_on() {
    let outcome = steps(
        "- waiting: {count: 99}\n- refused: {option: keep}\n- expect: round = 7\n- play: {option: keep}",
    );
    assert_eq!(
        failures(&outcome).len(),
        3,
        "\n{}",
        report::to_text(&outcome, false, None)
    );
}

#[test]
fn a_choice_that_is_not_accepted_ends_the_story() {
    let outcome = steps("- play: {option: leave}\n- expect: round = 7");
    assert_eq!(
        failures(&outcome).len(),
        1,
        "\n{}",
        report::to_text(&outcome, false, None)
    );
}

#[test]
fn what_did_not_happen_is_found() {
    let outcome = steps("- play: {option: keep}\n- events: [{type: shuffled}]");
    assert!(failures(&outcome)[0].0.contains("this did not happen"));
}

#[test]
fn the_end_is_compared_in_all_its_parts() {
    let end = "- arrange: move dragon(seat(2)) to space(7)\n- play: {option: keep}\n";
    let outcome = steps("- over: {winners: [1]}");
    fails(
        &outcome,
        "the game is not over",
        "over",
        "seat 1 owes a decision",
    );
    let outcome = steps(&format!("{end}- over: {{winners: [2], drawn: false}}"));
    passes(&outcome);
    let outcome = steps(&format!("{end}- over: {{winners: [1], drawn: true}}"));
    fails(&outcome, "the winners differ", "winners [1]", "winners [2]");
    fails(&outcome, "the game is not drawn", "drawn", "not drawn");
}

#[test]
fn arranging_may_not_ask_anybody() {
    let outcome = steps("- arrange: |\n    choose c in hand(seat(1))\n    move c to discard");
    assert!(!outcome.passed());
    let text = report::to_text(&outcome, false, None);
    assert!(text.contains("nothing can be chosen here"), "{text}");
}

#[test]
fn every_mistake_of_a_file_is_told_at_once() {
    let outcome = play(
        "- scenario: One\n  step: []\n\
         - scenario: Two\n  given: {seat: 2, seed: x}\n  steps:\n    - play: {}\n      waiting: {}\n    - random: many\n\
         - shows: [RACE-09]\n  steps: [sees: {view: {}}]\n",
    );
    let messages: Vec<&str> = outcome
        .report
        .diagnostics
        .iter()
        .map(|d| d.message.as_str())
        .collect();
    assert_eq!(
        messages,
        [
            "a scenario has no `step`",
            "the given setup has no `seat`",
            "`x` is not a seed",
            "`waiting` is in the same step as `play`",
            "`many` is not a number of choices",
            "missing `scenario`",
        ]
    );
}

#[test]
fn a_setup_must_be_refused_as_stated() {
    let outcome = play(
        "- scenario: Three\n  given: {seats: 3}\n  refused: {}\n\
         - scenario: Five\n  given: {seats: 5}\n  refused: {option: windy, clause: RACE-01}\n\
         - scenario: Hands\n  given: {options: {hand_size: 9}}\n  refused: {option: hand_size}\n",
    );
    fails(&outcome, "this setup is accepted", "refused", "accepted");
    let found = "5 seats: the game is for 2, 3, 4 [RACE-04]";
    fails(&outcome, "something else is refused", "windy", found);
    fails(&outcome, "another clause refuses it", "RACE-01", found);
    assert_eq!(failures(&outcome).len(), 3);
    let both =
        play("- scenario: Both\n  given: {seats: 5}\n  refused: {clause: RACE-77}\n  steps: []\n");
    assert!(
        both.report.diagnostics[0]
            .message
            .starts_with("this scenario has both")
    );
    let unknown = play("- scenario: One\n  given: {seats: 5}\n  refused: {clause: RACE-77}\n");
    assert_eq!(
        unknown.report.diagnostics[0].message,
        "there is no clause `RACE-77`"
    );
}

/// A game that draws its start position.
const DRAWN: &str = "game: race
title: Stones
players: 2
zones:
  square: {each: {column: 1..3, row: 1..2}, grid: [column, row]}
vars:
  stone: {each: square, type: int}
start: {on: square, rows: x.o/3, letters: {xo: stands}}
effects:
  play: |
    set_up
    choose n in 1..2 by seat(1)
    finish drawn
  stands(square s, int n): stone[s] = n
";

/// A scenario of this game with such a position, which expects stones of the first kind in two corners.
fn with_position(position: &str, corners: (i32, i32)) -> SuiteResults {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("race");
    fs::create_dir_all(game.join("scenarios")).unwrap();
    fs::write(game.join("game.yaml"), DRAWN).unwrap();
    let (first, last) = corners;
    let text = format!(
        "- scenario: Stones\n  given: {{{position}}}\n  steps:\n    - expect:\n        - \"stone[square(1, 2)] = {first}\"\n        - \"stone[square(3, 1)] = {last}\"\n"
    );
    fs::write(game.join("scenarios/story.yaml"), text).unwrap();
    suite::run_folder(&game).unwrap()
}

#[test]
fn a_scenario_draws_its_own_start_position() {
    passes(&with_position("", (1, 0)));
    passes(&with_position("position: 3/.xx", (0, 1)));
    passes(&with_position("position: o2/..x, seed: 3", (2, 1)));
    let outcome = with_position("position: q2/3", (0, 0));
    let text = report::to_text(&outcome, false, None);
    assert!(
        text.contains("`q` means nothing in this position"),
        "{text}"
    );
    let outcome = play("- scenario: No board\n  given: {position: 3/3}\n  steps: []\n");
    let text = report::to_text(&outcome, false, None);
    assert!(text.contains("drawn-position"), "{text}");
}
