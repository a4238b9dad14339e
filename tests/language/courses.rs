//! The course of the game: turns, rounds and phases that end early, nest and are skipped.

use serde_json::json;

use crate::play::{begin, said};

#[test]
fn turns_go_round_until_stopped_and_next_ends_one() {
    let told = said(
        r#"
play: |
  turns from seat(2):
    if turn = 2: next
    say "{index(seats, active)} {turn}"
    if turn = 4: stop
  say "{active = none} {turn}"
"#,
        "",
    );
    assert_eq!(told, ["2 1", "1 3", "2 4", "yes 4"]);
}

#[test]
fn turns_pass_over_seats_and_end_when_nobody_is_left() {
    let told = said(
        r#"
play: |
  turns from seat(2) where mine[it] < 2:
    mine[active] += if active = seat(3) then 2 else 1
    say "{index(seats, active)} {turn}"
  say "{active = none}"
  turns from none where mine[it] < 9: say "nobody"
"#,
        "",
    );
    assert_eq!(told, ["2 1", "3 2", "1 3", "2 4", "1 5", "yes"]);
}

#[test]
fn a_turn_within_a_turn_gives_the_first_one_back() {
    let told = said(
        r#"
play: |
  turn of seat(1):
    turn of seat(3):
      turn of seat(2): say "{index(seats, active)}"
      say "{index(seats, active)}"
    say "{index(seats, active)} {turn}"
"#,
        "",
    );
    assert_eq!(told, ["2", "3", "1 3"]);
}

#[test]
fn leaving_from_the_middle_ends_all_that_has_begun() {
    let told = said(
        r#"
play: |
  once
  say "{phase = none} {active = none} {mine[seat(1)]} {round}"
  each p in seats:
    round:
      phase playing:
        turn of p:
          mine[p] = 3
          if p = seat(1): next
          if p = seat(2): stop
    say "never"
  say "{phase = none} {active = none} {mine[seat(2)]} {round}"
once: |
  round:
    phase dealing:
      turn of seat(1):
        mine[seat(1)] = 5
        each c in deck:
          if c.rank = 2: return
          say "{phase is dealing}"
"#,
        "",
    );
    assert_eq!(told, ["yes", "yes yes 5 1", "yes yes 3 3"]);
}

#[test]
fn what_lasts_a_turn_or_a_round_is_forgotten_at_its_end() {
    let told = said(
        r#"
play: |
  round:
    turn of seat(1):
      steps = 4
      hits = 2
      turn of seat(2): hits += 1
      say "{steps} {hits}"
    say "{steps} {hits}"
  say "{steps} {hits}"
"#,
        "vars:\n  steps: {type: int, lasts: turn, start: 1}\n  hits: {type: int, lasts: round}\n",
    );
    assert_eq!(told, ["1 3", "1 3", "1 0"]);
}

#[test]
fn seats_are_skipped_by_what_is_remembered() {
    let told = said(
        r#"
play: |
  mine[seat(2)] = 1
  let p = seat(1)
  repeat 4 times:
    if mine[p] > 0: mine[p] -= 1
    else:
      turn of p: say "{index(seats, p)}"
    p = left(p)
"#,
        "",
    );
    assert_eq!(told, ["1", "3", "1"]);
}

#[test]
fn loops_within_loops_are_left_one_by_one() {
    let told = said(
        r#"
play: |
  each a in 1..3:
    let seen = [a]
    while true:
      each b in seen + [7, 8]:
        if b = 7: next
        if b = 8: stop
        say "{a} {b}"
      stop
    if a = 2: stop
  repeat 3 times:
    repeat:
      count_of += 1
      if count_of mod 2 = 0: stop
  say "{count_of}"
  repeat 0 times: say "never"
  repeat -2 times: say "never"
"#,
        "",
    );
    assert_eq!(told, ["1 1", "2 2", "6"]);
}

#[test]
fn a_list_is_walked_as_it_was_when_the_loop_began() {
    let told = said(
        r#"
play: |
  each c in deck where c.rank < 4: move c to row
  each c in row:
    move row to deck
    say "{c.rank}"
  say "{count(row)}"
"#,
        "",
    );
    assert_eq!(told, ["1", "2", "3", "0"]);
}

#[test]
fn finish_ranks_by_the_first_key_then_by_the_next() {
    let told = said(
        r#"
play: |
  let total = sum(deck, .rank) + max(deck, .rank)
  seat(1) scores total
  say "{total}"
  finish ranked by score[it], sum(hand(it), .rank) + count(hand(it).rank), -index(seats, it), ties drawn
"#,
        "",
    );
    assert_eq!(told, ["27"]);
}

