//! `wyrmgate new`: what it writes checks, plays, passes its scenarios, and is formatted.

use std::fs;
use std::path::Path;

use crate::support::command::{Ran, wyrmgate};

fn in_folder(folder: &Path, args: &[&str]) -> Ran {
    let rules = ["--rules", folder.to_str().unwrap()];
    wyrmgate(&[args, &rules].concat())
}

#[track_caller]
fn good(ran: &Ran) {
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
}

#[test]
fn a_new_game_is_playable_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("rules");
    good(&in_folder(&rules, &["new", "dragon-race"]));
    let game = rules.join("dragon-race");
    let path = game.to_str().unwrap();
    let checked = wyrmgate(&["check", path, "--json"]).json();
    assert_eq!(
        checked["games"][0]["diagnostics"],
        serde_json::json!([]),
        "{checked}"
    );
    good(&wyrmgate(&["test", path, "--full"]));
    good(&wyrmgate(&["simulate", path, "-n", "20"]));
    good(&wyrmgate(&["fmt", "--check", path]));
    good(&wyrmgate(&["laws", path, "--games", "20"]));
    assert!(rules.join("schema/game.json").is_file());
    let text = fs::read_to_string(game.join("game.yaml")).unwrap();
    assert!(
        text.contains("title: Dragon Race") && !text.contains("{{"),
        "{text}"
    );
}

#[test]
fn new_house_rules_are_playable_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("rules");
    good(&in_folder(&rules, &["new", "dragon-race"]));
    good(&in_folder(
        &rules,
        &["new", "long-march", "--overlay", "dragon-race"],
    ));
    let name = "dragon-race+long-march";
    let checked = in_folder(&rules, &["check", name, "--json"]).json();
    assert_eq!(checked["ok"], true, "{checked}");
    good(&in_folder(&rules, &["test", name]));
    good(&in_folder(&rules, &["simulate", name, "-n", "5"]));
    good(&wyrmgate(&["fmt", "--check", rules.to_str().unwrap()]));
    let overlay = fs::read_to_string(rules.join("dragon-race/variants/long-march.yaml")).unwrap();
    assert!(
        overlay.contains("options.goal") && !overlay.contains("{{"),
        "{overlay}"
    );
    let schema = overlay
        .lines()
        .next()
        .unwrap()
        .split("$schema=")
        .nth(1)
        .unwrap();
    assert!(
        rules.join("dragon-race/variants").join(schema).is_file(),
        "{schema}"
    );
}

#[test]
fn nothing_is_overwritten_and_names_are_names() {
    let folder = tempfile::tempdir().unwrap();
    good(&in_folder(folder.path(), &["new", "a-game"]));
    let again = in_folder(folder.path(), &["new", "a-game"]);
    assert_eq!(again.code, 2);
    assert!(again.err.contains("already exists"), "{}", again.err);
    assert_eq!(in_folder(folder.path(), &["new", "A Game"]).code, 2);
    assert_eq!(
        in_folder(folder.path(), &["new", "--overlay", "nobody"]).code,
        2
    );
    assert_eq!(wyrmgate(&["new"]).code, 2);
}
