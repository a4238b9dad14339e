//! `after(effect, value)`: what would be, without doing it.

use serde_json::json;

use crate::play::{begin, said};

const WORLD: &str = r#"
clauses: {TT-01: One., TT-02: Two.}
components:
  pawn:
    fields: {strength: int}
    kinds:
      hare: {effects: {leap(int n): "me.strength += n; count_of += 1"}}
      bear: {effects: {leap(int n): "me.strength += 2 * n"}}
queries:
  total: sum(row, .rank)
  low: total < 4 [TT-01]
  safe_after(card c): after(play(c), low)
  beyond(int n): after(mine_is(seat(1), n), mine[seat(1)] + count_of)
"#;

const EFFECTS: &str = r#"
play(card c): move c to row
play_all(cards cs): "each c in cs: play(c)"
mine_is(seat p, int n): "mine[p] = n; count_of += 1"
sums(int a, int b): count_of = a + b
twice(int n): "count_of += n; if after(mine_is(seat(1), n), mine[seat(1)] = count_of): count_of += 100"
"#;

fn told(lines: &str) -> Vec<String> {
    said(&format!("{EFFECTS}play: |\n{lines}"), WORLD)
}

#[test]
fn what_is_supposed_does_not_happen() {
    let told = told(
        r#"
  say "{after(play(card(3)), count(row))} {count(row)} {after(play(card(3)), card(3).zone = row)} {card(3).zone = deck}"
  say "{after(mine_is(seat(2), 5), mine[seat(2)])} {mine[seat(2)]} {count_of}"
"#,
    );
    assert_eq!(told, ["1 0 yes yes", "5 0 0"]);
}

#[test]
fn arguments_have_the_values_of_before_and_names_keep_theirs() {
    let told = told(
        r#"
  count_of = 7
  let before = count_of
  say "{after(mine_is(seat(1), count_of), [before, count_of, mine[seat(1)]][3])} {after(twice(count_of), before)}"
  say "{beyond(count_of)} {sum([1, 2], after(mine_is(seat(1), it), it * 100 + mine[seat(1)] * 10 + count_of))}"
"#,
    );
    assert_eq!(told, ["7 7", "15 346"]);
}

#[test]
fn lists_are_arguments_and_effects_of_kinds_can_be_supposed() {
    let told = told(
        r#"
  say "{after(play_all([card(1), card(2), card(3)]), total)} {after(play_all(deck where .rank > 4), total)} {total}"
  say "{after(hare.leap(3), hare.strength + count_of)} {after(bear.leap(3), bear.strength + count_of)}"
  say "{sum(pawns, after(it.leap(2), it.strength))}"
"#,
    );
    assert_eq!(told, ["6 11 0", "4 6", "6"]);
}

#[test]
fn what_ifs_nest() {
    let told = told(
        r#"
  say "{after(play(card(1)), after(play(card(2)), total))} {after(twice(3), count_of)} {count_of} {total}"
  say "{count(deck where after(play(it), some c in deck has after(play(c), total = 4)))}"
"#,
    );
    assert_eq!(told, ["3 3 0 0", "2"]);
}

#[test]
fn choices_are_offered_by_what_would_follow_and_refusals_cite_it() {
    let mut game = begin(
        &format!(
            r#"{EFFECTS}
play: |
  turn of seat(1):
    choose "Which?":
      option lay "Lay" c in deck where safe_after(c): return
      option put "Put" c in deck if after(play(card(4)), total > 9) [TT-02]: return
"#
        ),
        WORLD,
    );
    assert_eq!(game.choices(1), 3);
    assert_eq!(
        game.forbidden_by(1, "lay", json!({"c": "card-4"})),
        ["TT-01"]
    );
    assert_eq!(
        game.forbidden_by(1, "put", json!({"c": "card-4"})),
        ["TT-02"]
    );
}

/// A what-if for each member of a list that a mask describes.
#[test]
fn several_arguments_and_the_value_are_told_apart_in_every_form() {
    let told = told(
        r#"
  mine[seat(2)] = 4
  say "{some n in 1..5 has n = 3 and after(mine_is(seat(2), n), mine[seat(2)] = 4)}"
  say "{count(1..5 where it > 2 and after(sums(it, 1), count_of = 4))} {count(seats where mine[it] = 4 and after(mine_is(it, 1), mine[it] = 4))}"
"#,
    );
    assert_eq!(told, ["no", "1 0"]);
}

#[test]
fn what_is_supposed_to_move_needs_room() {
    let told = said(
        r#"
play: |
  move deck to row
  move [card(1), card(2)] to shelf
  each c in [card(3), card(1), card(2), none]:
    count_of = after(puts(c), digits)
    say "{count_of}"
    count_of = after(puts_under(c), digits)
    say "{count_of}"
  count_of = after(fills, digits * 10 + count(row))
  say "{count_of}"
  count_of = after(puts(card(3)), after(puts(card(4)), digits * 10 + count(row)))
  say "{count_of}"
  count_of = after(changes_places, digits * 10 + row_digits)
  say "{count_of}"
  say "{digits} {row_digits}"
puts(card c): move c to shelf
puts_under(card c): move c to shelf at bottom
fills: move row to shelf; move card(6) to hand(seat(1))
changes_places: |
  move card(1) to row at bottom
  move card(5) to shelf
  move card(6) to shelf
  move card(1) to hand(seat(2))
"#,
        "
zones: {shelf: {holds: card, capacity: 3}}
queries:
  digits: sum(shelf, .rank * [100, 10, 1][.place])
  row_digits: sum(row, .rank * [1000, 100, 10, 1][.place])
",
    );
    let after_each = ["123", "312", "210", "120", "120", "210", "120", "120"];
    assert_eq!(told[..8], after_each);
    assert_eq!(told[8..], ["1232", "1233", "5960", "120 3456"]);
}
