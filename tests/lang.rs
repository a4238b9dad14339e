//! Text to trees: every fixture `err_*.yaml` has its rendered report beside it (`WYRMGATE_BLESS=1` rewrites them).

#![cfg(test)]

#[path = "lang/files.rs"]
mod files;
#[path = "lang/fuzz.rs"]
mod fuzz;
#[path = "lang/insides.rs"]
mod insides;
#[path = "lang/limits.rs"]
mod limits;
#[path = "lang/lookalikes.rs"]
mod lookalikes;
#[path = "lang/maps.rs"]
mod maps;
#[path = "lang/overlays.rs"]
mod overlays;
#[path = "lang/positions.rs"]
mod positions;
#[path = "lang/random.rs"]
mod random;
#[path = "lang/shared_files.rs"]
mod shared_files;
#[path = "lang/starts.rs"]
mod starts;
#[path = "lang/statements.rs"]
mod statements;
#[path = "lang/tables.rs"]
mod tables;
#[path = "lang/trees.rs"]
mod trees;

use std::path::{Path, PathBuf};

use wyrmgate::diagnostic::{Report, Sources};
use wyrmgate::lang::definition::Definition;
use wyrmgate::lang::load;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/lang");

struct Read {
    sources: Sources,
    definition: Option<Definition>,
    report: Report,
}

/// The one door all tests go through.
fn read(files: &[(&str, &str)]) -> Read {
    let files: Vec<_> = files
        .iter()
        .map(|(path, text)| (path.to_string(), text.to_string()))
        .collect();
    let root = files
        .first()
        .map(|(path, _)| path.clone())
        .unwrap_or_default();
    let mut sources = Sources::default();
    let (definition, report) = load(&mut sources, &files, &root);
    Read {
        sources,
        definition,
        report,
    }
}

fn fixtures(prefix: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(FIXTURES)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let is_wanted = |path: &Path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        name.starts_with(prefix) && name.ends_with(".yaml")
    };
    let mut paths: Vec<_> = entries.filter(|path| is_wanted(path)).collect();
    paths.sort();
    assert!(!paths.is_empty());
    paths
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

#[test]
fn good_fixtures_have_nothing_to_report() {
    for path in fixtures("good_") {
        let text = std::fs::read_to_string(&path).unwrap();
        let read = read(&[(&name(&path), &text)]);
        assert_eq!(
            read.report.render(&read.sources, false),
            "",
            "{}",
            path.display()
        );
        assert!(read.definition.is_some());
    }
}

#[test]
fn bad_fixtures_have_the_stored_report() {
    let mut changed = Vec::new();
    for path in fixtures("err_") {
        let text = std::fs::read_to_string(&path).unwrap();
        let read = read(&[(&name(&path), &text)]);
        assert!(read.report.has_errors(), "{} has no errors", path.display());
        let rendered = read.report.render(&read.sources, false);
        let stored = path.with_extension("txt");
        if std::env::var_os("WYRMGATE_BLESS").is_some() {
            std::fs::write(&stored, &rendered).unwrap();
        } else if std::fs::read_to_string(&stored).unwrap_or_default() != rendered {
            changed.push(format!("{}\n{rendered}", stored.display()));
        }
    }
    assert!(
        changed.is_empty(),
        "changed (WYRMGATE_BLESS=1 accepts):\n{}",
        changed.join("\n")
    );
}
