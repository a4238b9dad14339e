//! Copies expressions with substituted parts.

use super::super::simplify::children::Child;
use super::tree::{add, add_set, get, get_set, parts, parts_of_set};
use wyrmgate_program::*;

/// What is done with each expression on the way: `Some` puts another one in its place, parts and all.
pub trait Rule {
    fn expr(&mut self, program: &mut Program, id: ExprId) -> Option<ExprId>;

    fn set(&mut self, _: &mut Program, _: SetId) -> Option<SetId> {
        None
    }

    /// Another name for a temp that is bound on the way.
    fn bound(&self, temp: Temp) -> Temp {
        temp
    }
}

/// A copy in which the rule has been applied; the same expression if it says nothing of any part.
pub fn rewrite(program: &mut Program, id: ExprId, rule: &mut dyn Rule) -> ExprId {
    if let Some(new) = rule.expr(program, id) {
        return new;
    }
    let expr = get(program, id);
    let before = parts(program, expr);
    let after = rewrite_parts(program, &before, rule, is_row(expr));
    let new = renamed(with_parts(expr, &after), rule);
    if new == expr {
        return id;
    }
    let span = program.expr_spans.binary_search_by_key(&id, |(at, _)| *at);
    let copy = add(program, new);
    if let Some((_, span)) = span.ok().and_then(|at| program.expr_spans.get(at)).copied() {
        program.expr_spans.push((copy, span));
    }
    copy
}

pub fn rewrite_set(program: &mut Program, id: SetId, rule: &mut dyn Rule) -> SetId {
    if let Some(new) = rule.set(program, id) {
        return new;
    }
    let set = get_set(program, id);
    let before = parts_of_set(program, set);
    let is_row = matches!(
        set,
        Set::List { .. } | Set::Call { .. } | Set::CallKind { .. }
    );
    let after = rewrite_parts(program, &before, rule, is_row);
    let new = set_renamed(set_with_parts(set, &after), rule);
    if new == set {
        return id;
    }
    add_set(program, new)
}

fn rewrite_parts(
    program: &mut Program,
    parts: &[Child],
    rule: &mut dyn Rule,
    is_row: bool,
) -> Vec<Child> {
    let new: Vec<Child> = parts
        .iter()
        .map(|part| match part {
            Child::Expr(id) => Child::Expr(rewrite(program, *id, rule)),
            Child::Set(id) => Child::Set(rewrite_set(program, *id, rule)),
        })
        .collect();
    if is_row && new != parts {
        return in_a_row(program, &new);
    }
    new
}

/// Copies that stand one after the other.
fn in_a_row(program: &mut Program, parts: &[Child]) -> Vec<Child> {
    parts
        .iter()
        .map(|part| match part {
            Child::Expr(id) => {
                let expr = get(program, *id);
                Child::Expr(add(program, expr))
            }
            Child::Set(id) => Child::Set(*id),
        })
        .collect()
}

fn is_row(expr: Expr) -> bool {
    matches!(
        expr,
        Expr::ZoneAt { .. } | Expr::ComponentAt { .. } | Expr::Call { .. } | Expr::CallKind { .. }
    )
}

fn renamed(expr: Expr, rule: &dyn Rule) -> Expr {
    let mut expr = expr;
    match &mut expr {
        Expr::Some { temp, .. }
        | Expr::Every { temp, .. }
        | Expr::Sum { temp, .. }
        | Expr::Extreme { temp, .. }
        | Expr::Distinct { temp, .. }
        | Expr::InARow { temp, .. } => *temp = rule.bound(*temp),
        _ => {}
    }
    expr
}

fn set_renamed(set: Set, rule: &dyn Rule) -> Set {
    let mut set = set;
    match &mut set {
        Set::Where { temp, .. }
        | Set::Keys { temp, .. }
        | Set::Sorted { temp, .. }
        | Set::Within { temp, .. }
        | Set::With { temp, .. } => *temp = rule.bound(*temp),
        _ => {}
    }
    set
}

