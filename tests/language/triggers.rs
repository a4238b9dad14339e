//! Cards that change other cards: the order of replacements, triggers that wait, values from before an event, modifiers.

use serde_json::json;

use crate::play::{NotTaken, begin, said};

/// Two rules change a gain, and who gains decides which of them comes first.
const GAINS: &str = r#"
handlers:
  instead scores(seat p, int n): {by: p, name: doubling, do: "n = n * 2; proceed"}
  instead scores(seat q, int m): {by: q, name: bonus, if: m < 9, do: "m += 1; proceed"}
"#;

#[test]
fn the_affected_player_orders_replacements_and_each_applies_once() {
    let play = "play: |\n  seat(2) scores 3\n  seat(3) scores 9\n  finish drawn";
    let mut game = begin(play, GAINS);
    assert_eq!((game.waiting(), game.choices(2)), (vec![2], 2));
    game.answer(2, "bonus", json!({}));
    assert_eq!(game.scores(), [0, 8, 18]);
    let mut game = begin(play, GAINS);
    game.answer(2, "doubling", json!({}));
    assert_eq!(game.scores(), [0, 7, 18]);
}

/// A replacement that makes other events of the same form is not applied to them again; the other one is.
#[test]
fn a_replacement_by_other_events_applies_once_to_them() {
    let told = said(
        "play: |\n  draw 1 from deck to hand(seat(1))\n  say \"{count(hand(seat(1)))}\"",
        r#"
handlers:
  instead draw(card c, hand h): {by: none, once: true, do: draw 2 from deck to h}
  instead draw(card d, hand g): {by: none, once: true, do: "proceed; say \"drawn\""}
"#,
    );
    assert_eq!(told, ["drawn", "drawn", "2"]);
}

/// Each component of a kind is a replacement of its own.
#[test]
fn components_of_a_kind_are_ordered_among_themselves() {
    let sections = r#"
zones:
  shelf: {holds: idol}
components:
  idol:
    copies: 3
    in: shelf
    fields: {worn: bool}
    handlers:
      instead scores(seat p, int n): {by: p, if: not me.worn, do: "n = n * 10 + me.place; proceed"}
"#;
    let play = "play: |\n  idol(2).worn = true\n  seat(2) scores 0\n  finish drawn";
    let mut game = begin(play, sections);
    assert_eq!(game.choices(2), 2);
    // Whether a component is of the kind may be hidden, so a refusal does not tell.
    let mut refusal = |what: &str| match game.try_answer(2, "idol", json!({"source": what})) {
        Err(NotTaken::Rejected(refused)) => refused.to_string().replace(what, "it"),
        other => panic!("{:?}", other.err()),
    };
    assert_eq!(refusal("idol-2"), refusal("card-1"));
    game.answer(2, "idol", json!({"source": "idol-3"}));
    assert_eq!(game.scores(), [0, 31, 0]);
}

/// The dead of all seats trigger; the triggers wait in turn order, and seat 2 orders its own two.
const DEATHS: &str = r#"
zones:
  grave: {holds: card}
handlers:
  after move(card c, grave z):
    keeps: {from: c.zone, laps: c.laps}
    if: from is row
    waits: true
    by: c.keeper
    name: last_words
    do: |
      say "{c.rank} had {laps}, {count(grave)} dead"
      if c.rank = 3: move card(6) to grave
  before move(card e, grave x): e.laps = 0
"#;

const DYING: &str = r#"
play: |
  each c in cards:
    move c to row
    c.laps = c.rank * 10
    c.keeper = seat(1 + (c.rank + 1) mod 3)
  turn of seat(2):
    move card(1) to grave
    move card(3) to grave
    move card(4) to grave
    move card(4) to deck
    say "now"
    resolve
    say "done"
    resolve
  finish drawn
"#;

#[test]
fn triggers_wait_in_turn_order_and_each_seat_orders_its_own() {
    let mut game = begin(DYING, DEATHS);
    // Cards 1 and 4 belong to seat 3, card 3 to seat 2, whose turn it is.
    assert_eq!(game.said(), ["now", "3 had 0, 2 dead"]);
    assert_eq!((game.waiting(), game.choices(3)), (vec![3], 2));
    let label = &game.decision(3)["choices"][1]["label"];
    assert_eq!(label, "last words: card 4");
    game.answer(3, "last_words", json!({"number": 3}));
    let told = [
        "now",
        "3 had 0, 2 dead",
        "4 had 0, 3 dead",
        "1 had 0, 3 dead",
        "6 had 0, 3 dead",
        "done",
    ];
    assert_eq!(game.said(), told);
    assert!(game.is_over());
}

