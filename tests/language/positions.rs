//! Positions that the game remembers: `record`, `recorded`.

use serde_json::json;

use crate::play::{begin, said};

const WORLD: &str = r#"
positions:
  owned: [mine, count_of]
  laid: "[keys(deck, .rank), keys(row, .rank)]"
  counted: count_of
clauses: {TT-01: One.}
"#;

#[test]
fn a_position_counts_as_often_as_it_was_recorded_with_its_values() {
    let told = said(
        r#"
play: |
  say "{recorded(owned)}"
  record owned
  say "{recorded(owned)} {recorded(laid)} {recorded(counted)}"
  mine[seat(2)] = 4
  say "{recorded(owned)}"
  record owned
  mine[seat(2)] = 0
  record owned
  say "{recorded(owned)}"
  count_of = 1
  say "{recorded(owned)}"
  count_of = 0; mine[seat(2)] = 4
  say "{recorded(owned)}"
"#,
        WORLD,
    );
    assert_eq!(told, ["0", "1 0 0", "0", "2", "0", "1"]);
}

/// The last card of one list is not the first of the next.
#[test]
fn lists_of_a_position_do_not_run_into_each_other() {
    let told = said(
        r#"
play: |
  move deck where .rank > 3 to box
  record laid
  move card(3) to row
  say "{recorded(laid)}"
  record laid
  move card(3) to deck
  say "{recorded(laid)} {count(deck)} {count(row)}"
"#,
        WORLD,
    );
    assert_eq!(told, ["0", "1 3 0"]);
}

#[test]
fn a_what_if_asks_about_the_position_that_would_follow_and_records_nothing() {
    let told = said(
        r#"
counts(int n): count_of = n
counts_and_records(int n): "count_of = n; record counted"
play: |
  counts_and_records(2)
  counts_and_records(3)
  say "{count(1..4 where after(counts(it), recorded(counted)) = 0)}"
  say "{after(counts_and_records(4), recorded(counted))} {after(counts(4), recorded(counted))}"
  say "{after(counts_and_records(2), after(counts_and_records(2), recorded(counted)))}"
  counts(2)
  say "{recorded(counted)}"
"#,
        WORLD,
    );
    assert_eq!(told, ["2", "1 0", "3", "1"]);
}

#[test]
fn the_history_is_part_of_the_saved_state() {
    let mut game = begin(
        r#"
play: |
  repeat:
    record counted
    choose n in 0..3 where after(counts(n), recorded(counted) = 0 [TT-01]) by seat(1): counts(n)
    else: finish won by seat(1)
counts(int n): count_of = n
"#,
        WORLD,
    );
    game.choose(1, "n", json!(2));
    game.reload();
    assert_eq!(game.choices(1), 2);
    assert_eq!(game.forbidden_by(1, "", json!({"n": 0})), ["TT-01"]);
    assert_eq!(game.forbidden_by(1, "", json!({"n": 2})), ["TT-01"]);
    game.choose(1, "n", json!(1));
    game.reload();
    game.choose(1, "n", json!(3));
    assert!(game.is_over());
}

/// A name in the surroundings does not change what a position consists of.
#[test]
fn a_position_has_its_own_names() {
    let told = said(
        r#"
play: |
  record counted
  let n = 7
  say "{sum([1, 2] where recorded(counted) = 1, it + n)}"
"#,
        WORLD,
    );
    assert_eq!(told, ["17"]);
}

/// Code still knows the number of the position that it has just recorded, unless something has changed since.
#[test]
fn what_is_asked_right_after_recording_is_about_the_position_then() {
    let play = r#"
counts(int n): count_of = n
play: |
  turns from seat(1):
    choose n in 0..1 "Which?": mine[active] = n
    if mine[active] = 0: record owned
    if recorded(owned) = 30 or turn = 90: finish drawn
    record owned
    if after(counts(9), recorded(owned)) = 0 and recorded(owned) > 2: count_of += 1
    record counted
    if recorded(owned) > 6 and recorded(counted) > 1: count_of = 0
    record owned
    mine[active] = 1 - mine[active]
    if recorded(owned) > 4: count_of += 2
    record laid
    if recorded(laid) > 3 and recorded(laid) mod 2 = 0: move deck where .rank = turn mod 6 + 1 to row
    if recorded(laid) = 0: say "Nothing lay so before"
"#;
    begin(play.trim(), WORLD);
}
