//! Definition → checked definition: names, types, arity, visibility, and what the whole must fulfil.
//!
//! Names and types are found while translating (see [`crate::compile`]), for every number of seats and for the ends of
//! every option, so that no setup a session may choose is met by a mistake first there.

mod alike;
mod asked;
pub mod constant;
mod contradiction;
pub mod eval;
mod lint;
mod naming;
mod numbers;
pub mod options;
mod reachable;
mod setups;
mod suspicious;
mod texts;
pub mod translation;
pub mod types;
pub(crate) mod walk;
pub mod world;

pub use lint::warn;
pub use options::{OptionFact, OptionProblem, Shape};

use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

use crate::compile::{Notes, Setup, compile_noting};
use crate::diagnostic::{Diagnostic, Report};
use crate::lang::definition::Definition;
use crate::program::{Program, SEATS_MAX, Texts};
use translation::Translations;

/// A definition that translates without a problem, and what a session may choose.
#[derive(Debug, Clone)]
pub struct Checked {
    pub definition: Arc<Definition>,
    /// How many seats a game can have, ascending.
    pub seats: Vec<usize>,
    pub options: Vec<OptionFact>,
    /// Tags of the languages of its texts, the one of the rules first.
    pub languages: Vec<String>,
    pub texts: Texts,
}

/// Reports every error of a definition; `None` if there is one.
pub fn check(definition: &Definition, report: &mut Report) -> Option<Checked> {
    let checked = read(definition, report);
    translate(&checked, report, &mut |_, _| {});
    report.gather();
    (!report.has_errors()).then_some(checked)
}

/// As [`check`], but only what a session may choose is looked at: the rest shows when a program is made.
pub fn outline(definition: &Definition, report: &mut Report) -> Option<Checked> {
    let checked = read(definition, report);
    (!report.has_errors()).then_some(checked)
}

fn read(definition: &Definition, report: &mut Report) -> Checked {
    let before = report.diagnostics.len();
    let seats = options::seat_counts(definition, report);
    let are_seats_told = report.diagnostics.len() > before;
    let translations = Translations::of(definition);
    let options = options::facts(definition, &translations, report);
    if !are_seats_told {
        check_seats(definition, &seats, report);
    }
    options::check_options(definition, &options, report);
    texts::check(definition, report);
    Checked {
        definition: Arc::new(definition.clone()),
        seats,
        options,
        texts: translations.of_game(definition),
        languages: translations.languages,
    }
}

/// Translates every setup that matters. The problems of the first are all told; of the others only those it has not.
fn translate(checked: &Checked, report: &mut Report, visit: &mut dyn FnMut(Program, Notes)) {
    let before = report.has_errors();
    let setups = setups::all(checked, before);
    let at_once = thread::available_parallelism().map_or(1, usize::from);
    for some in setups.chunks(at_once) {
        for (setup, translated) in some.iter().zip(translate_at_once(checked, some)) {
            if let Some((program, notes)) = translated.program {
                visit(program, notes);
            }
            for problem in translated.found.diagnostics {
                let known = |d: &Diagnostic| d.code == problem.code && d.span == problem.span;
                if !report.diagnostics.iter().any(known) {
                    report.push(setups::in_setup(problem, setup, checked));
                }
            }
        }
    }
}

/// What one setup translates to.
struct Translated {
    program: Option<(Program, Notes)>,
    found: Report,
}

/// Translates each setup on a core of its own: no setup knows of another.
fn translate_at_once(checked: &Checked, setups: &[Setup]) -> Vec<Translated> {
    let one = &|setup: &Setup| {
        let mut found = Report::default();
        let program = compile_noting(&checked.definition, setup, &mut found);
        Translated { program, found }
    };
    let [first, others @ ..] = setups else {
        return Vec::new();
    };
    thread::scope(|scope| {
        let others: Vec<_> = others
            .iter()
            .map(|setup| scope.spawn(move || one(setup)))
            .collect();
        let mut all = vec![one(first)];
        let others = others.into_iter().map(|other| other.join());
        all.extend(others.map(|other| other.unwrap_or_else(|panic| resume_unwind(panic))));
        all
    })
}

fn check_seats(definition: &Definition, seats: &[usize], report: &mut Report) {
    if seats.is_empty() || seats.iter().any(|n| *n == 0 || *n > SEATS_MAX) {
        let message = match seats.is_empty() {
            true => "nobody can play this: there is no such number of players".to_owned(),
            false => format!("a game is for 1 to {SEATS_MAX} players"),
        };
        report.push(
            Diagnostic::error("bad-players", definition.players.span, message)
                .help("write `players: 2..5`, the smaller number first, or `players: [2, 4]`"),
        );
    }
}