/// The same expression of these parts; as many as it has, those of a row one after the other.
pub fn with_parts(expr: Expr, parts: &[Child]) -> Expr {
    let e = |at: usize| match parts.get(at) {
        Some(Child::Expr(id)) => *id,
        _ => 0,
    };
    let s = |at: usize| match parts.get(at) {
        Some(Child::Set(id)) => *id,
        _ => 0,
    };
    let mut new = expr;
    match &mut new {
        Expr::Const(_)
        | Expr::Local(_)
        | Expr::Temp(_)
        | Expr::Word(_)
        | Expr::AnyBit(_)
        | Expr::CountBits(_)
        | Expr::FirstBit(..) => {}
        Expr::WordAt { index: of, .. }
        | Expr::Table { index: of, .. }
        | Expr::LocalAt { index: of, .. }
        | Expr::ZoneOf(of)
        | Expr::ZoneIn { zone: of, .. }
        | Expr::Inside(of)
        | Expr::LineOfBits { zone: of, .. }
        | Expr::HolderOf(of)
        | Expr::OwnerOf(of)
        | Expr::PlaceOf(of)
        | Expr::IsFaceUp(of)
        | Expr::IsKind { of, .. }
        | Expr::SeatAfter { seat: of, .. }
        | Expr::Not(of)
        | Expr::Negate(of)
        | Expr::Abs(of)
        | Expr::ZoneCount(of)
        | Expr::ZoneFirst(of)
        | Expr::ZoneLast(of)
        | Expr::IsFreeZone(of)
        | Expr::CountWords { value: of, .. }
        | Expr::CellOf(of)
        | Expr::RotationOf(of)
        | Expr::ZoneAt { keys: of, .. }
        | Expr::ComponentAt { keys: of, .. }
        | Expr::CallKind { args: of, .. }
        | Expr::Call { args: of, .. } => {
            if !parts.is_empty() {
                *of = e(0);
            }
        }
        Expr::Binary(_, a, b)
        | Expr::And(a, b)
        | Expr::Or(a, b)
        | Expr::Revealed { of: a, to: b, .. }
        | Expr::AtCell { zone: a, cell: b }
        | Expr::CellBeside { cell: a, side: b }
        | Expr::SideTurned { side: a, by: b }
        | Expr::Pair {
            one: a, other: b, ..
        } => (*a, *b) = (e(0), e(1)),
        Expr::InARow {
            zone, condition, ..
        } => (*zone, *condition) = (e(0), e(1)),
        Expr::If(a, b, c) => (*a, *b, *c) = (e(0), e(1), e(2)),
        Expr::ListArgument(of)
        | Expr::Count(of)
        | Expr::IsEmpty(of)
        | Expr::First(of, _)
        | Expr::Last(of, _) => *of = s(0),
        Expr::Contains(of, value) | Expr::Nth(of, value, _) | Expr::IndexOf(of, value) => {
            (*of, *value) = (s(0), e(1));
        }
        Expr::Some {
            of, condition: key, ..
        }
        | Expr::Every {
            of, condition: key, ..
        }
        | Expr::Sum { of, key, .. }
        | Expr::Extreme { of, key, .. }
        | Expr::Distinct { of, key, .. } => (*of, *key) = (s(0), e(1)),
    }
    new
}

pub fn set_with_parts(set: Set, parts: &[Child]) -> Set {
    let e = |at: usize| match parts.get(at) {
        Some(Child::Expr(id)) => *id,
        _ => 0,
    };
    let s = |at: usize| match parts.get(at) {
        Some(Child::Set(id)) => *id,
        _ => 0,
    };
    let mut new = set;
    match &mut new {
        Set::Empty | Set::Table(_) | Set::Local(_) | Set::Temp(_) | Set::Bits(_) => {}
        Set::Zone(of)
        | Set::SeatsFrom(of)
        | Set::Others(of)
        | Set::LocalAt { index: of, .. }
        | Set::Keyed { value: of, .. }
        | Set::FreeCells(of)
        | Set::TakenCells(of)
        | Set::List { first: of, .. }
        | Set::CallKind { args: of, .. }
        | Set::Call { args: of, .. } => {
            if !parts.is_empty() {
                *of = e(0);
            }
        }
        Set::Range(a, b) => (*a, *b) = (e(0), e(1)),
        Set::Where {
            of, condition: key, ..
        }
        | Set::Keys { of, key, .. }
        | Set::Sorted { of, key, .. }
        | Set::With { of, key, .. } => (*of, *key) = (s(0), e(1)),
        Set::Concat(a, b) | Set::Minus(a, b) => (*a, *b) = (s(0), s(1)),
        Set::Reversed(of) | Set::Unique(of) | Set::AsTheyLie(of) => *of = s(0),
        Set::Take(of, count) => (*of, *count) = (s(0), e(1)),
        Set::Within {
            from, steps, next, ..
        } => (*from, *steps, *next) = (s(0), e(1), s(2)),
        Set::If(test, a, b) => (*test, *a, *b) = (e(0), s(1), s(2)),
    }
    new
}
