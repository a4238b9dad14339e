//! Decisions that repeat themselves: `as often as possible`, `for most …`.

use serde_json::json;

use crate::play::begin;

/// Ways from place to place. The longest from 1 goes by 3, 5 and 6; that of the most worth by 4.
const WORLD: &str = r#"
clauses: {TT-01: As far as you can.}
data:
  ways: [[2, 3, 4], [4], [5], [], [6], []]
  worth: [0, 1, 1, 5, 1, 1]
queries:
  from_here: ways[count_of]
  next(int here): ways[here]
"#;

fn game(decision: &str) -> crate::play::Game {
    let play = format!(
        "walks_to(int n): count_of = n; mine[active] += 1\nplay: |\n  count_of = 1\n  turn of seat(1):\n{decision}\n    say \"{{count_of}} {{mine[seat(1)]}}\"\n"
    );
    begin(&play, WORLD)
}

#[test]
fn only_choices_of_a_longest_sequence_are_legal() {
    let walk = r#"    choose n in from_here "Where?" as often as possible [TT-01]: walks_to(n)"#;
    let mut game = game(walk);
    assert_eq!(game.choices(1), 1);
    assert_eq!(game.forbidden_by(1, "", json!({"n": 2})), ["TT-01"]);
    for n in [3, 5, 6] {
        game.choose(1, "n", json!(n));
        game.reload();
    }
    assert_eq!(game.said(), ["6 3"]);
}

#[test]
fn the_most_is_the_sum_of_what_the_choices_are_worth() {
    let mut most = game("    choose n in from_here for most worth[n]: walks_to(n)");
    assert_eq!(most.choices(1), 1);
    most.choose(1, "n", json!(2));
    most.choose(1, "n", json!(4));
    assert_eq!(most.said(), ["4 2"]);
}

/// The search stops at what suffices, so both ways are legal that reach it.
#[test]
fn a_sequence_that_is_worth_so_much_suffices() {
    let walk = "    choose n in from_here as often as possible up to 2 - mine[active]: walks_to(n)";
    let mut game = game(walk);
    assert_eq!(game.choices(1), 2);
    game.choose(1, "n", json!(2));
    assert_eq!(game.choices(1), 1);
    game.choose(1, "n", json!(4));
    assert_eq!(game.said(), ["4 2"]);
}

#[test]
fn names_of_the_surroundings_are_known_and_several_names_are_chosen() {
    let walk = r#"    let end = 4
    each p in [seat(1)]:
      choose here in [count_of], n in next(here) where it != 3 if n <= end by p as often as possible:
        walks_to(n)
        say "{p} goes from {here} to {n} of {end}""#;
    let mut game = game(walk);
    assert_eq!(game.choices(1), 1);
    game.answer(1, "", json!({"here": 1, "n": 2}));
    game.answer(1, "", json!({"here": 2, "n": 4}));
    assert_eq!(
        game.said(),
        [
            "seat 1 goes from 1 to 2 of 4",
            "seat 1 goes from 2 to 4 of 4",
            "4 2"
        ]
    );
}

#[test]
fn otherwise_is_for_those_who_cannot_choose_at_all() {
    let otherwise = |first: &str| {
        let walk = format!(
            "    {first}\n    choose n in from_here where it != 2 and it != 3 as often as possible: walks_to(n)\n    else: say \"stays\""
        );
        game(&walk)
    };
    assert_eq!(otherwise("count_of = 4").said(), ["stays", "4 0"]);
    let mut goes = otherwise("count_of = 1");
    goes.choose(1, "n", json!(4));
    assert_eq!(goes.said(), ["4 1"]);
}

/// Twenty steps: deeper than the stack of a thread would allow without limits.
#[test]
fn long_sequences_are_searched() {
    let world = "vars: {left: {type: int, start: 20}}\n";
    let play = r#"
walks(int n): left -= n
play: |
  turn of seat(1):
    choose n in 1..2 where n <= left as often as possible: walks(n)
    say "{left}"
"#;
    let mut game = begin(play, world);
    for _ in 0..20 {
        assert_eq!(game.choices(1), 1);
        game.choose(1, "n", json!(1));
    }
    assert_eq!(game.said(), ["0"]);
}
