//! Computes the lists in which the members of a name are searched: the list as written, without members for which a
//! condition is known to fail, and empty if a condition fails for every member.
//!
//! The list as written remains, to explain refusals.

use super::needed::{self, necessary};
use super::order::{can_overflow, goes_before};
use super::{expr, set};
use crate::compile::passes::masks::tree::{add, add_set};
use wyrmgate_program::pure::{self, Known};
use wyrmgate_program::*;

/// The maximum number of members to examine.
const MEMBERS_MAX: usize = 4_096;

pub fn simplify(program: &mut Program) {
    for site in 0..program.sites.len() {
        for option in 0..program.sites.get(site).map_or(0, |site| site.options.len()) {
            let binders = |program: &Program| {
                let option = program.sites.get(site)?.options.get(option)?;
                Some(option.binders.clone())
            };
            let binders = binders(program).unwrap_or_default();
            for name in 0..binders.len() {
                let Some(candidates) = candidates(program, &binders, name) else {
                    continue;
                };
                let options = program.sites.get_mut(site).map(|site| &mut site.options);
                let option = options.and_then(|options| options.get_mut(option));
                if let Some(binder) = option.and_then(|option| option.binders.get_mut(name)) {
                    binder.candidates = candidates;
                }
            }
        }
    }
}

/// Returns where the members of a name are looked for, if that is not its mask.
fn candidates(program: &mut Program, binders: &[BinderInfo], name: usize) -> Option<SetId> {
    let binder = binders.get(name)?;
    if binder.mask.is_some() || binder.path.is_some() {
        return None;
    }
    // A condition that fails with a fault must be evaluated as written, and so must those after it.
    let tests = binder.filters.iter().map(|filter| filter.test);
    let mut tests: Vec<ExprId> = tests
        .take_while(|test| !can_overflow(program, *test))
        .collect();
    let own = tests.len();
    if own == binder.filters.len() {
        tests.extend(needed::of_later(program, binders, name));
    }
    let mut members = possible_members(program, binder.domain, binder.temp, &tests);
    for test in tests.get(own..).unwrap_or_default() {
        if !goes_before(program, *test, &[binder.temp]) {
            let narrowed = Set::Where {
                of: members,
                temp: binder.temp,
                condition: *test,
            };
            members = add_set(program, narrowed);
        }
    }
    let firsts = tests
        .iter()
        .filter_map(|test| necessary(program, *test, &[binder.temp]));
    let firsts: Vec<ExprId> = firsts.collect();
    let first = firsts
        .into_iter()
        .reduce(|one, other| add(program, Expr::And(one, other)));
    // A list that fails with a fault is evaluated as written.
    let can_fail = Overflow::new(program, &[]).of_set(binder.domain);
    Some(match first {
        Some(first) if !can_fail => {
            let none = add_set(program, Set::Empty);
            add_set(program, Set::If(first, members, none))
        }
        _ => members,
    })
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
        let fails = |test: &ExprId| always_fails(program, *test, temp, *member);
        !tests.iter().any(fails)
    });
    if members.len() == all {
        return domain;
    }
    program.tables.push(members.into_iter().collect());
    add_set(program, Set::Table(program.tables.len() as TableId - 1))
}

fn always_fails(program: &Program, test: ExprId, temp: Temp, member: i32) -> bool {
    let fails = |part| always_fails(program, part, temp, member);
    match expr(program, test) {
        Some(Expr::And(one, other)) => fails(one) || fails(other),
        Some(Expr::Or(one, other)) => fails(one) && fails(other),
        _ => pure::truth(program, test, &mut Known::of(temp, member)) == Some(false),
    }
}
