//! Every limit answers by name, with the place in the rules; none hangs or crashes.

use wyrmgate::diagnostic::Span;
use wyrmgate::engine::{FaultKind, count_choices, pending};
use wyrmgate::program::*;

use crate::build::{Build, begin, binder, fault, option};

fn span(address: u32) -> Option<Span> {
    Some(Span {
        start: address + 1,
        end: address + 2,
        ..Span::default()
    })
}

#[test]
fn an_endless_loop_runs_out_of_fuel() {
    let mut b = Build::new(2);
    let entry = b.op(Op::Jump(0));
    let fault = fault(&b.play(entry));
    assert_eq!((fault.kind, fault.span), (FaultKind::Fuel, span(0)));
    assert_eq!(
        wyrmgate::view::sentence(&fault),
        "one move caused more work than is allowed (limit `fuel`)"
    );
}

#[test]
fn a_long_walk_runs_out_of_fuel() {
    let mut b = Build::new(2);
    let (all, slot) = (b.range(1, i32::MAX), b.slot());
    let sum = b.expr(Expr::Sum {
        of: all,
        temp: 0,
        key: 0,
    });
    let entry = b.op(Op::Let(slot, sum));
    assert_eq!(fault(&b.play(entry)).kind, FaultKind::Fuel);
}

#[test]
fn effects_nest_only_so_deep() {
    let mut b = Build::new(2);
    let args = b.args(Vec::new());
    let entry = b.op(Op::Call { effect: 0, args });
    b.op(Op::Return);
    let fault = fault(&b.play(entry));
    assert_eq!((fault.kind, fault.span), (FaultKind::Depth, span(0)));
}

#[test]
fn queries_nest_only_so_deep() {
    // endless(x) = some y in list(x) has endless(x) > 0 … through every kind of nesting
    let mut b = Build::new(2);
    let args = b.expr(Expr::Temp(0));
    let call = b.expr(Expr::Call { query: 0, args });
    let listed = b.set(Set::Call { query: 1, args });
    let condition = b.binary(Binary::More, call, args);
    let body = b.expr(Expr::Some(MemberTest {
        of: listed,
        temp: 1,
        condition,
    }));
    let one = b.range(1, 2);
    let kept = b.set(Set::Where(MemberTest {
        of: one,
        temp: 1,
        condition: call,
    }));
    b.query("endless", 1, 2, QueryBody::Value(body));
    b.query("listed", 1, 2, QueryBody::List(kept));
    let slot = b.slot();
    let entry = b.op(Op::Let(slot, call));
    assert_eq!(fault(&b.play(entry)).kind, FaultKind::Depth);
}

#[test]
fn a_list_can_grow_only_so_long() {
    let mut b = Build::new(2);
    let slot = b.slots(2);
    let many = b.range(1, 50_000);
    let entry = b.op(Op::LetList(slot, many));
    b.op(Op::LetList(slot, many));
    let fault = fault(&b.play(entry));
    assert_eq!((fault.kind, fault.span), (FaultKind::StateSize, span(1)));
}

#[test]
fn only_so_much_can_happen_at_once() {
    let mut b = Build::new(2);
    let (seat, by) = (b.int(0), b.int(0));
    let entry = b.op(Op::Score { seat, by });
    b.op(Op::Jump(entry));
    assert_eq!(fault(&b.play(entry)).kind, FaultKind::Events);
}

#[test]
fn numbers_that_do_not_fit_name_their_place() {
    let mut b = Build::new(2);
    let (most, one) = (b.int(i32::MAX), b.int(1));
    let sum = b.binary(Binary::Add, most, one);
    let here = Span {
        start: 70,
        end: 80,
        ..Span::default()
    };
    b.program.origins.expr_spans.push((sum, here));
    let slot = b.slot();
    let entry = b.op(Op::Let(slot, sum));
    let fault = fault(&b.play(entry));
    assert_eq!((fault.kind, fault.span), (FaultKind::Overflow, Some(here)));
}

#[test]
fn scores_that_do_not_fit() {
    let mut b = Build::new(2);
    let (seat, by) = (b.int(1), b.int(i32::MAX));
    let entry = b.op(Op::Score { seat, by });
    b.op(Op::Score { seat, by });
    assert_eq!(fault(&b.play(entry)).kind, FaultKind::Overflow);
}

#[test]
fn too_many_choices_to_look_at() {
    // all pairs of 1..3000 whose sum is less than 0: a long search
    let mut b = Build::new(2);
    let numbers = b.range(1, 3_000);
    let numbers = b.set(Set::Reversed(numbers));
    let (one, other) = (b.slot(), b.slot());
    let first = binder(Type::Int, numbers, BinderSize::One, 1, one);
    let mut second = binder(Type::Int, numbers, BinderSize::One, 2, other);
    let (x, y, zero) = (b.expr(Expr::Temp(1)), b.expr(Expr::Temp(2)), b.int(0));
    let sum = b.binary(Binary::Add, x, y);
    let test = b.binary(Binary::Less, sum, zero);
    second
        .filters
        .push(crate::build::condition(test, Vec::new()));
    let site = b.site(0, vec![option("", vec![first, second], 1)], 1);
    let entry = b.op(Op::Choose(site));
    b.op(Op::FinishDrawn);
    let fault = fault(&b.play(entry));
    assert_eq!((fault.kind, fault.span), (FaultKind::Enumeration, span(0)));
}

#[test]
fn many_choices_are_counted_and_not_listed() {
    let mut b = Build::new(2);
    let numbers = b.range(1, 40);
    let slots = b.slots(2);
    let any = binder(Type::Int, numbers, BinderSize::Any, 1, slots);
    let site = b.site(0, vec![option("", vec![any], 1)], 1);
    let entry = b.op(Op::Choose(site));
    let program = b.play(entry);
    let state = begin(&program);
    let owed = pending(&program, &state)[0];
    assert_eq!(count_choices(&program, &state, &owed), Ok(1 << 40));
}

#[test]
fn a_game_without_a_beginning() {
    let program = Build::new(2).program;
    assert_eq!(fault(&program).kind, FaultKind::Program);
    let seats = |seats| Program {
        seats,
        ..program.clone()
    };
    assert_eq!(fault(&seats(0)).kind, FaultKind::Program);
    assert_eq!(fault(&seats(9)).kind, FaultKind::Program);
}

#[test]
fn code_that_runs_out() {
    let mut b = Build::new(2);
    let entry = b.op(Op::Jump(77));
    assert_eq!(fault(&b.play(entry)).kind, FaultKind::Program);
}
