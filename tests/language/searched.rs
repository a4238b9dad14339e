//! Selections that machine code finds: asked for again in other positions, and with members that repeat.

use serde_json::json;
#[cfg(feature = "native")]
use wyrmgate::native::left_to_interpreter;

use crate::play::begin;

#[test]
fn the_same_question_has_the_same_answer_in_another_position() {
    let mut game = begin(
        r#"
play: |
  repeat 3 times:
    turn of seat(1):
      choose "Which?":
        option leave c in deck where best(deck - [c]) = 9: move c to row
        option pairs c in deck where pairs(deck - [c]) > 3: move c to row
  say "{best(deck)} {pairs(deck)}"
  finish drawn
"#,
        "queries:\n  best(cards h): max(any m in h where count(m) < 3 and distinct(m, .rank) = count(m), sum(m, .rank))\n  \
         pairs(cards h): count(2 m in h where sum(m, .rank) > 5)",
    );
    let mut listed = Vec::new();
    for card in ["card-6", "card-1", "card-2"] {
        listed.push(game.choices(1));
        game.answer(1, "leave", json!({"c": card}));
    }
    assert_eq!(listed, [7, 6, 2]);
    assert_eq!(game.said(), ["9 3"]);
}

#[test]
fn members_that_repeat_are_chosen_beside_other_options() {
    let mut game = begin(
        r#"
play: |
  turn of seat(1):
    choose "Which?":
      option free m in 1..3 where m != 2, repeated 2 n in [4, 5, 6]: say "free {m} {sum(n)}"
      option even m in 1..2, repeated m n in 1..4 if sum(n) mod 2 = 0: say "even {m} {sum(n)}"
      option few m in 1..3, repeated m n in 1..3 if every x in unique(n) has count(n where it = x) < 3: say "few {m} {sum(n)}"
      option none: return
    choose "Which?":
      option subset m in 1..3, any c in deck where sum(c, .rank) = m + 4: say "{m} {count(c)}"
      option none: return
  finish drawn
"#,
        "",
    );
    #[cfg(feature = "native")]
    assert_eq!(left_to_interpreter(game.program()), Some(Vec::new()));
    // 2 * 6, 2 + 6, 3 + 6 + 7, 1.
    assert_eq!(game.choices(1), 37);
    game.answer(1, "few", json!({"m": 3, "n": [1, 1, 3]}));
    // 3, 4 and 4 subsets.
    assert_eq!(game.choices(1), 12);
    game.answer(1, "subset", json!({"m": 3, "c": ["card-3", "card-4"]}));
    assert_eq!(game.said(), ["few 3 5", "3 2"]);
}
