//! Operations of tools at a rest: running effects, evaluating queries.

use wyrmgate::engine::{
    FaultKind, Seeded, Silent, ToolError, Viewer, eval_query, pending, run_effect,
};
use wyrmgate::program::*;
use wyrmgate::view::view;

use crate::build::{Build, begin, option};

/// Waits for seat 1; `arrange` sets `x` to 7, `decide` asks somebody, `end` finishes.
fn game() -> Program {
    let mut b = Build::new(2);
    let x = b.var("x");
    let asked = b.expr(Expr::Word(x));
    b.query("x", 0, 0, QueryBody::Value(asked));
    let site = b.site(0, vec![option("", Vec::new(), 1)], 1);
    let play = b.op(Op::Choose(site));
    b.op(Op::FinishDrawn);
    let value = b.int(7);
    let arrange = b.op(Op::SetWord { offset: x, value });
    b.op(Op::Return);
    b.effect("arrange", arrange);
    let decide = b.op(Op::SetWord { offset: x, value });
    b.op(Op::Choose(site));
    b.effect("decide", decide);
    let end = b.op(Op::FinishDrawn);
    b.effect("end", end);
    b.play(play)
}

#[test]
fn an_arranged_position_keeps_its_decision() {
    let program = game();
    let mut state = begin(&program);
    let before = pending(&program, &state);
    run_effect(&program, &mut state, "arrange", &mut Seeded, &mut Silent).unwrap();
    assert_eq!(pending(&program, &state), before);
    assert_eq!(eval_query(&program, &state, "x"), Some(7));
    assert_eq!(view(&program, &state, Viewer::Public).vars["x"], 7);
    let choice = Default::default();
    crate::build::answer(&program, &mut state, 0, &choice).unwrap();
    assert!(state.outcome().is_some());
}

#[test]
fn nothing_is_decided_in_an_arrangement() {
    let program = game();
    let mut state = begin(&program);
    let before = state.clone();
    let error = run_effect(&program, &mut state, "decide", &mut Seeded, &mut Silent);
    let Err(ToolError::Fault(fault)) = error else {
        panic!("{error:?}");
    };
    assert_eq!(fault.kind, FaultKind::Decision);
    assert_eq!(state, before);
}

#[test]
fn an_arrangement_may_end_the_game() {
    let program = game();
    let mut state = begin(&program);
    run_effect(&program, &mut state, "end", &mut Seeded, &mut Silent).unwrap();
    assert!(state.outcome().is_some());
    assert!(pending(&program, &state).is_empty());
    let again = run_effect(&program, &mut state, "end", &mut Seeded, &mut Silent);
    assert_eq!(again, Err(ToolError::Over));
}

#[test]
fn unknown_names() {
    let program = game();
    let mut state = begin(&program);
    let error = run_effect(&program, &mut state, "nothing", &mut Seeded, &mut Silent);
    assert_eq!(error, Err(ToolError::Unknown("nothing".into())));
    assert_eq!(eval_query(&program, &state, "nothing"), None);
}
