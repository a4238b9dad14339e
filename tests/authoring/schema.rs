//! The committed schemas are those of the reader, every shipped file names one and fits it, and wrong files do not.

use std::fs;
use std::path::Path;

use serde_json::Value;
use wyrmgate::lang::shape::{Shape, Table};
use wyrmgate::schema::File;

use super::{root, shipped};
use crate::support::command::wyrmgate;

const LINE: &str = "# yaml-language-server: $schema=";

fn read(text: &str) -> Value {
    serde_yaml::from_str(text).unwrap()
}

fn problems(file: File, text: &str) -> Vec<String> {
    let validator = jsonschema::validator_for(&file.schema()).unwrap();
    let value = read(text);
    validator
        .iter_errors(&value)
        .map(|error| error.to_string())
        .collect()
}

#[test]
fn the_committed_schemas_are_up_to_date() {
    let ran = wyrmgate(&["schema", "--write", "rules/schema", "--check"]);
    assert_eq!(
        ran.code, 0,
        "{}run `wyrmgate schema --write rules/schema`",
        ran.out
    );
}

#[test]
fn a_schema_is_a_valid_schema() {
    for file in File::ALL {
        jsonschema::meta::validate(&file.schema()).unwrap();
    }
}

/// The schema that a file names in its first line, read from where it says; house rules may leave it out.
fn schema_of(path: &Path, text: &str) -> Value {
    let first = text.lines().next().unwrap();
    let Some(named) = first.strip_prefix(LINE) else {
        let in_variants = path.parent().unwrap().ends_with("variants");
        assert!(
            in_variants,
            "{} does not begin with `{LINE}…`",
            path.display()
        );
        return File::of(path, text).schema();
    };
    let schema = fs::read_to_string(path.parent().unwrap().join(named));
    let schema = schema.unwrap_or_else(|error| panic!("{}: {named}: {error}", path.display()));
    serde_json::from_str(&schema).unwrap()
}

#[test]
fn every_shipped_file_fits_the_schema_it_names() {
    for path in shipped() {
        let text = fs::read_to_string(&path).unwrap();
        let validator = jsonschema::validator_for(&schema_of(&path, &text)).unwrap();
        let value = read(&text);
        let problems: Vec<String> = validator
            .iter_errors(&value)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(problems.is_empty(), "{}: {problems:#?}", path.display());
    }
}

#[test]
fn wrong_files_do_not_fit() {
    let game = |more: &str| format!("game: a\nplayers: 2\n{more}\n");
    let wrong = [
        "zoned: {}",
        "zones: {deck: {hold: card}}",
        "zones: {Deck: {holds: card}}",
        "components: {card: {kinds: {ice: {copis: 3}}}}",
        "components: {card: {kinds: [ice]}}",
        "options: {windy: {type: bool}}",
        "options: {windy: {type: maybe, default: 1}}",
        "vars: {x: {each: seats}}",
        "vars: {x: {type: int, lasts: week}}",
        "clauses: {first: Nobody may.}",
        "handlers: {when a moves: prevent}",
        "effects: {play: [finish drawn]}",
        "translations: {Spanish: {deck: mazo}}",
        "bound: many",
        "data: {x: {if: windy, then: 2}}",
    ];
    assert_eq!(problems(File::Game, &game("")), Vec::<String>::new());
    for more in wrong {
        assert!(
            !problems(File::Game, &game(more)).is_empty(),
            "`{more}` fits"
        );
    }
    assert!(
        !problems(File::Game, "game: a").is_empty(),
        "`players` is missed by nobody"
    );
    assert!(problems(File::Part, "zones: {deck: {holds: card}}").is_empty());
    let overlays = [
        "change: {data.x: 1}",
        "extends: a\nchanges: {data.x: 1}",
        "extends: a\nadd: {date.x: 1}",
        "extends: a\nremove: {data: x}",
    ];
    for text in overlays {
        assert!(!problems(File::Overlay, text).is_empty(), "`{text}` fits");
    }
    let overlay = "extends: a+b\nchange: {data.x: {was: 1, now: 2}, clauses: {AB-01: x}}\nremove: [options.y]";
    assert_eq!(problems(File::Overlay, overlay), Vec::<String>::new());
    let scenarios = [
        "scenario: a",
        "- shows: [AB-01]",
        "- scenario: a\n  steps: [{plays: {}}]",
        "- scenario: a\n  steps: [{random: some}]",
        "- scenario: a\n  steps: [{waiting: {whose: 1}}]",
        "- scenario: a\n  given: {seats: two}",
    ];
    for text in scenarios {
        assert!(!problems(File::Scenarios, text).is_empty(), "`{text}` fits");
    }
    let without_reason = "- {change: this statement is left out, at: draw 1}";
    assert!(!problems(File::Equivalents, without_reason).is_empty());
}

#[test]
fn every_key_is_told_in_the_reference() {
    let pages = [
        "reference",
        "boards",
        "handlers",
        "looks",
        "testing",
        "house-rules",
    ];
    let pages = pages.map(|page| root().join(format!("rules/guide/{page}.md")));
    let reference = pages.map(|page| fs::read_to_string(page).unwrap()).concat();
    let mut seen = Vec::new();
    let mut told = Vec::new();
    for file in File::ALL {
        visit(file.shape(), &mut seen, &mut told);
    }
    assert!(told.len() > 60);
    for key in told {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let known = reference.match_indices(key).any(|(at, _)| {
            let (before, after) = (&reference[..at], &reference[at + key.len()..]);
            !before.ends_with(word) && !after.starts_with(word)
        });
        assert!(known, "rules/guide does not tell of `{key}`");
    }
}

fn visit(shape: Shape, seen: &mut Vec<&'static str>, keys: &mut Vec<&'static str>) {
    for table in shape.tables() {
        visit_table(table, seen, keys);
    }
    if let Some(section) = shape.section() {
        visit(section.of, seen, keys);
    }
    if let Some(member) = shape.member().filter(|_| matches!(shape, Shape::List(_))) {
        visit(member, seen, keys);
    }
}

fn visit_table(table: &Table, seen: &mut Vec<&'static str>, keys: &mut Vec<&'static str>) {
    if seen.contains(&table.what) {
        return;
    }
    seen.push(table.what);
    for key in table.keys {
        keys.push(key.name);
        visit(key.shape, seen, keys);
    }
}
