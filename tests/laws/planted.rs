//! Leaks planted in a shipped game are found: `tests/leaks/shipped.yaml`.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use serde_json::Value;
use wyrmgate::laws::{Plan, Setting, law, prove};
use wyrmgate::rules::{Ruleset, variant};

use super::games::rules;

/// Games of a leak, as many as one needs who asks with `wyrmgate laws`.
const GAMES: u64 = 12;

fn planted(leak: &Value) -> Ruleset {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("planted.yaml");
    let game = leak["game"].as_str().unwrap();
    let overlay = format!("extends: {game}\nadd: {}\n", leak["add"]); // JSON is YAML
    fs::write(&file, overlay).unwrap();
    let stack = variant(&rules().join(game), &file, &rules()).unwrap();
    let loaded = Ruleset::from_stack(&stack).unwrap();
    loaded.unwrap_or_else(|broken| panic!("{leak}: {}", broken.findings()))
}

#[test]
fn leaks_planted_in_a_shipped_game_are_found() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/leaks/shipped.yaml");
    let leaks: Value = serde_yaml::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let plan = Plan {
        games: 1..=GAMES,
        seed: [4; 32],
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        laws: vec![law("hidden").unwrap()],
        oftener: 1,
    };
    let setting = Setting {
        seats: 3,
        options: Default::default(),
    };
    for leak in leaks.as_array().unwrap() {
        let checked = planted(leak).checked;
        let setup = checked.setup(setting.seats, &setting.options).unwrap();
        let program = checked.compile_with_reveals(&setup).unwrap();
        let proof = prove(&program, &plan, &AtomicBool::new(false), &mut || {});
        assert!(!proof.holds(), "not found: {}", leak["leak"]);
    }
}
