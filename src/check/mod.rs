//! Definition → checked definition: names, types, arity, visibility, and what the whole must fulfil.

pub mod constant;
pub mod eval;
pub mod options;
pub mod types;
pub mod world;

pub use options::{OptionFact, OptionProblem, Shape};

use std::sync::Arc;

use crate::compile::{Setup, compile};
use crate::diagnostic::{Diagnostic, Report};
use crate::lang::definition::Definition;
use crate::program::SEATS_MAX;

/// A definition that translates without a problem, and what a session may choose.
#[derive(Debug, Clone)]
pub struct Checked {
    pub definition: Arc<Definition>,
    /// How many seats a game can have, ascending.
    pub seats: Vec<usize>,
    pub options: Vec<OptionFact>,
}

/// Reports every problem of a definition; `None` if one of them is an error.
pub fn check(definition: &Definition, report: &mut Report) -> Option<Checked> {
    let seats = options::seat_counts(definition, report);
    let options = options::facts(definition, report);
    let smallest = seats.first().copied().unwrap_or(2);
    let setup = Setup {
        seats: smallest,
        ..Setup::default()
    };
    compile(definition, &setup, report)?;
    check_seats(definition, &seats, report);
    options::check_defaults(definition, &options, smallest, report);
    if report.has_errors() {
        return None;
    }
    Some(Checked {
        definition: Arc::new(definition.clone()),
        seats,
        options,
    })
}

fn check_seats(definition: &Definition, seats: &[usize], report: &mut Report) {
    if seats.is_empty() || seats.iter().any(|n| *n == 0 || *n > SEATS_MAX) {
        report.push(
            Diagnostic::error(
                "bad-players",
                definition.players.span,
                "this is no number of players",
            )
            .help(format!(
                "write `players: 2..5` or `players: [2, 4]`; at most {SEATS_MAX}"
            )),
        );
    }
}
