//! What an author is told: every fixture `err_*.yaml` is a small game with mistakes and has its report beside it, every
//! `warn_*.yaml` one that can be played and yet is probably not meant (`WYRMGATE_BLESS=1` rewrites the reports).
#![cfg(test)]

use std::fs;
use std::path::{Path, PathBuf};

use wyrmgate::check::{Checked, check, warn};
use wyrmgate::diagnostic::{Report, Severity, Sources};
use wyrmgate::lang::load::{load, load_dir};
use wyrmgate::rules::game_folders;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/check");

struct Told {
    sources: Sources,
    report: Report,
    checked: Option<Checked>,
}

/// The one door all tests go through: as `wyrmgate check` does it.
fn told(name: &str, text: &str) -> Told {
    let files = [(name.to_owned(), text.to_owned())];
    let mut sources = Sources::default();
    let (definition, mut report) = load(&mut sources, &files, name);
    let checked = definition.and_then(|definition| check(&definition, &mut report));
    if let Some(checked) = &checked {
        warn(checked, &mut report);
    }
    Told {
        sources,
        report,
        checked,
    }
}

fn fixtures(prefix: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(FIXTURES).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| name(path).starts_with(prefix) && name(path).ends_with(".yaml"));
    paths.sort();
    assert!(!paths.is_empty());
    paths
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

/// Compares the reports of all fixtures with the stored ones.
fn compare(prefix: &str, fits: fn(&Told) -> bool) {
    let mut changed = Vec::new();
    for path in fixtures(prefix) {
        let told = told(&name(&path), &fs::read_to_string(&path).unwrap());
        let rendered = told.report.render(&told.sources, false);
        assert!(fits(&told), "{}\n{rendered}", path.display());
        let stored = path.with_extension("txt");
        if std::env::var_os("WYRMGATE_BLESS").is_some() {
            fs::write(&stored, &rendered).unwrap();
        } else if fs::read_to_string(&stored).unwrap_or_default() != rendered {
            changed.push(format!("{}\n{rendered}", stored.display()));
        }
    }
    let changed = changed.join("\n");
    assert!(
        changed.is_empty(),
        "changed (WYRMGATE_BLESS=1 accepts):\n{changed}"
    );
}

#[test]
fn games_with_mistakes_have_the_stored_report() {
    compare("err_", |told| {
        told.checked.is_none() && told.report.has_errors()
    });
}

#[test]
fn games_that_are_probably_not_meant_so_have_the_stored_report() {
    let only_warnings = |told: &Told| {
        let mut all = told.report.diagnostics.iter();
        told.checked.is_some() && all.all(|d| d.severity == Severity::Warning)
    };
    compare("warn_", only_warnings);
}

/// A mistake that is shown at nothing, or without advice, helps nobody.
#[test]
fn every_problem_has_a_place_and_advice() {
    for path in fixtures("") {
        let told = told(&name(&path), &fs::read_to_string(&path).unwrap());
        for problem in &told.report.diagnostics {
            let at = format!("{}: {problem:?}", path.display());
            assert!(problem.span.end > problem.span.start, "no place: {at}");
            assert!(
                problem.help.is_some() || !problem.label.is_empty(),
                "no advice: {at}"
            );
        }
    }
}

#[test]
fn shipped_games_have_nothing_to_report() {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules");
    for folder in game_folders(&rules).unwrap() {
        let mut loaded = load_dir(&folder).unwrap();
        let checked = loaded
            .definition
            .and_then(|d| check(&d, &mut loaded.report));
        if let Some(checked) = &checked {
            warn(checked, &mut loaded.report);
        }
        assert_eq!(loaded.report.render(&loaded.sources, false), "");
    }
}
