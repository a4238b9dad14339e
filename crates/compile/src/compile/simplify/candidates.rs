//! Computes the lists in which the members of a name are searched: the list as written, without members for which a
//! condition is known to fail, and empty if a condition fails for every member.
//!
//! The list as written remains, to explain refusals.

use super::super::masks::tree::{add, add_set};
use super::order::{can_go_first, can_overflow};
use super::{expr, set};
use wyrmgate_program::pure::{self, Known};
use wyrmgate_program::*;

/// The maximum number of members to examine.
const MEMBERS_MAX: usize = 4_096;

/// The maximum number of operations in a condition that is evaluated before all members.
const FIRST_MAX: usize = 24;

pub fn simplify(program: &mut Program) {
    for site in 0..program.sites.len() {
        for option in 0..program.sites.get(site).map_or(0, |site| site.options.len()) {
            let binders = |program: &Program| {
                let option = program.sites.get(site)?.options.get(option)?;
                Some(option.binders.clone())
            };
            for (name, binder) in binders(program).into_iter().flatten().enumerate() {
                let candidates = candidates(program, &binder);
                let options = program.sites.get_mut(site).map(|site| &mut site.options);
                let option = options.and_then(|options| options.get_mut(option));
                if let Some(binder) = option.and_then(|option| option.binders.get_mut(name)) {
                    binder.candidates = candidates;
                }
            }
        }
    }
}

fn candidates(program: &mut Program, binder: &BinderInfo) -> SetId {
    if binder.mask.is_some() || binder.path.is_some() {
        return binder.domain;
    }
    // A condition that fails with a fault must be evaluated as written, and so must those after it.
    let tests = binder.filters.iter().map(|filter| filter.test);
    let tests: Vec<ExprId> = tests
        .take_while(|test| !can_overflow(program, *test))
        .collect();
    let members = possible_members(program, binder.domain, binder.temp, &tests);
    let firsts = tests
        .iter()
        .filter_map(|test| necessary(program, *test, binder.temp));
    let firsts: Vec<ExprId> = firsts.collect();
    let first = firsts
        .into_iter()
        .reduce(|one, other| add(program, Expr::And(one, other)));
    match first {
        Some(first) => {
            let none = add_set(program, Set::Empty);
            add_set(program, Set::If(first, members, none))
        }
        None => members,
    }
}

/// Returns a constant list without the members for which a condition always fails.
fn possible_members(program: &mut Program, domain: SetId, temp: Temp, tests: &[ExprId]) -> SetId {
    let Some(Set::Range(..) | Set::Table(_)) = set(program, domain) else {
        return domain;
    };
    let Some(mut members) = pure::list(program, domain, &mut Known::default()) else {
        return domain;
    };
    let all = members.len();
    if all > MEMBERS_MAX {
        return domain;
    }
    members.retain(|member| {
        let fails = |test: &ExprId| always_fails(program, *test, (temp, *member));
        !tests.iter().any(fails)
    });
    if members.len() == all {
        return domain;
    }
    program.tables.push(members.into_iter().collect());
    add_set(program, Set::Table(program.tables.len() as TableId - 1))
}

fn always_fails(program: &Program, test: ExprId, (temp, member): (Temp, i32)) -> bool {
    let fails = |part| always_fails(program, part, (temp, member));
    match expr(program, test) {
        Some(Expr::And(one, other)) => fails(one) || fails(other),
        Some(Expr::Or(one, other)) => fails(one) && fails(other),
        _ => pure::truth(program, test, &mut Known::of(temp, member)) == Some(false),
    }
}

/// Returns a short condition that must hold if the test is to hold for any member.
fn necessary(program: &mut Program, test: ExprId, temp: Temp) -> Option<ExprId> {
    if is_short(program, test) && can_go_first(program, test, temp) {
        return Some(test);
    }
    match expr(program, test)? {
        Expr::And(one, other) => {
            let (one, other) = (
                necessary(program, one, temp),
                necessary(program, other, temp),
            );
            match (one, other) {
                (Some(one), Some(other)) => Some(add(program, Expr::And(one, other))),
                (one, other) => one.or(other),
            }
        }
        Expr::Or(one, other) => {
            let one = necessary(program, one, temp)?;
            let other = necessary(program, other, temp)?;
            Some(add(program, Expr::Or(one, other)))
        }
        _ => None,
    }
}

/// Returns whether a condition reads a few words, and depends on the state.
fn is_short(program: &Program, test: ExprId) -> bool {
    let is_known = pure::truth(program, test, &mut Known::default()).is_some();
    !is_known && program.operations_without_lists(test, FIRST_MAX).is_some()
}
