//! Conditions on later names that do not depend on them: they decide which values earlier names have.

use serde_json::json;
use wyrmgate::engine::FaultKind;

use crate::play::{begin, try_begin};

const CLAUSES: &str = "clauses:\n  TT-01: First.\n  TT-02: Second.";

#[test]
fn names_keep_the_values_that_later_names_allow() {
    let mut game = begin(
        r#"
play: |
  turn of seat(1):
    count_of = 2
    choose w in 1..3, n in 1..4, h in 1..6 where count_of = 0 or w = count_of and n > w and h > n: say "{w} {n} {h}"
    count_of = 0
    choose w in 1..3, n in 1..4, h in 1..6 where count_of = 0 or w = count_of and n > w and h > n: say "{w} {n} {h}"
    count_of = 3
    choose w in [3, 1, 2], n in [4, 2], c in deck where w < count_of and n = w + 2 - 1 and c.rank > n: say "{w} {n}"
    choose "Which?":
      option high n in 1..6, k in 1..6 where count_of = 3 and n > 4: say "{n} {k}"
      option low n in 1..6, k in 1..6 where count_of = 2 and n > 4: say "{n} {k}"
  finish drawn
"#,
        "",
    );
    assert_eq!(game.choices(1), 5);
    game.answer(1, "", json!({"w": 2, "n": 4, "h": 6}));
    assert_eq!(game.choices(1), 72);
    game.answer(1, "", json!({"w": 3, "n": 1, "h": 1}));
    assert_eq!(game.choices(1), 4);
    game.answer(1, "", json!({"w": 1, "n": 2, "c": "card-3"}));
    assert_eq!(game.choices(1), 12);
    game.answer(1, "high", json!({"n": 5, "k": 1}));
    assert_eq!(game.said(), ["2 4 6", "3 1 1", "1 2", "5 1"]);
}

#[test]
fn a_refusal_still_cites_the_condition_where_it_is_written() {
    let mut game = begin(
        r#"
play: |
  turn of seat(1):
    count_of = 2
    choose w in 1..3, n in 1..4 where it != w [TT-01], h in 1..6 where fits(w, n, it) [TT-02]: say "{w} {n} {h}"
  finish drawn
"#,
        &format!("{CLAUSES}\nqueries:\n  fits(int w, int n, int h): w = count_of and h > n"),
    );
    assert_eq!(game.choices(1), 10);
    for (w, n, h, clause) in [(1, 1, 1, "TT-01"), (1, 2, 3, "TT-02"), (2, 3, 3, "TT-02")] {
        let args = json!({"w": w, "n": n, "h": h});
        assert_eq!(game.forbidden_by(1, "", args), [clause]);
    }
}

/// What stands between the names is evaluated for the same values as before.
#[test]
fn a_fault_before_the_condition_remains() {
    let domains = [
        "n in 1..2 where 2147483647 + w > n",
        "n in 1..2147483647 + w",
    ];
    for domain in domains {
        let play = format!(
            "play: |\n  turn of seat(1):\n    choose w in 1..3, {domain}, h in 1..6 where w < count_of: return\n  finish drawn"
        );
        let Err((fault, _)) = try_begin(&play, "") else {
            panic!("no fault: {domain}");
        };
        assert_eq!(fault.kind, FaultKind::Overflow);
    }
}
