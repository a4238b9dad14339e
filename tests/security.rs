//! The threat model names the test that guards each boundary; a name of nothing guards nothing.
#![cfg(test)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn page() -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/security.md");
    fs::read_to_string(page).unwrap()
}

/// `file::test`, in backticks.
fn named(page: &str) -> BTreeSet<(String, String)> {
    let quoted = page.split('`').skip(1).step_by(2);
    let pairs = quoted.filter_map(|name| name.split_once("::"));
    let pairs = pairs.filter(|(file, _)| file.ends_with(".rs"));
    pairs
        .map(|(file, test)| (file.to_owned(), test.to_owned()))
        .collect()
}

/// Whether a file has a test of this name: a function behind an attribute, or a name that a macro makes one of.
fn has_test(text: &str, test: &str) -> bool {
    let function = format!("fn {test}(");
    let plain = text.split("#[test]").skip(1);
    let of_tokio = text.split("#[tokio::test").skip(1);
    let is_function = plain.chain(of_tokio).any(|rest| {
        let head = rest.split('{').next().unwrap_or_default();
        head.contains(&function)
    });
    let replayed = text
        .split("replays! {")
        .nth(1)
        .and_then(|rest| rest.split('}').next());
    is_function || replayed.is_some_and(|names| names.split_whitespace().any(|name| name == test))
}

#[test]
fn every_boundary_of_the_threat_model_has_a_test_that_exists() {
    let named = named(&page());
    assert!(named.len() > 50, "{} tests are named", named.len());
    let missing: Vec<String> = named
        .into_iter()
        .filter(|(file, test)| {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
            let text = fs::read_to_string(path).unwrap_or_default();
            !has_test(&text, test)
        })
        .map(|(file, test)| format!("{file}::{test}"))
        .collect();
    assert!(missing.is_empty(), "these tests do not exist: {missing:#?}");
}

#[test]
fn every_promise_has_a_guard() {
    let page = page();
    let (_, boundaries) = page.split_once("## Boundaries").unwrap();
    let rows = boundaries.lines().filter(|line| line.starts_with("| "));
    for row in rows.filter(|row| !row.contains("| Guard |") && !row.contains("---")) {
        assert!(row.contains(".rs::"), "no guard: {row}");
    }
}

#[test]
fn a_name_in_a_comment_is_no_test() {
    assert!(has_test("#[test]\nfn works() {", "works"));
    assert!(has_test("#[tokio::test]\nasync fn works() {", "works"));
    assert!(!has_test("// fn works()\nfn works() {", "works"));
    assert!(!has_test("#[test]\nfn other() { fn works() {} }", "works"));
    assert!(has_test("replays! { a works }", "works"));
}

/// The files below a folder that end with `.rs`.
fn sources(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let found = paths.flat_map(|path| match path.is_dir() {
        true => sources(&path),
        false => vec![path],
    });
    let is_source = |path: &std::path::PathBuf| path.extension().is_some_and(|end| end == "rs");
    found.filter(is_source).collect()
}

/// Clippy refuses what `clippy.toml` lists, but for an `expect` with its reason beside it.
#[test]
fn whoever_sees_everything_says_why() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let refused = fs::read_to_string(root.join("clippy.toml")).unwrap();
    assert!(refused.contains("engine::Viewer::omniscient"));
    assert!(refused.contains("engine::SeenComponent::whole"));
    assert!(refused.contains("program::ProgramName::unasked"));
    let mut reasons = 0;
    let folders = ["src", "crates"].map(|folder| sources(&root.join(folder)));
    for file in folders.into_iter().flatten() {
        let text = fs::read_to_string(&file).unwrap();
        let count = |what: &str| text.matches(what).count();
        let uses = count("Viewer::omniscient()") + count(".unasked()") + count(".whole()");
        let lines = count("clippy::disallowed_methods");
        assert!(
            uses <= lines,
            "{}: {uses} uses, {lines} reasons",
            file.display()
        );
        reasons += lines;
    }
    assert!(reasons > 5, "{reasons}");
}
