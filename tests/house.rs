//! What the house weighs may only fall: each figure has a limit, which is lowered when the figure falls.

#![cfg(test)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Lines of `src` and `crates/*/src` without tests, blanks, comments, attributes, imports and lone brackets.
const CODE_LINES: usize = 119_635;
/// Structs with more than 15 fields, and the fields of the largest.
const LARGE_STRUCTS: usize = 7;
const FIELDS: usize = 25;
/// Parameters that are tuples of parameters, as in `(wide, high): (f32, f32)`.
const TUPLE_PARAMETERS: usize = 20;
/// `_ =>` arms, over our own enums and over anything else.
const WILDCARD_ARMS: usize = 709;
/// Names of structs and enums that are declared in several files.
const NAMES_DECLARED_TWICE: usize = 54;
/// Words of all pages, and of ARCHITECTURE.md.
const WORDS: usize = 47_090;
const WORDS_OF_ARCHITECTURE: usize = 1_552;
/// Packages in Cargo.lock.
const PACKAGES: usize = 511;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The files below a folder with this ending, except what is built, made by others, or an example of a mistake.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let passed = ["target", "node_modules", ".git", "fixtures"];
            if path.is_dir() && !passed.iter().any(|passed| name.starts_with(passed)) {
                open.push(path);
            } else if path.is_file() && name.ends_with(ending) {
                found.push(path);
            }
        }
    }
    found
}

/// The Rust code that is shipped, without the tests beside it.
fn sources() -> Vec<String> {
    let mut folders = vec![root().join("src")];
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        folders.push(entry.unwrap().path().join("src"));
    }
    let found = folders.iter().flat_map(|folder| files(folder, ".rs"));
    let shipped = found.filter(|path| {
        let of_tests = path.components().any(|part| part.as_os_str() == "tests");
        !of_tests && !path.ends_with("tests.rs")
    });
    let texts = shipped.map(|path| fs::read_to_string(path).unwrap());
    texts.map(without_tests).collect()
}

/// The text up to the module of its tests.
fn without_tests(text: String) -> String {
    let mut before = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let is_module = |next: &&str| next.starts_with("mod ") && next.trim_end().ends_with('{');
        if line.trim_end() == "#[cfg(test)]" && lines.peek().is_some_and(is_module) {
            break;
        }
        before.push_str(line);
        before.push('\n');
    }
    before
}

/// A line without `pub` or `pub(…)` before it.
fn without_pub(line: &str) -> &str {
    match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ").map_or(line, |(_, rest)| rest),
        Some(rest) => rest.strip_prefix(' ').unwrap_or(line),
        None => line,
    }
}

fn code_lines(text: &str) -> usize {
    let (mut count, mut in_import) = (0, false);
    for line in text.lines().map(str::trim) {
        if in_import || without_pub(line).starts_with("use ") {
            in_import = !line.ends_with(';');
        } else if !line.starts_with("//") && !line.starts_with("#[") && !line.starts_with("#!") {
            count += usize::from(line.chars().any(|c| !")]}{(;,>".contains(c)));
        }
    }
    count
}

/// The structs of a file, with the number of their fields.
fn structs(text: &str) -> Vec<(String, usize)> {
    let mut found: Vec<(String, usize)> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if let Some(rest) = without_pub(line).strip_prefix("struct ")
            && line.ends_with('{')
        {
            let name = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap();
            found.push((name.to_owned(), 0));
            inside = true;
        } else if line == "}" {
            inside = false;
        } else if inside && line.starts_with("    ") && !line.starts_with("     ") {
            let field = without_pub(line.trim_start()).split(": ").next().unwrap();
            let is_field =
                line.contains(": ") && field.chars().all(|c| c.is_alphanumeric() || c == '_');
            found.last_mut().unwrap().1 += usize::from(is_field);
        }
    }
    found
}

/// The tuples of names before a type that is a tuple.
fn tuple_parameters(text: &str) -> usize {
    let ends = text.match_indices("): (").map(|(at, _)| at);
    let is_tuple = |end: &usize| {
        let names = text[..*end].rsplit('(').next().unwrap();
        let is_name = |name: &str| {
            let mut chars = name.chars();
            chars
                .next()
                .is_some_and(|c| c.is_ascii_lowercase() || c == '_')
                && chars.all(|c| c.is_alphanumeric() || c == '_')
        };
        names.contains(", ") && names.split(", ").all(is_name)
    };
    ends.filter(is_tuple).count()
}

fn words(path: &Path) -> usize {
    fs::read_to_string(path).unwrap().split_whitespace().count()
}

fn at_most(what: &str, now: usize, limit: usize) {
    println!("{what}: {now} of {limit}");
    assert!(
        now <= limit,
        "{what}: {now}, and at most {limit} are allowed"
    );
}

#[test]
fn the_code_weighs_no_more_than_before() {
    let sources = sources();
    let sum = |count: fn(&str) -> usize| sources.iter().map(|text| count(text)).sum();
    at_most("code lines", sum(code_lines), CODE_LINES);
    let all = sources.iter().flat_map(|text| structs(text));
    let fields: Vec<usize> = all.map(|(_, fields)| fields).collect();
    assert!(fields.len() > 500, "structs are found");
    let large = fields.iter().filter(|fields| **fields > 15).count();
    at_most("large structs", large, LARGE_STRUCTS);
    at_most("fields", *fields.iter().max().unwrap(), FIELDS);
    at_most("tuple parameters", sum(tuple_parameters), TUPLE_PARAMETERS);
    let wildcard = |text: &str| {
        text.lines()
            .filter(|line| line.trim_start().starts_with("_ =>"))
            .count()
    };
    at_most("wildcard arms", sum(wildcard), WILDCARD_ARMS);
}

#[test]
fn a_type_has_a_name_of_its_own() {
    let mut declared: BTreeMap<String, usize> = BTreeMap::new();
    for text in sources() {
        for line in text.lines() {
            let line = without_pub(line.trim_start());
            let rest = line
                .strip_prefix("struct ")
                .or_else(|| line.strip_prefix("enum "));
            let name = rest.and_then(|rest| rest.split(|c: char| !c.is_alphanumeric()).next());
            *declared
                .entry(name.unwrap_or_default().to_owned())
                .or_default() += 1;
        }
    }
    declared.remove("");
    let twice = declared.values().filter(|times| **times > 1).count();
    at_most("names declared twice", twice, NAMES_DECLARED_TWICE);
}

#[test]
fn pages_and_packages_do_not_grow() {
    let pages = files(&root(), ".md");
    at_most("words", pages.iter().map(|page| words(page)).sum(), WORDS);
    let architecture = words(&root().join("ARCHITECTURE.md"));
    at_most(
        "words of ARCHITECTURE.md",
        architecture,
        WORDS_OF_ARCHITECTURE,
    );
    let lock = fs::read_to_string(root().join("Cargo.lock")).unwrap();
    at_most("packages", lock.matches("[[package]]").count(), PACKAGES);
}
