//! Expressions as trees: their parts, and structural equality.

use super::super::simplify::children::{self, Child};
use super::rewrite::{set_with_parts, with_parts};
use wyrmgate_program::*;

/// The parts of an expression, arguments of calls among them.
pub fn parts(program: &Program, expr: Expr) -> Vec<Child> {
    match expr {
        Expr::Call { query, args } => arguments(program, query, args),
        Expr::CallKind { dispatch, args } => arguments_by_kind(program, dispatch, args),
        _ => children::of_expr(program, expr),
    }
}

pub fn parts_of_set(program: &Program, set: Set) -> Vec<Child> {
    match set {
        Set::Call { query, args } => arguments(program, query, args),
        Set::CallKind { dispatch, args } => arguments_by_kind(program, dispatch, args),
        _ => children::of_set(set),
    }
}

/// A list argument takes two words.
fn arguments(program: &Program, query: QueryId, args: ExprId) -> Vec<Child> {
    let words = program.queries.get(usize::from(query));
    let mut left = words.map_or(0, |query| query.params);
    let mut all = Vec::new();
    for id in args.. {
        if left == 0 {
            break;
        }
        let is_list = matches!(get(program, id), Expr::ListArgument(_));
        left = left.saturating_sub(if is_list { 2 } else { 1 });
        all.push(Child::Expr(id));
    }
    all
}

fn arguments_by_kind(program: &Program, dispatch: DispatchId, args: ExprId) -> Vec<Child> {
    let dispatch = program.dispatches.get(usize::from(dispatch));
    let count = dispatch.map_or(0, |dispatch| u32::from(dispatch.params));
    (args..args + count).map(Child::Expr).collect()
}

pub fn get(program: &Program, id: ExprId) -> Expr {
    let expr = program.exprs.get(id as usize).copied();
    expr.unwrap_or(Expr::Const(NONE))
}

pub fn get_set(program: &Program, id: SetId) -> Set {
    program.sets.get(id as usize).copied().unwrap_or(Set::Empty)
}

pub fn add(program: &mut Program, expr: Expr) -> ExprId {
    program.exprs.push(expr);
    program.exprs.len() as ExprId - 1
}

pub fn add_set(program: &mut Program, set: Set) -> SetId {
    program.sets.push(set);
    program.sets.len() as SetId - 1
}

/// The temp that a list gives to each member of another.
pub fn temp_of_set(set: Set) -> Option<Temp> {
    match set {
        Set::Where { temp, .. }
        | Set::Keys { temp, .. }
        | Set::Sorted { temp, .. }
        | Set::Within { temp, .. }
        | Set::With { temp, .. } => Some(temp),
        _ => None,
    }
}

/// The temp that it gives to each member of its list.
pub fn temp_of(expr: Expr) -> Option<Temp> {
    match expr {
        Expr::Some { temp, .. }
        | Expr::Every { temp, .. }
        | Expr::Sum { temp, .. }
        | Expr::Extreme { temp, .. }
        | Expr::Distinct { temp, .. }
        | Expr::InARow { temp, .. } => Some(temp),
        _ => None,
    }
}

/// Goes through an expression and all its parts; false as soon as `visit` says so.
pub fn every(
    program: &Program,
    id: ExprId,
    visit: &mut dyn FnMut(Expr) -> bool,
    visit_set: &mut dyn FnMut(Set) -> bool,
) -> bool {
    let expr = get(program, id);
    visit(expr)
        && parts(program, expr).into_iter().all(|part| match part {
            Child::Expr(id) => every(program, id, visit, visit_set),
            Child::Set(id) => every_of_set(program, id, visit, visit_set),
        })
}

pub fn every_of_set(
    program: &Program,
    id: SetId,
    visit: &mut dyn FnMut(Expr) -> bool,
    visit_set: &mut dyn FnMut(Set) -> bool,
) -> bool {
    let set = get_set(program, id);
    visit_set(set)
        && parts_of_set(program, set)
            .into_iter()
            .all(|part| match part {
                Child::Expr(id) => every(program, id, visit, visit_set),
                Child::Set(id) => every_of_set(program, id, visit, visit_set),
            })
}

/// Does it speak of what this temp holds?
pub fn depends(program: &Program, id: ExprId, temp: Temp) -> bool {
    !every(
        program,
        id,
        &mut |expr| expr != Expr::Temp(temp),
        &mut |set| set != Set::Temp(temp),
    )
}

pub fn set_depends(program: &Program, id: SetId, temp: Temp) -> bool {
    !every_of_set(
        program,
        id,
        &mut |expr| expr != Expr::Temp(temp),
        &mut |set| set != Set::Temp(temp),
    )
}

/// How many expressions and lists it is made of, if not more than `most`.
pub fn weight(program: &Program, id: ExprId, most: usize) -> Option<usize> {
    let mut count = std::cell::Cell::new(0);
    let one_more = |count: &std::cell::Cell<usize>| {
        count.set(count.get() + 1);
        count.get() <= most
    };
    let within = every(program, id, &mut |_| one_more(&count), &mut |_| {
        one_more(&count)
    });
    within.then_some(*count.get_mut())
}

/// Are they the same, part by part?
pub fn same(program: &Program, one: ExprId, other: ExprId) -> bool {
    if one == other {
        return true;
    }
    let (a, b) = (get(program, one), get(program, other));
    let (of_a, of_b) = (parts(program, a), parts(program, b));
    let blank = |of: &[Child]| of.iter().map(blank).collect::<Vec<_>>();
    with_parts(a, &blank(&of_a)) == with_parts(b, &blank(&of_b))
        && of_a.len() == of_b.len()
        && of_a.iter().zip(&of_b).all(|pair| same_parts(program, pair))
}

fn same_parts(program: &Program, pair: (&Child, &Child)) -> bool {
    match pair {
        (Child::Expr(one), Child::Expr(other)) => same(program, *one, *other),
        (Child::Set(one), Child::Set(other)) => same_sets(program, *one, *other),
        _ => false,
    }
}

fn same_sets(program: &Program, one: SetId, other: SetId) -> bool {
    if one == other {
        return true;
    }
    let (a, b) = (get_set(program, one), get_set(program, other));
    let (of_a, of_b) = (parts_of_set(program, a), parts_of_set(program, b));
    let blank = |of: &[Child]| of.iter().map(blank).collect::<Vec<_>>();
    set_with_parts(a, &blank(&of_a)) == set_with_parts(b, &blank(&of_b))
        && of_a.len() == of_b.len()
        && of_a.iter().zip(&of_b).all(|pair| same_parts(program, pair))
}

fn blank(child: &Child) -> Child {
    match child {
        Child::Expr(_) => Child::Expr(0),
        Child::Set(_) => Child::Set(0),
    }
}
