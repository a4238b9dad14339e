//! The setups that a check translates: every number of seats, and each option at its extremes.

use std::collections::{BTreeMap, BTreeSet};

use super::Shape;
use super::checked::Checked;
use crate::compile::Setup;
use wyrmgate_base::diagnostic::Diagnostic;
use wyrmgate_program::SEATS_MAX;

/// With more options than this, only the smallest game is checked with each.
const OPTION_SETS_MAX: usize = 64;

/// Returns the setups, the smallest game with all defaults first; with `only_first`, no others.
pub fn all(checked: &Checked, only_first: bool) -> Vec<Setup> {
    let allowed = |n: &&usize| (1..=SEATS_MAX).contains(*n);
    let seats: Vec<usize> = checked.seats.iter().filter(allowed).copied().collect();
    let smallest = seats.first().copied().unwrap_or(2);
    let mut setups = vec![with_defaults(smallest)];
    if only_first {
        return setups;
    }
    setups.extend(seats.iter().skip(1).map(|n| with_defaults(*n)));
    for options in option_sets(checked).into_iter().take(OPTION_SETS_MAX) {
        let found = seats.iter().find_map(|n| checked.setup(*n, &options).ok());
        setups.extend(found);
    }
    setups
}

pub fn with_defaults(seats: usize) -> Setup {
    Setup {
        seats,
        ..Setup::default()
    }
}

/// Returns each option alone, at each of its extremes.
fn option_sets(checked: &Checked) -> Vec<BTreeMap<String, String>> {
    let mut sets = Vec::new();
    for option in &checked.options {
        let ends: BTreeSet<i32> = match &option.shape {
            shape @ (Shape::Bool | Shape::Range { .. }) => {
                [shape.nth(0), shape.nth(shape.count() - 1)].into()
            }
            Shape::OneOf(names) => (0..names.len() as i32).collect(),
        };
        for value in ends.into_iter().filter(|value| *value != option.default) {
            sets.push(BTreeMap::from([(
                option.name.clone(),
                option.shape.show(value),
            )]));
        }
    }
    sets
}

/// Adds the setup to a problem that the first setup does not have.
pub fn in_setup(problem: Diagnostic, setup: &Setup, checked: &Checked) -> Diagnostic {
    let first = checked.seats.first().copied().unwrap_or(2);
    if setup.seats == first && setup.options.is_empty() {
        return problem;
    }
    let mut words = Vec::new();
    if setup.seats != first {
        words.push(format!("with {} players", setup.seats));
    }
    for fact in &checked.options {
        if let Some(value) = setup.options.get(&fact.name) {
            words.push(format!("with `{}: {}`", fact.name, fact.shape.show(*value)));
        }
    }
    let message = format!("{} ({})", problem.message, words.join(", "));
    Diagnostic { message, ..problem }
}
