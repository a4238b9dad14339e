//! Reports to authors. Every fixture `err_*.yaml` is a small game with mistakes, beside its report; every `warn_*.yaml`
//! is one that can be played but contains a probable mistake (`WYRMGATE_BLESS=1` rewrites the reports).
#![cfg(test)]

#[path = "check/cost.rs"]
mod cost;

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use wyrmgate::check::{Checked, check, warn};
use wyrmgate::diagnostic::{Report, Severity, Sources};
use wyrmgate::lang::load::{load, load_dir};
use wyrmgate::rules::game_folders;

/// The allocator of the program itself.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

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

#[test]
fn games_that_look_like_mistakes_have_nothing_to_report() {
    compare("ok_", |told| told.report.diagnostics.is_empty());
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

// ---- one mistake at a time

const MISTAKES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/mistakes");

/// A game without problems, one change of it, and the report on the changed game.
///
/// ```text
/// a zone, misspelled
/// <<<
/// move c to discard
/// ===
/// move c to discrad
/// >>>
///
/// error[unknown-name]: …
/// ```
struct Mistake {
    path: PathBuf,
    /// All above the report.
    head: String,
    game: String,
    report: String,
}

fn mistakes() -> Vec<Mistake> {
    let base = fs::read_to_string(Path::new(MISTAKES).join("base.yaml")).unwrap();
    let entries = fs::read_dir(MISTAKES).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| name(path).ends_with(".txt"));
    paths.sort();
    paths.into_iter().map(|path| mistake(path, &base)).collect()
}

fn mistake(path: PathBuf, base: &str) -> Mistake {
    let text = fs::read_to_string(&path).unwrap();
    let end = text.rfind("\n>>>\n").unwrap() + "\n>>>\n".len();
    let (head, report) = text.split_at(end);
    let mut game = base.to_owned();
    for change in head.split("<<<\n").skip(1) {
        let (change, _) = change.split_once("\n>>>").unwrap();
        let (old, new) = change.split_once("\n===\n").unwrap();
        assert_eq!(game.matches(old).count(), 1, "{}: `{old}`", path.display());
        game = game.replace(old, new);
    }
    Mistake {
        path,
        head: head.to_owned(),
        game,
        report: report.trim_start_matches('\n').to_owned(),
    }
}

#[test]
fn every_mistake_is_told_at_its_characters_with_advice() {
    let all = mistakes();
    assert!(all.len() >= 200, "{}", all.len());
    let mut changed = Vec::new();
    for mistake in all {
        let told = told("cliff-race/game.yaml", &mistake.game);
        let rendered = told.report.render(&told.sources, false);
        let at = mistake.path.display();
        let only_warns = name(&mistake.path).starts_with("warn_");
        assert_eq!(told.checked.is_some(), only_warns, "{at}\n{rendered}");
        assert!(!told.report.diagnostics.is_empty(), "{at}: not noticed");
        for problem in &told.report.diagnostics {
            let advised = problem.help.is_some() || !problem.label.is_empty();
            assert!(advised, "no advice: {at}\n{rendered}");
        }
        if std::env::var_os("WYRMGATE_BLESS").is_some() {
            fs::write(&mistake.path, mistake.head + "\n" + &rendered).unwrap();
        } else if mistake.report != rendered {
            changed.push(format!("{at}\n{rendered}"));
        }
    }
    let changed = changed.join("\n");
    assert!(
        changed.is_empty(),
        "changed (WYRMGATE_BLESS=1 accepts):\n{changed}"
    );
}

