//! Components that are alike are listed once: copies in a zone with `order: any`.

use serde_json::json;
#[cfg(feature = "native")]
use wyrmgate::native::left_to_interpreter;

use crate::play::{Game, begin, said};

const WORLD: &str = "
zones:
  bag: {each: {owner: seats}, holds: token, see: owner, order: any}
  shelf: {holds: token}
components:
  token: {each: {tint: color}, copies: 3, in: bag(seat(1)), fields: {spent: bool}}
vars:
  marked: token
  worn: {each: token, type: bool}
";

fn asked(decision: &str) -> Game {
    let lines: String = decision
        .lines()
        .map(|line| format!("\n    {line}"))
        .collect();
    let play = format!("play: |\n  turn of seat(1):{lines}\n  finish drawn\n");
    begin(&play, WORLD)
}

/// The number of choices of each decision; the bag contains three red and three blue tokens.
#[test]
fn one_of_each_kind_is_listed() {
    let counts = [
        ("choose t in bag(seat(1)): return", 2),
        ("choose t in bag(seat(1)) where .tint = red: return", 1),
        ("choose t in tokens: return", 2),
        ("choose any t in bag(seat(1)): return", 16),
        ("choose 2 t in bag(seat(1)): return", 3),
        ("choose up to 2 t in bag(seat(1)): return", 6),
        ("choose any t in bag(seat(1)) where count(t) > 4: return", 3),
        (
            "choose any t in bag(seat(1)) where distinct(t, .tint) = 1: return",
            6,
        ),
        (
            "choose any t in bag(seat(1)) if product(t, count(t)) = 4: return",
            3,
        ),
        ("choose 2 t in bag(seat(1)), n in 1..2: return", 6),
        (
            "choose s in bag(seat(1)), t in bag(seat(1)) where t != s: return",
            4,
        ),
        ("choose s in bag(seat(1)), t in bag(seat(1)): return", 6),
        // In an order each of them has a place of its own, and so has each of several that repeat.
        ("choose ordered 2 t in bag(seat(1)): return", 30),
        ("choose repeated 2 t in bag(seat(1)): return", 21),
        // Something distinguishes one of them.
        (
            "marked = token(red, 2)\nchoose t in bag(seat(1)): return",
            3,
        ),
        (
            "worn[token(red, 2)] = true\nchoose t in bag(seat(1)): return",
            3,
        ),
        (
            "token(red, 1).spent = true\nchoose t in bag(seat(1)): return",
            3,
        ),
        (
            "token(red, 1).spent = true\nchoose 2 t in bag(seat(1)): return",
            5,
        ),
        (
            "turn token(blue, 3) face down\nchoose t in bag(seat(1)): return",
            3,
        ),
        (
            "move token(blue, 3) to bag(seat(2))\nchoose t in tokens: return",
            3,
        ),
        // The order of the shelf means something.
        ("move tokens to shelf\nchoose t in shelf: return", 6),
        // A seat lists what it does not know by its place.
        ("choose t in bag(seat(1)) by seat(2): return", 6),
    ];
    for (decision, count) in counts {
        let game = asked(decision);
        let seat = game.waiting()[0];
        assert_eq!(game.choices(seat), count, "{decision}");
    }
}

#[test]
fn the_others_are_legal() {
    let decision = "choose t in bag(seat(1)): say \"{t}\"";
    for token in ["token-red-1", "token-red-3", "token-blue-2"] {
        let mut game = asked(decision);
        game.choose(1, "t", json!(token));
        assert_eq!(game.said().len(), 1, "{token}");
    }
    let mut game = asked("choose any t in bag(seat(1)) if count(t) > 1: say \"{count(t)}\"");
    game.choose(1, "t", json!(["token-red-2", "token-blue-3"]));
    assert_eq!(game.said(), ["2"]);
}

/// Kinds stand in the order of the zone, and so do their members.
#[test]
fn the_first_ones_are_listed_in_the_order_of_the_zone() {
    let game = asked(
        "move tokens to shelf\neach n in [4, 1, 5, 2]: move first(shelf where .tint = (if n > 3 then blue else red)) to bag(seat(1))\nchoose 3 t in bag(seat(1)): return",
    );
    let decision = game.decision(1);
    let choices = decision["choices"].as_array().unwrap();
    let chosen: Vec<_> = choices.iter().map(|choice| &choice["args"]["t"]).collect();
    assert_eq!(
        chosen,
        [
            &json!(["token-blue-1", "token-red-1", "token-blue-2"]),
            &json!(["token-blue-1", "token-red-1", "token-red-2"]),
        ]
    );
}

#[test]
fn chance_counts_each_of_them() {
    let effects = r#"
play: |
  token(red, 1).spent = true
  repeat 200 times:
    choose t in bag(seat(1)) at random
    if t.tint = red: count_of += 1
  if count_of in 70..130: say "half of them"
"#;
    assert_eq!(said(effects.trim(), WORLD), ["half of them"]);
}

/// Selections of components that are alike are found by machine code: counted, or tested one by one. `begin` compares them.
#[cfg(feature = "native")]
#[test]
fn selections_of_components_that_are_alike_are_machine_code() {
    let play = "
play: |
  turns from seat(1):
    choose \"Which?\":
      option few n in 1..3, n t in bag(active) where count(t where .tint = red) < 2: move t to bag(left(active))
      option odd n in 1..2, any t in bag(active) where product(t, count(t) + n) mod 2 = 1: move t to bag(right(active))
      option one t in bag(active): move t to shelf
      option pass \"Pass\"
    if turn > 40 or count(shelf) > 4: finish drawn
";
    let game = begin(play, WORLD);
    assert_eq!(left_to_interpreter(game.program()), Some(Vec::new()));
}
