//! Handlers: before, instead, after; of effects, of what happens by itself, of kinds.

use serde_json::json;

use crate::play::{begin, said};

const GROW: &str = r#"
card c grows int n: say "grows {n}"
"#;

fn grown(play: &str, handlers: &str) -> Vec<String> {
    said(
        &format!("play: {play}{GROW}"),
        &format!("handlers:\n{handlers}"),
    )
}

#[test]
fn before_instead_and_after_stand_around_an_effect_in_this_order() {
    let told = grown(
        "card(1) grows 2",
        r#"
  after card c grows int n: say "after {n}"
  before card c grows int n: say "before {n}"
  instead card c grows int n: |
    say "instead {n}"
    proceed
    say "done"
  before card d grows int m: say "before, too {d.rank}"
"#,
    );
    assert_eq!(
        told,
        [
            "before 2",
            "before, too 1",
            "instead 2",
            "grows 2",
            "done",
            "after 2"
        ]
    );
}

#[test]
fn a_prevented_effect_has_no_after() {
    let told = grown(
        "card(1) grows 2; card(2) grows 3",
        r#"
  before card c grows int n: {if: n = 2, do: prevent}
  before card d grows int n: say "still {n}"
  after card c grows int n: say "after {n}"
"#,
    );
    assert_eq!(told, ["still 3", "grows 3", "after 3"]);
}

#[test]
fn of_several_instead_the_last_is_outermost_and_each_proceeds_to_the_one_before() {
    let told = grown(
        "card(1) grows 1; card(1) grows 5",
        r#"
  instead card c grows int n: {if: n > 3, do: 'say "first"; proceed'}
  instead card d grows int n: {do: 'say "second"; proceed'}
"#,
    );
    assert_eq!(told, ["second", "grows 1", "second", "first", "grows 5"]);
}

#[test]
fn what_an_instead_handler_changes_goes_on_changed() {
    let told = grown(
        "card(1) grows 4",
        r#"
  instead card c grows int n: |
    n = n * 10
    proceed
    proceed
"#,
    );
    assert_eq!(told, ["grows 40", "grows 40"]);
}

#[test]
fn without_proceed_it_does_not_happen() {
    let told = grown(
        "card(1) grows 4",
        "  instead card c grows int n: say \"no\"\n",
    );
    assert_eq!(told, ["no"]);
}

#[test]
fn a_narrower_kind_or_zone_narrows_a_handler() {
    let told = said(
        r#"
play: |
  move card(1) to row
  move card(2) to hand(seat(1))
  move chip(1) to box
"#,
        r#"
handlers:
  after move(card c, hand h): say "card {c.rank} to hand of {index(seats, h.owner)}"
  after move(chip c, zone z): say "chip"
  after move(component c, zone z): say "any"
"#,
    );
    assert_eq!(told, ["any", "card 2 to hand of 1", "any", "chip", "any"]);
}

#[test]
fn every_way_of_moving_is_met_and_keeps_its_place_and_face() {
    let told = said(
        r#"
play: |
  move deck to row
  move card(6) to row at bottom face down
  move card(5) to row at 3
  draw 2 from row to hand(seat(1))
  swap card(6) with card(1)
  each c in row: say "{c.rank}"
"#,
        r#"
handlers:
  after move(card c, zone z): {if: z != row or c.place != count(row), do: 'say "{c.rank} at {c.place}"'}
  before swap(card a, card b): say "swap {a.rank} {b.rank}"
"#,
    );
    assert_eq!(
        told,
        [
            "6 at 1", "5 at 3", "4 at 1", "3 at 2", "swap 6 1", "1", "6", "5", "2"
        ]
    );
}

#[test]
fn a_draw_that_empties_the_deck_draws_what_a_handler_puts_there() {
    let told = said(
        r#"
play: |
  move deck to row
  move card(1) to deck
  draw 1 from deck to hand(seat(1))
  draw 9 from deck to hand(seat(1))
  say "{count(hand(seat(1)))}"
"#,
        r#"
handlers:
  after move(card c, hand h): {if: deck is empty and row is not empty, do: move row to deck}
"#,
    );
    assert_eq!(told, ["6"]);
}

#[test]
fn rolls_shuffles_turns_and_scores_are_met() {
    let told = said(
        r#"
play: |
  roll dice where .place < 3
  shuffle deck
  turn row face down
  seat(2) scores 3
  turn of seat(3): say "on turn"
  say "{score[seat(2)]}"
"#,
        r#"
handlers:
  before roll(dice d): say "roll {count(d)}"
  after shuffle(zone z): say "shuffled {count(z)}"
  after turn(cards c): say "turned {count(c)}"
  instead seat p scores int n: {if: n = 3, do: 'n += 1; proceed'}
  after turn_begins(seat p): say "begins {index(seats, p)} {p = active}"
"#,
    );
    assert_eq!(
        told,
        [
            "roll 2",
            "shuffled 6",
            "turned 0",
            "begins 3 yes",
            "on turn",
            "4"
        ]
    );
}

#[test]
fn effects_of_kinds_are_met_before_the_kind_is_asked() {
    let told = said(
        "play: |\n  gem(1).played(4)\n  gem(2).played(5)\n  played(gem(3), 6)\n  rock.played(7)",
        r#"
components:
  stone:
    kinds:
      gem: {copies: 3, effects: {played(int n): 'say "gem {n}"'}}
      rock: {effects: {played(int m): 'say "rock {m}"'}}
handlers:
  before played(stone c, int n): {if: n = 5, do: prevent}
  after played(gem c, int n): say "after {n}"
"#,
    );
    assert_eq!(told, ["gem 4", "after 4", "gem 6", "after 6", "rock 7"]);
}

