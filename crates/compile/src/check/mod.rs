//! Definition → checked definition: names, types, arity, visibility, and properties of the whole definition.
//!
//! Names and types are resolved during translation (see [`crate::compile`]), for every number of seats and for the
//! extremes of every option. No setup that a session may choose is the first to reveal a mistake.

mod alike;
mod allowed;
mod announced;
mod asked;
mod beyond;
mod boxed;
mod checked;
pub mod citations;
mod contradiction;
mod cores;
mod doubts;
mod drawn;
mod endless;
pub mod lint;
mod naming;
mod numbers;
mod once;
pub mod option;
pub mod options;
mod orders;
mod reachable;
mod setups;
mod suspicious;
mod texts;
mod unread;

pub use cores::Cores;
pub use lint::{warn, warn_on};
pub use orders::without_order;

use std::sync::Arc;

use drawn::Missing;

use crate::compile::{Notes, compile_noting};
use crate::names::translation::Translations;
pub use checked::Checked;
pub use option::OptionFact;
pub use option::OptionProblem;
pub use option::Shape;
use wyrmgate_base::cancel::checkpoint;
use wyrmgate_base::diagnostic::{Diagnostic, Report};
use wyrmgate_lang::definition::Definition;
use wyrmgate_program::{Program, SEATS_MAX};

/// Reports every error of a definition; `None` if there is one.
pub fn check(definition: &Definition, report: &mut Report) -> Option<Checked> {
    check_on(&Cores::others(), definition.clone(), report)
}

/// Reports every error of a definition, sharing cores with other work; `None` if there is one.
pub fn check_on(cores: &Cores, definition: Definition, report: &mut Report) -> Option<Checked> {
    let checked = read(definition, report);
    translate(cores, &checked, report, |_| (), |()| ());
    report.gather();
    (!report.has_errors()).then_some(checked)
}

/// Checks only what a session may configure: compiling a program reports the other errors. `None` if there is an error.
pub fn outline(definition: &Definition, report: &mut Report) -> Option<Checked> {
    let checked = read(definition.clone(), report);
    (!report.has_errors()).then_some(checked)
}

fn read(definition: Definition, report: &mut Report) -> Checked {
    let before = report.diagnostics.len();
    let seats = options::seat_counts(&definition, report);
    let are_seats_told = report.diagnostics.len() > before;
    let translations = Translations::of(&definition);
    let options = options::facts(&definition, &translations, report);
    if !are_seats_told {
        check_seats(&definition, &seats, report);
    }
    options::check_options(&definition, &options, report);
    texts::check(&definition, report);
    Checked {
        seats,
        options,
        texts: translations.of_game(&definition),
        languages: translations.languages,
        definition: Arc::new(definition),
    }
}

/// Translates every relevant setup. All problems of the first setup are reported, and only new ones of the others.
/// `visit` sees the notes of each program in order.
fn translate<T: Send>(
    cores: &Cores,
    checked: &Checked,
    report: &mut Report,
    note: fn((Program, Notes)) -> T,
    mut visit: impl FnMut(T),
) {
    let setups = setups::all(checked, report.has_errors());
    let translated = cores.each(&setups, |setup| {
        checkpoint();
        let mut found = Report::default();
        let program = compile_noting(&checked.definition, setup, &mut found);
        let program = program.map(|(program, notes)| {
            let missing = Missing::from(&program, checked);
            (note((program, notes)), missing)
        });
        (program, found)
    });
    let mut missing = Missing::of(checked);
    for (setup, (program, found)) in setups.iter().zip(translated) {
        if let Some((noted, spaces)) = program {
            visit(noted);
            missing.keep(&spaces);
        }
        for problem in found.diagnostics {
            let known = |d: &Diagnostic| d.code == problem.code && d.span == problem.span;
            if !report.diagnostics.iter().any(known) {
                report.push(setups::in_setup(problem, setup, checked));
            }
        }
    }
    missing.report(report);
}

fn check_seats(definition: &Definition, seats: &[usize], report: &mut Report) {
    if seats.is_empty() || seats.iter().any(|n| *n == 0 || *n > SEATS_MAX) {
        let message = match seats.is_empty() {
            true => "`players` allows no number of players".to_owned(),
            false => format!("a game is for 1 to {SEATS_MAX} players"),
        };
        report.push(
            Diagnostic::error("bad-players", definition.players.span, message)
                .help("write `players: 2..5`, the smaller number first, or `players: [2, 4]`"),
        );
    }
}