#[test]
fn somebody_else_is_active_for_a_while_and_no_turn_begins() {
    let mut game = begin(
        r#"
play: |
  turn of seat(1):
    as seat(2):
      one_pays
      as seat(3):
        turn of seat(1): say "{index(seats, active)} {turn}"
        one_pays
        say "{index(seats, active)}"
      say "{index(seats, active)}"
    say "{index(seats, active)} {turn}"
  finish drawn
one_pays: |
  choose n in 1..3 "How much?"
  mine[active] = n
  say "{index(seats, active)} pays {n}"
"#,
        "",
    );
    game.reload();
    assert_eq!(game.waiting(), [2]);
    game.choose(2, "n", json!(1));
    game.reload();
    assert_eq!(game.waiting(), [3]);
    game.choose(3, "n", json!(2));
    assert_eq!(
        game.said(),
        ["2 pays 1", "1 2", "3 pays 2", "3", "2", "1 2"]
    );
}

#[test]
fn whoever_was_active_is_so_again_however_the_block_is_left() {
    let told = said(
        r#"
play: |
  turn of seat(1):
    each p in seats:
      as p:
        if p = seat(1): next
        as left(p):
          if p = seat(2): stop
      say "never"
    say "{index(seats, active)}"
    once
    say "{index(seats, active)}"
    as none: say "{active = none}"
    say "{index(seats, active)} {turn}"
once: |
  as seat(2):
    as seat(3): return
  say "never"
"#,
        "",
    );
    assert_eq!(told, ["1", "1", "yes", "1 1"]);
}

#[test]
fn turns_go_backward_or_in_steps_that_change() {
    let told = said(
        r#"
play: |
  turns from seat(1) by way:
    say "{index(seats, active)}"
    if turn = 3: way = -1
    if turn = 6: way = 2
    if turn = 8: stop
  turns from seat(3) where it != seat(2) by -1:
    say "{index(seats, active)}"
    if turn = 11: stop
"#,
        "vars:\n  way: {type: int, start: 1}\n",
    );
    assert_eq!(
        told,
        ["1", "2", "3", "2", "1", "3", "2", "1", "3", "1", "3"]
    );
}

#[test]
fn turns_are_missed_and_taken_again_as_often_as_variables_count() {
    let told = said(
        r#"
play: |
  turns from seat(1) skipping missed repeating extra:
    say "{index(seats, active)}"
    if turn = 1: missed[seat(2)] = 2
    if turn = 2: extra[active] += 1
    if turn = 3: missed[active] += 1
    if turn = 7: stop
  say "{missed[seat(1)]} {missed[seat(2)]} {missed[seat(3)]}"
"#,
        "vars:\n  missed: {each: seats, type: int}\n  extra: {each: seats, type: int}\n",
    );
    assert_eq!(told, ["1", "3", "3", "1", "1", "2", "3", "0 0 0"]);
}

#[test]
fn another_turn_is_noted_by_what_lasts_a_turn() {
    let told = said(
        r#"
play: |
  turns from seat(3) where it != seat(2) repeating again:
    say "{index(seats, active)} {again[active]}"
    if turn in [1, 3]: again[active] = true
    if turn = 3: next
    if turn = 5: stop
"#,
        "vars:\n  again: {each: seats, type: bool, lasts: turn}\n",
    );
    assert_eq!(told, ["3 no", "3 no", "1 no", "1 no", "3 no"]);
}

#[test]
fn what_lasts_until_a_turn_is_forgotten_when_the_turn_of_that_seat_begins() {
    let told = said(
        r#"
play: |
  turns from seat(1):
    say "{guard[seat(1)]} {guard[seat(2)]} {guard[seat(3)]}"
    if turn < 3:
      guard[active] = turn + 4
      guard[seat(3)] = 8
    if turn = 5: stop
  turn of seat(3): say "{guard[seat(3)]}"
"#,
        "vars:\n  guard: {each: seats, type: int, start: 1, lasts: until_turn}\n",
    );
    assert_eq!(told, ["1 1 1", "5 1 8", "5 6 1", "1 6 1", "1 1 1", "1"]);
}

#[test]
fn values_begin_differently_by_their_key_and_are_reset_to_that() {
    let told = said(
        r#"
play: |
  say "{fee[2]} {fee[5]} {fee[3]} {banner[seat(3)]}"
  round:
    fee[5] = 1
    banner[seat(1)] = none
  say "{fee[2]} {fee[5]} {fee[3]} {banner[seat(1)]}"
  turn of seat(2): say "{guard[seat(1)]} {guard[seat(2)]} {guard[seat(3)]}"
  guard[seat(2)] = 0
  turn of seat(2): say "{guard[seat(1)]} {guard[seat(2)]} {guard[seat(3)]}"
"#,
        "vars:\n  fee: {each: \"[5, 2]\", type: int, start: \"[7, 9]\", lasts: round}\n  banner: {each: seats, type: color, start: \"keys(seats, if it = seat(3) then blue else red)\", lasts: round}\n  guard: {each: seats, type: int, start: \"keys(seats, index(seats, it) * 2)\", lasts: until_turn}\n",
    );
    assert_eq!(told, ["9 7 0 blue", "9 7 0 red", "2 4 6", "2 4 6"]);
}
