//! Seats that resign while others, or they themselves, owe a decision.

use serde_json::json;

use crate::play::{Game, begin};

const GIVES_BACK: &str = "\nresigns(seat p): move hand(p) to row; say \"{p} goes\"\n";

#[test]
fn secret_answers_are_forgotten_as_if_they_had_never_been_given() {
    let game = || {
        let play = r#"
play: |
  each p in seats: draw 2 from deck to hand(p)
  let kept = reversed(deck)
  each p in seats chooses any c in hand(p), n in 1..2 "Which?"
  each p in seats: say "{p}: {count(c[p])}"
  choose k in 1..2 by seat(1): say "{k}"
  finish ranked by mine[it]
"#;
        begin(&format!("{play}{GIVES_BACK}"), "")
    };
    let mut asked = game();
    asked.answer(1, "", json!({"c": ["card-6", "card-5"], "n": 2}));
    asked.answer(2, "", json!({"c": [], "n": 1}));
    assert!(asked.resign(3, 2));
    let mut other = game();
    assert!(other.resign(3, 0));
    assert!(asked.state() == other.state());
    assert_eq!(asked.waiting(), [1, 2]);
    asked.answer(1, "", json!({"c": ["card-6"], "n": 1}));
    asked.answer(2, "", json!({"c": [], "n": 1}));
    assert_eq!(
        asked.said(),
        ["seat 3 goes", "seat 1: 1", "seat 2: 0", "seat 3: 0"]
    );
    assert!(!asked.resign(3, 0), "nobody resigns twice");
    assert!(!asked.resign(4, 0), "there are three");
    // Seat 3 is ranked last although it has as much.
    asked.choose(1, "k", json!(1));
    let outcome = asked.state().outcome().unwrap();
    assert_eq!(outcome.winners, [0, 1]);
    assert!(!asked.resign(2, 0), "the game is over");
    // With only one side left, the rules go no further.
    assert!(other.resign(1, 0));
    assert!(other.waiting().is_empty() && other.state().outcome().is_none());
}

#[test]
fn turns_and_questions_pass_by_who_has_resigned() {
    let play = r#"
play: |
  turns from seat(1) where mine[it] < 2:
    choose "Now?":
      option go "Go": mine[active] += 1
    else: say "{active} cannot"
    ask any q in others(active) "Well?": say "{q} says yes"
    else: say "nobody"
    any q in seats may choose k in color: say "{q}"
"#;
    let mut game = begin(&format!("{play}{GIVES_BACK}"), "");
    let decline = |game: &mut Game| {
        assert_eq!(game.waiting(), [2, 3]);
        game.answer(2, "decline", json!({}));
        game.answer(3, "decline", json!({}));
    };
    assert!(game.resign(1, 0));
    assert_eq!(
        game.waiting(),
        [2, 3],
        "seat 1 has no choice, and then the others are asked"
    );
    game.no(2);
    game.no(3);
    decline(&mut game);
    for (active, other) in [(2, 3), (3, 2)] {
        assert_eq!(game.decision(active)["prompt"], "Now?");
        game.answer(active, "go", json!({}));
        assert_eq!(game.waiting(), [other], "seat 1 is not asked");
        game.no(other);
        decline(&mut game);
    }
    assert_eq!(game.decision(2)["prompt"], "Now?", "seat 1 has no turn");
    assert_eq!(
        game.said(),
        ["seat 1 goes", "seat 1 cannot", "nobody", "nobody", "nobody"]
    );
}

#[test]
fn the_order_of_triggers_and_replacements_is_not_asked_of_who_has_resigned() {
    let sections = r#"
handlers:
  instead scores(seat p, int n): {by: p, name: double, do: "n = n * 2; proceed"}
  instead scores(seat q, int m): {by: q, name: more, do: "m += 1; proceed"}
  after move(card c, row r): {waits: true, by: seat(1), name: one, do: count_of += 1}
  after move(card c, row s): {waits: true, by: seat(1), name: two, do: count_of += 10}
"#;
    let play = r#"
play: |
  move top(deck) to row
  as seat(1): resolve
  say "{count_of}"
  choose n in 1..2 by seat(2)
  seat(1) scores 3
  choose k in 1..2 by seat(2)
  finish drawn
resigns(seat p): say "{p} goes"
"#;
    let mut game = begin(play, sections);
    assert_eq!(game.waiting(), [1], "which trigger comes first");
    assert!(game.resign(1, 0));
    assert_eq!(game.waiting(), [2]);
    game.choose(2, "n", json!(1));
    assert_eq!(game.waiting(), [2]);
    assert_eq!(game.said(), ["seat 1 goes", "11"]);
}
