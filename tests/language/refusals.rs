//! Which clause forbids a choice: that of the condition, else of the list, else of the option, else of the decision.

use serde_json::json;

use crate::play::begin;

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
