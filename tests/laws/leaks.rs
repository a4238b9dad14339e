//! Leaks that were planted on purpose, each with an honest twin: see `tests/leaks/README.md`.
//!
//! Without more only a sample is played, with fewer games. `WYRMGATE_LEAKS=all` plays all of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use serde_json::{Map, Value};
use wyrmgate::laws::{Plan, law, prove, settings};
use wyrmgate::rules::{Ruleset, variant};

const SEED: [u8; 32] = [5; 32];

/// Games of each setting.
const GAMES: u64 = 200;
const GAMES_OF_SAMPLE: u64 = 40;

/// One case in this many is in the sample.
const SAMPLE: usize = 7;

/// Percentage of leaks that must be found.
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

/// A way to give something away in a game.
struct Case {
    kind: String,
    name: String,
    base: Value,
    /// The changes of the overlay, with HINT for the number.
    change: Value,
    secret: String,
    public: String,
    is_single: bool,
}

impl Case {
    fn new(base: &Value, kind: &Value, is_single: bool) -> Case {
        let text = |key: &str| {
            let own = kind.get(key).or(base.get(key));
            let text = own.and_then(Value::as_str).unwrap();
            match kind.get("beforehand").is_some() {
                true => text.replace("active", "seat(1)"),
                false => text.to_owned(),
            }
        };
        let mut change = Map::new();
        for (key, value) in kind.as_object().unwrap() {
            if !["kind", "in", "secret", "public", "beforehand"].contains(&key.as_str()) {
                change.insert(key.clone(), value.clone());
            }
        }
        let game = base["game"]["game"].as_str().unwrap();
        Case {
            kind: text("kind"),
            name: format!("{} in {game}", text("kind")),
            base: base["game"].clone(),
            change: Value::Object(change),
            secret: text("secret"),
            public: text("public"),
            is_single,
        }
    }

    /// The base with the leak or its twin planted in it.
    fn planted(&self, hint: &str) -> Ruleset {
        let folder = tempfile::tempdir().unwrap();
        let name = self.base["game"].as_str().unwrap();
        let game = folder.path().join(name);
        fs::create_dir_all(game.join("variants")).unwrap();
        // JSON is YAML.
        fs::write(game.join("game.yaml"), self.base.to_string()).unwrap();
        let mut overlay = Map::new();
        overlay.insert("extends".to_owned(), name.into());
        overlay.extend(hinting(&self.change, hint).as_object().unwrap().clone());
        let file = game.join("variants/planted.yaml");
        fs::write(&file, Value::Object(overlay).to_string()).unwrap();
        let stack = variant(&game, &file, folder.path()).unwrap();
        let loaded = Ruleset::from_stack(&stack).unwrap();
        loaded.unwrap_or_else(|broken| panic!("{}: {}", self.name, broken.findings()))
    }
}

fn bases() -> Vec<Value> {
    let mut bases: Vec<PathBuf> = fs::read_dir(folder().join("bases"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    bases.sort();
    bases.iter().map(|file| read(file)).collect()
}

/// The cases of a file, each in its own base.
fn cases_of(file: &str, bases: &[Value]) -> Vec<Case> {
    let kinds = read(&folder().join(file));
    let kinds = kinds.as_array().unwrap().iter();
    let case = |kind: &Value| {
        let mut all = bases.iter();
        let base = all.find(|base| base["game"]["game"] == kind["in"]);
        Case::new(base.unwrap(), kind, true)
    };
    kinds.map(case).collect()
}

/// Every kind in every base, and those that need a game of their own.
fn cases() -> Vec<Case> {
    let bases = bases();
    let kinds = read(&folder().join("kinds.yaml"));
    let kinds = kinds.as_array().unwrap();
    let everywhere = kinds.iter().flat_map(|kind| {
        let all = bases.iter().filter(|base| {
            let not = base.get("except").and_then(Value::as_array);
            not.is_none_or(|not| !not.contains(&kind["kind"]))
        });
        all.map(move |base| Case::new(base, kind, false))
    });
    let single = cases_of("single.yaml", &bases);
    let asked = cases_of("asked.yaml", &bases);
    everywhere.chain(single).chain(asked).collect()
}

/// Returns the violation in this number of games of each setting, played as the command does.
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

/// The results of a leak and its twin.
struct Outcome {
    leak: Option<String>,
    twin: Option<String>,
}

/// All cases, on as many threads as there are cores.
fn outcomes(cases: &[Case], games: u64) -> Vec<Outcome> {
    let next = AtomicUsize::new(0);
    let found_of = Mutex::new(BTreeMap::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((at, case)) = {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    cases.get(at).map(|case| (at, case))
                } {
                    let outcome = Outcome {
                        leak: found(&case.planted(&case.secret), games),
                        twin: found(&case.planted(&case.public), games),
                    };
                    found_of.lock().unwrap().insert(at, outcome);
                }
            });
        }
    });
    found_of.into_inner().unwrap().into_values().collect()
}

/// What an undo alone could tell: nothing, in no game.
#[test]
fn an_undo_gives_nothing_away() {
    let mut wrong = Vec::new();
    let cases = cases_of("undo.yaml", &bases());
    for (case, outcome) in cases.iter().zip(outcomes(&cases, GAMES_OF_SAMPLE)) {
        wrong.extend(outcome.leak.map(|found| format!("{}: {found}", case.name)));
        wrong.extend(
            outcome
                .twin
                .map(|found| format!("{}, twin: {found}", case.name)),
        );
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn planted_leaks_are_found_and_their_twins_are_not() {
    let all = std::env::var("WYRMGATE_LEAKS").is_ok_and(|asked| asked == "all");
    let games = if all { GAMES } else { GAMES_OF_SAMPLE };
    let mut cases = cases();
    let mut number = 0;
    cases.retain(|_| {
        number += 1;
        all || number % SAMPLE == 0
    });
    // By kind: leaks, and how many of them were found; those of games of their own together.
    let mut table: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let (mut missed, mut wrong) = (Vec::new(), Vec::new());
    for (case, outcome) in cases.iter().zip(outcomes(&cases, games)) {
        let kind = if case.is_single {
            "games of their own"
        } else {
            &case.kind
        };
        let row = table.entry(kind).or_default();
        row.0 += 1;
        match outcome.leak {
            Some(_) => row.1 += 1,
            None => missed.push(&case.name),
        }
        if let Some(found) = outcome.twin {
            wrong.push(format!("{}: {found}", case.name));
        }
    }
    let (leaks, noticed) = table
        .values()
        .fold((0, 0), |sum, row| (sum.0 + row.0, sum.1 + row.1));
    for (kind, (leaks, found)) in &table {
        println!("{kind:<24}{found:>4} of {leaks}");
    }
    println!("{noticed} of {leaks} leaks found; missed: {missed:#?}");
    println!(
        "{} of {leaks} honest twins reported: {wrong:#?}",
        wrong.len()
    );
    assert!(wrong.is_empty(), "honest twins: {wrong:#?}");
    assert!(noticed * 100 >= leaks * FOUND, "missed: {missed:#?}");
}
