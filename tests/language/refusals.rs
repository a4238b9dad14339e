//! Which clause forbids a choice: that of the condition, else of the list, else of the option, else of the decision.

use serde_json::json;

use crate::play::{NotTaken, begin};

const CLAUSES: &str = "
clauses: {TT-01: One., TT-02: Two., TT-03: Three., TT-04: Four., TT-05: Five.}
components:
  pawn:
    kinds:
      walker:
        queries:
          reached: low [TT-05]
      runner: {}
queries:
  low: 1..3 where it != 2 [TT-01]
  far: first(pawns).reached
";

#[test]
fn a_refusal_cites_the_condition_or_else_the_list_the_option_the_decision() {
    let mut game = begin(
        r#"
play: |
  turn of seat(1):
    choose "Where?" [TT-04]:
      option step "Step" n in low [TT-02], m in 1..2 [TT-03]: return
      option ride "Ride" n in far, m in 1..2: return
"#,
        CLAUSES,
    );
    let mut forbidden = |option, n, m| {
        let clauses = game.forbidden_by(1, option, json!({"n": n, "m": m}));
        clauses.join(" ")
    };
    assert_eq!(forbidden("step", 2, 1), "TT-01");
    assert_eq!(forbidden("step", 4, 1), "TT-02");
    assert_eq!(forbidden("step", 1, 3), "TT-03");
    assert_eq!(forbidden("ride", 2, 1), "TT-01");
    assert_eq!(forbidden("ride", 4, 1), "TT-05");
    assert_eq!(forbidden("ride", 1, 3), "TT-04");
}

/// A seat that names a card without knowing where it is does not learn that from the reason of the refusal.
#[test]
fn a_refusal_does_not_tell_where_a_hidden_component_is() {
    let zones = "
clauses: {TT-01: One., TT-02: Two., TT-03: Three.}
zones:
  own: {each: {owner: seats}, holds: card, see: owner}
  pile: {holds: card, see: nobody}
";
    let mut game = begin(
        r#"
play: |
  move [card(1), card(2)] to own(seat(1))
  move [card(3), card(4)] to own(seat(2))
  move [card(5), card(6)] to pile
  turn of seat(1):
    choose c in cards where .zone != own(seat(2)) [TT-01] and .zone != pile [TT-02] and .rank > 1 [TT-03]: return
"#,
        zones,
    );
    assert_eq!(game.forbidden_by(1, "", json!({"c": "card-1"})), ["TT-03"]);
    let mut refusal = |what: &str| match game.try_answer(1, "", json!({ "c": what })) {
        Err(NotTaken::Rejected(refused)) => refused.to_string().replace(what, "it"),
        other => panic!("{:?}", other.err()),
    };
    assert_eq!(refusal("card-3"), refusal("card-5"));
    let refused_at = |rank: u32| {
        let play = format!(
            r#"
play: |
  move card({rank}) to pile
  move card(4) to row
  turn of seat(1):
    choose c in cards where .rank > 3 [TT-01] and .zone = row [TT-02]: return
"#
        );
        let mut game = begin(&play, zones);
        game.clauses_against(1, "", json!({"c": "pile#1"}))
    };
    assert_eq!(refused_at(1), refused_at(5));
}

/// Nor does it learn that from what is wrong with several of them, or with a card of its own beside one of them.
#[test]
fn a_refusal_does_not_tell_what_is_chosen_with_a_hidden_component() {
    let zones = "
clauses: {TT-01: One., TT-02: Two.}
zones:
  pile: {holds: card, see: nobody}
";
    let refused_at = |rank: u32, names: &str, args: serde_json::Value| {
        let play = format!(
            r#"
play: |
  move [card({rank}), card(2)] to pile
  move [card(3), card(4)] to row
  turn of seat(1):
    choose "Which?":
      option take "Take" {names}: return
      option leave "Leave": return
"#
        );
        begin(&play, zones).clauses_against(1, "take", args)
    };
    let together = "2 c in pile where sum(c, .rank) > 6 [TT-01] and sum(c, .rank) > 9 [TT-02]";
    let both = json!({"c": ["pile#1", "pile#2"]});
    let beside =
        "c in pile, d in row where d.rank < c.rank [TT-01] and d.rank + c.rank > 20 [TT-02]";
    let one = json!({"c": "pile#1", "d": "card-3"});
    for (names, args) in [(together, both), (beside, one)] {
        assert_eq!(
            refused_at(1, names, args.clone()),
            refused_at(6, names, args.clone()),
        );
    }
}
