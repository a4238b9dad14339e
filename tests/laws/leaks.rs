//! Leaks that were planted on purpose, each with an honest twin: see `tests/leaks/README.md`.
//!
//! Without more only a sample is played, with fewer games. `WYRMGATE_LEAKS=all` plays all of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use serde_json::{Map, Value};
use wyrmgate::laws::{Plan, law, prove, settings};
use wyrmgate::rules::{Ruleset, variant};

const SEED: [u8; 32] = [5; 32];

/// Games of each setting.
const GAMES: u64 = 200;
const GAMES_OF_SAMPLE: u64 = 40;

/// Of each kind one base out of so many is in the sample.
const SAMPLE: usize = 5;

/// So many of a hundred leaks must be found.
const FOUND: usize = 95;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/leaks")
}

fn read(file: &Path) -> Value {
    serde_yaml::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

/// The value with a number in the place of every HINT.
fn hinting(value: &Value, hint: &str) -> Value {
    match value {
        Value::String(text) => Value::String(text.replace("HINT", hint)),
        Value::Array(list) => list.iter().map(|value| hinting(value, hint)).collect(),
        Value::Object(map) => {
            let members = map.iter();
            let members =
                members.map(|(key, value)| (key.replace("HINT", hint), hinting(value, hint)));
            Value::Object(members.collect())
        }
        other => other.clone(),
    }
}

/// A base with a leak or a twin of this kind planted in it.
fn planted(base: &Value, kind: &Value, hint: &str) -> Ruleset {
    let folder = tempfile::tempdir().unwrap();
    let name = base["game"]["game"].as_str().unwrap();
    let game = folder.path().join(name);
    fs::create_dir_all(game.join("variants")).unwrap();
    // JSON is YAML.
    fs::write(game.join("game.yaml"), base["game"].to_string()).unwrap();
    let mut overlay = Map::new();
    overlay.insert("extends".to_owned(), name.into());
    for (key, value) in kind.as_object().unwrap() {
        if key != "kind" {
            overlay.insert(key.clone(), hinting(value, hint));
        }
    }
    let file = game.join("variants/planted.yaml");
    fs::write(&file, Value::Object(overlay).to_string()).unwrap();
    let stack = variant(&game, &file, folder.path()).unwrap();
    let loaded = Ruleset::from_stack(&stack).unwrap();
    loaded.unwrap_or_else(|broken| panic!("{name}, {}: {}", kind["kind"], broken.findings()))
}

/// What the law finds in so many games of each setting, as the command plays them.
fn found(ruleset: &Ruleset, games: u64) -> Option<String> {
    let plan = Plan {
        games: 1..=games,
        seed: SEED,
        threads: 1,
        laws: vec![law("hidden").unwrap(), law("dealt").unwrap()],
        oftener: 1,
    };
    let checked = &ruleset.checked;
    settings(checked, &checked.seats, &SEED)
        .iter()
        .find_map(|setting| {
            let setup = checked.setup(setting.seats, &setting.options).unwrap();
            let program = checked.compile_with_reveals(&setup).unwrap();
            let proof = prove(&program, &plan, &AtomicBool::new(false), &mut || {});
            let first = proof.violations.first();
            first.map(|violation| format!("{}: {:?}", violation.law, violation.found))
        })
}

#[test]
fn planted_leaks_are_found_and_their_twins_are_not() {
    let all = std::env::var("WYRMGATE_LEAKS").is_ok_and(|asked| asked == "all");
    let games = if all { GAMES } else { GAMES_OF_SAMPLE };
    let kinds = read(&folder().join("kinds.yaml"));
    let mut bases: Vec<PathBuf> = fs::read_dir(folder().join("bases"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    bases.sort();
    let bases: Vec<Value> = bases.iter().map(|file| read(file)).collect();
    // By kind: leaks, and how many of them were found.
    let mut table: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let (mut missed, mut wrong) = (Vec::new(), Vec::new());
    for (number, kind) in kinds.as_array().unwrap().iter().enumerate() {
        let name = kind["kind"].as_str().unwrap();
        for (at, base) in bases.iter().enumerate() {
            if !all && (at + number) % SAMPLE != 0 {
                continue;
            }
            let hint = |which: &str| base[which].as_str().unwrap();
            let of = format!("{name} in {}", base["game"]["game"]);
            let row = table.entry(name.to_owned()).or_default();
            row.0 += 1;
            match found(&planted(base, kind, hint("secret")), games) {
                Some(_) => row.1 += 1,
                None => missed.push(of.clone()),
            }
            if let Some(found) = found(&planted(base, kind, hint("public")), games) {
                wrong.push(format!("{of}: {found}"));
            }
        }
    }
    let (leaks, noticed) = table
        .values()
        .fold((0, 0), |sum, row| (sum.0 + row.0, sum.1 + row.1));
    for (kind, (leaks, found)) in &table {
        println!("{kind:<24}{found:>4} of {leaks}");
    }
    println!("{noticed} of {leaks} leaks found; missed: {missed:?}");
    assert!(wrong.is_empty(), "honest twins: {wrong:#?}");
    assert!(noticed * 100 >= leaks * FOUND, "missed: {missed:#?}");
}