/// Two tokens with these handlers.
fn tokens(handlers: &str) -> String {
    format!(
        "zones:\n  bag: {{holds: token}}\ncomponents:\n  token:\n    copies: 2\n    in: bag\n    fields: {{spent: bool}}\n    handlers:\n{handlers}"
    )
}

#[test]
fn handlers_of_a_kind_run_for_each_of_its_components() {
    let told = said(
        r#"
play: |
  token(2).spent = true
  seat(1) is hit
  token(1).spent = true
  seat(1) is hit
seat p is hit: say "hit"
"#,
        &tokens(
            r#"
      before seat p is hit: {if: not me.spent, do: 'say "before {me.place}"'}
      instead seat p is hit: |
        say "{me.place}"
        proceed
      after seat p is hit: {if: me.spent, do: 'say "after {me.place}"'}
"#,
        ),
    );
    assert_eq!(
        told,
        [
            "before 1", "2", "1", "hit", "after 2", "2", "1", "hit", "after 1", "after 2"
        ]
    );
}

#[test]
fn a_condition_lets_a_kinds_instead_handler_be_passed_over() {
    let told = said(
        "play: |\n  token(1).spent = true\n  seat(1) is hit\n  token(2).spent = true\n  seat(1) is hit\nseat p is hit: say \"hit\"",
        &tokens(
            "      instead seat p is hit: {if: not me.spent, do: 'say \"saved by {me.place}\"'}\n",
        ),
    );
    assert_eq!(told, ["saved by 2", "hit"]);
}

#[test]
fn another_seat_prevents_in_the_middle_of_an_effect_and_it_goes_on() {
    let mut game = begin(
        r#"
play: |
  turn of seat(1):
    each p in others(active):
      p loses a card
      say "next"
  finish drawn
seat p loses a card: |
  say "{index(seats, p)} lost"
"#,
        r#"
handlers:
  before seat p loses a card: |
    ask p "Keep it?":
      say "kept by {index(seats, p)}"
      prevent
"#,
    );
    assert_eq!(game.waiting(), [2]);
    game.yes(2);
    assert_eq!(game.said(), ["kept by 2", "next"]);
    assert_eq!(game.waiting(), [3]);
    game.no(3);
    assert_eq!(game.said(), ["kept by 2", "next", "3 lost", "next"]);
    assert!(game.is_over());
}

#[test]
fn prevent_leaves_turns_and_phases_behind_it_in_order() {
    let told = said(
        r#"
play: |
  turn of seat(1):
    card(1) grows 2
    say "{index(seats, active)} {phase is waking}"
card c grows int n: say "grows"
"#,
        r#"
handlers:
  before card c grows int n: |
    turn of seat(3):
      phase waking: prevent
"#,
    );
    assert_eq!(told, ["1 no"]);
}

#[test]
fn a_handler_met_by_what_it_does_itself_is_nested_and_prevents_only_that() {
    let told = said(
        r#"
play: card(1) grows 3
card c grows int n: |
  say "{n}"
  if n > 0: c grows n - 1
  say "end {n}"
"#,
        "handlers:\n  before card c grows int n: {if: n = 1, do: prevent}\n",
    );
    assert_eq!(told, ["3", "2", "end 2", "end 3"]);
}

#[test]
fn what_is_told_of_the_handlers_of_other_seats() {
    let mut game = begin(
        "play: |\n  turn of seat(1): active scores 2\n  finish drawn",
        r#"
handlers:
  instead scores(seat p, int n): |
    choose m in 0..n by left(p) "How much of it?"
    n = m
    proceed
"#,
    );
    assert_eq!((game.waiting(), game.choices(2)), (vec![2], 3));
    game.choose(2, "m", json!(1));
    assert_eq!(game.scores(), [1, 0, 0]);
}

/// A replacement applies once to each event: not to what it does itself, but to what happens after it.
#[test]
fn a_handler_that_applies_once_does_not_handle_what_it_does_itself() {
    let told = said(
        r#"
play: |
  draw 1 from deck to hand(seat(1))
  say "{count(hand(seat(1)))}"
  draw 2 from deck to hand(seat(2))
  say "{count(hand(seat(2)))} {count(deck)}"
  draw 1 from deck to hand(seat(3))
  say "{count(hand(seat(3)))}"
  move top(hand(seat(1))) to row
"#,
        r#"
handlers:
  instead draw(card c, hand h):
    once: true
    if: h != hand(seat(3))
    do: |
      if h = hand(seat(2)): turn of seat(2): draw 1 from deck to h
      if h = hand(seat(2)): return
      proceed
      draw 1 from deck to h
  after draw(card c, zone z): mine[seat(1)] += 1
  after move(card c, zone z): say "moved, drawn {mine[seat(1)]}"
"#,
    );
    let expected = [
        "moved, drawn 0",
        "moved, drawn 0",
        "2",
        "moved, drawn 2",
        "moved, drawn 4",
        "2 2",
        "moved, drawn 6",
        "1",
        "moved, drawn 7",
    ];
    assert_eq!(told, expected);
}

/// Each component of a kind applies its handler once.
#[test]
fn handlers_of_a_kind_apply_once_for_each_component() {
    let told = said(
        "play: |\n  seat(1) scores 1\n  say \"{score[seat(1)]}\"\n  seat(1) scores 0\n  say \"{score[seat(1)]}\"\n",
        r#"
zones:
  shelf: {holds: idol}
components:
  idol:
    copies: 2
    in: shelf
    handlers:
      after scores(seat p, int n): {if: n > 0, once: true, do: "if n > 0: p scores n"}
"#,
    );
    assert_eq!(told, ["5", "5"]);
}