/// A handler keeps values from before the event, and before all other handlers.
#[test]
fn a_handler_keeps_values_from_before_the_event() {
    let told = said(
        "play: |\n  card(2).laps = 7\n  move card(2) to row\n  move card(2) to hand(seat(1))",
        r#"
handlers:
  after move(card c, zone z): {keeps: {from: c.zone, near: "cards where .zone = c.zone and .rank < 4"}, do: 'say "{from} {count(near)} {c.zone}"'}
"#,
    );
    assert_eq!(told, ["deck 3 row", "row 1 hand 1"]);
}

/// A trigger resolves those that it causes first, if it says so.
#[test]
fn a_trigger_can_resolve_what_it_causes() {
    let told = said(
        "play: |\n  light 2\n  light 9\n  resolve\nlight int n: say \"lit {n}\"",
        r#"
handlers:
  after light int n:
    waits: true
    by: if n = 9 then seat(2) else seat(1)
    if: n != 4
    do: |
      say "burns {n}"
      if n < 4: light n + 1
      resolve
"#,
    );
    let expected = [
        "lit 2", "lit 9", "burns 2", "lit 3", "burns 3", "lit 4", "burns 9",
    ];
    assert_eq!(told, expected);
}

/// Modifiers apply in layers, and in each first set and then add.
#[test]
fn modifiers_set_before_they_add() {
    let told = said(
        r#"
play: |
  say "{power(card(2), false)} {power(card(4), false)}"
  move idol(1) to shelf
  say "{power(card(2), false)} {power(card(4), false)}"
  move idol(2) to shelf
  say "{power(card(2), false)} {power(card(4), true)} {limit}"
  count_of = 5
  say "{power(card(2), false)} {limit} {power(card(6), false)}"
"#,
        r#"
zones:
  shelf: {holds: idol}
queries:
  power(card c, bool loud): c.rank
  limit: 7
modifiers:
  power(card c, bool loud): {if: loud, add: 100}
  power(card d, bool quiet): {if: count_of = 5, set: value * 2, layer: 2}
  limit: {if: count_of = 5, set: 3}
components:
  idol:
    copies: 2
    modifiers:
      power(card c, bool loud): {if: "me.zone is shelf and c.rank < 4", add: me.place}
      power(card x, bool y): {if: me.zone is shelf and x.rank > 3, set: 1}
"#,
    );
    assert_eq!(told, ["2 4", "3 1", "5 101 7", "10 3 2"]);
}

/// A copy has the values that its original has now.
#[test]
fn copies_take_modified_values() {
    let told = said(
        r#"
play: |
  model[card(1)] = card(3)
  model[card(2)] = card(1)
  card(3).laps = 4
  say "{power(card(1))} {power(card(2))} {power(card(3))} {power(card(4))}"
"#,
        r#"
vars:
  model: {each: card, type: card}
queries:
  int power(card c) up to 6 deep: c.rank
modifiers:
  power(card c): {if: "model[c] is some", set: "power(model[c])"}
  power(card d): {add: d.laps}
"#,
    );
    assert_eq!(told, ["7 7 7 4"]);
}

/// A handler knows the innermost running effect of a form, and nothing of it after its end.
#[test]
fn a_handler_runs_within_an_effect_and_sees_its_parameters() {
    let told = said(
        r#"
play: |
  seat(1) scores 1
  card(2) storms seat(3)
  seat(1) scores 1
card c storms seat p: |
  p scores c.rank
  if c.rank = 2: card(1) storms seat(2)
  p scores 5
"#,
        r#"
handlers:
  after scores(seat p, int n): {within: card c storms seat q, if: n < 9, do: 'say "{n} by {c.rank} against {index(seats, q)}"'}
  before scores(seat q, int n): {within: chip c storms seat q, do: prevent}
  instead scores(seat r, int m): {within: card x storms seat y, by: r, if: m = 5 and x.rank = 1, do: "m = 6; proceed"}
"#,
    );
    let expected = [
        "2 by 2 against 3",
        "1 by 1 against 2",
        "5 by 1 against 2",
        "5 by 2 against 3",
    ];
    assert_eq!(told, expected);
}

#[test]
fn copies_of_one_replacement_are_told_apart() {
    let sections = r#"
zones:
  shelf: {holds: idol}
components:
  idol:
    copies: 2
    in: shelf
    handlers:
      instead scores(seat p, int n): {by: p, do: "n = n * 10 + me.place; proceed"}
"#;
    let game = begin("play: |\n  seat(2) scores 0\n  finish drawn", sections);
    let decision = game.decision(2);
    assert_eq!(decision["prompt"], "Which comes first?");
    let labels = decision["choices"].as_array().unwrap().iter();
    let labels: Vec<_> = labels.map(|choice| choice["label"].clone()).collect();
    assert_eq!(labels, ["idol (shelf 1)", "idol (shelf 2)"]);
}