/// Proposed repairs must be right: after all of them, only the mistakes without a repair remain.
#[test]
fn every_repair_parses_and_checks() {
    let mut repaired = 0;
    let mut wrong = Vec::new();
    for mistake in mistakes() {
        let found = told("cliff-race/game.yaml", &mistake.game);
        let all = &found.report.diagnostics;
        let mut repairs: Vec<_> = all.iter().filter_map(|d| d.repair.clone()).collect();
        if repairs.is_empty() {
            continue;
        }
        repairs.sort_by_key(|repair| Reverse(repair.span));
        let mut game = mistake.game.clone();
        for repair in &repairs {
            let range = repair.span.start as usize..repair.span.end as usize;
            game.replace_range(range, &repair.text);
        }
        let left = told("cliff-race/game.yaml", &game);
        let errors = |told: &Told| {
            let all = told.report.diagnostics.iter();
            all.filter(|d| d.severity == Severity::Error && d.repair.is_none())
                .count()
        };
        let rendered = left.report.render(&left.sources, false);
        let at = mistake.path.display();
        let proposed = left.report.diagnostics.iter().any(|d| d.repair.is_some());
        if proposed {
            wrong.push(format!("a repair needs another one: {at}\n{rendered}"));
        }
        if errors(&left) > errors(&found) {
            wrong.push(format!("a repair is a mistake: {at}\n{rendered}"));
        }
        repaired += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(repaired >= 75, "{repaired}");
}

#[test]
fn the_game_that_mistakes_are_made_in_has_none() {
    let base = fs::read_to_string(Path::new(MISTAKES).join("base.yaml")).unwrap();
    let told = told("cliff-race/game.yaml", &base);
    assert_eq!(told.report.render(&told.sources, false), "");
}

// ---- codes

/// A text after one of these is a code.
const BEFORE_A_CODE: [&str; 6] = [
    "Diagnostic::error(",
    "Diagnostic::warning(",
    "problem(",
    "problem::<()>(",
    ".error(",
    ".warn(",
];

/// Every code in the sources, as it is written there.
fn codes_of_the_sources() -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("src"), root.join("crates")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_none_or(|end| end != "png") {
                let text = fs::read_to_string(path).unwrap();
                for before in BEFORE_A_CODE {
                    let behind = text.split(before).skip(1).map(str::trim_start);
                    let literals =
                        behind.filter_map(|rest| rest.strip_prefix('"')?.split('"').next());
                    codes.extend(literals.filter(|l| is_code(l)).map(str::to_owned));
                }
            }
        }
    }
    codes
}

fn is_code(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || c == '-')
}

/// The codes of the page, by section.
fn codes_of_the_page() -> Vec<(String, String)> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/diagnostics.md");
    let page = fs::read_to_string(page).unwrap();
    let mut section = String::new();
    let mut codes = Vec::new();
    for line in page.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            section = title.to_owned();
        } else if let Some(row) = line.strip_prefix("- `") {
            codes.push((section.clone(), row.split('`').next().unwrap().to_owned()));
        }
    }
    codes
}

/// The codes that stored reports show.
fn codes_of_the_fixtures() -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    for folder in ["check", "lang", "mistakes", "overlays"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/fixtures")
            .join(folder);
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if name(&path).ends_with(".txt") {
                let text = fs::read_to_string(path).unwrap();
                let marks = ["error[", "warning["];
                let lines = text.lines();
                codes.extend(lines.filter_map(|line| {
                    let code = marks.iter().find_map(|mark| line.strip_prefix(mark))?;
                    Some(code.split(']').next()?.to_owned())
                }));
            }
        }
    }
    codes
}

/// Limits, files and bases that are not there, which other tests reach; and what only odd YAML comes to.
const WITHOUT_AN_EXAMPLE: [&str; 15] = [
    "effect-size",
    "encoding",
    "included-twice",
    "missing-file",
    "modifiers",
    "more-problems",
    "nesting",
    "operators",
    "overlays",
    "query-depth",
    "unformatted",
    "unknown-base",
    "yaml-aliases",
    "yaml-depth",
    "yaml-scalar",
];

#[test]
fn every_code_is_on_the_page_of_codes() {
    let page = codes_of_the_page();
    let rows: BTreeSet<_> = page.iter().collect();
    assert_eq!(rows.len(), page.len(), "a code stands twice in a section");
    let on_page: BTreeSet<String> = page.iter().map(|(_, code)| code.clone()).collect();
    let missing: Vec<String> = codes_of_the_sources()
        .difference(&on_page)
        .cloned()
        .collect();
    assert!(
        missing.is_empty(),
        "not in docs/diagnostics.md: {missing:?}"
    );
}

#[test]
fn every_code_of_rules_has_an_example() {
    let shown = codes_of_the_fixtures();
    let page = codes_of_the_page();
    let of_rules = page.iter().filter(|(section, _)| {
        let by_playing = ["Found by playing", "Games that stop", "Scenarios"];
        !by_playing.iter().any(|name| section.starts_with(name))
    });
    let without: Vec<&str> = of_rules
        .map(|(_, code)| code.as_str())
        .filter(|code| !shown.contains(*code) && !WITHOUT_AN_EXAMPLE.contains(code))
        .collect();
    assert!(without.is_empty(), "no fixture shows {without:?}");
}
