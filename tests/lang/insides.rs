//! Overlays that reach inside the text of an effect or a query; the cases are in `tests/fixtures/insides.yaml`.

use std::fs;

use serde_json::{Map, Value, json};
use wyrmgate::lang::overlay::Path;
use wyrmgate::lang::yaml::Node;
use wyrmgate::lang::{Bundle, Loaded};

const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/insides.yaml");

/// JSON is YAML, so texts with several lines need no care.
fn loaded(section: &str, text: &Value, overlay: Map<String, Value>) -> Loaded {
    let name = if section == "queries" { "it()" } else { "it" };
    let game = json!({"game": "x", "players": 2, section: {name: text}});
    let verbs = overlay.into_iter().map(|(verb, patch)| {
        let inside = match (verb.as_str(), patch) {
            ("remove", Value::Array(keys)) => {
                let path = |key: &Value| format!("{section}.{name}.{}", key.as_str().unwrap());
                json!(keys.iter().map(path).collect::<Vec<_>>())
            }
            (_, patch) => json!({section: {name: patch}}),
        };
        (verb, inside)
    });
    let mut overlay: Map<String, Value> = verbs.collect();
    overlay.insert("extends".into(), json!("x"));
    let file = |value: Value| serde_json::to_string_pretty(&value).unwrap();
    let bundle = Bundle {
        name: "x+y".into(),
        files: vec![
            ("x/game.yaml".into(), file(game)),
            ("x/variants/y.yaml".into(), file(Value::Object(overlay))),
        ],
        roots: vec!["x/game.yaml".into(), "x/variants/y.yaml".into()],
    };
    bundle.load()
}

#[test]
fn texts_become_what_the_overlay_makes_of_them() {
    let cases = fs::read_to_string(CASES).unwrap();
    let cases: Vec<Map<String, Value>> = serde_yaml::from_str(&cases).unwrap();
    assert!(cases.len() > 30);
    let mut wrong = Vec::new();
    for mut case in cases {
        let name = case.remove("case").unwrap();
        let (section, text) = match case.remove("effect") {
            Some(text) => ("effects", text),
            None => ("queries", case.remove("query").unwrap()),
        };
        let (becomes, fails) = (case.remove("becomes"), case.remove("fails"));
        let loaded = loaded(section, &text, case);
        let told = loaded.report.render(&loaded.sources, false);
        let tree = loaded.tree.as_ref().unwrap();
        let path = format!(
            "{section}.{}",
            if section == "queries" { "it()" } else { "it" }
        );
        let now = Path::parse(tree, &path).find(tree).and_then(Node::text);
        let codes: Vec<&str> = loaded.report.diagnostics.iter().map(|d| d.code).collect();
        let is_right = match fails {
            Some(code) => codes.contains(&code.as_str().unwrap()),
            // The rest of a game is missing.
            None => {
                now == becomes.as_ref().and_then(Value::as_str)
                    && codes.iter().all(|code| *code == "missing-key")
            }
        };
        if !is_right {
            let now = now.unwrap_or("nothing");
            wrong.push(format!("{name}: it became\n{now}\n{told}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A mistake in the text of an overlay is reported in the overlay, and one in the rest of the text in the game.
#[test]
fn pieces_keep_their_places() {
    let game = "game: x\nplayers: 2\neffects:\n  play: |\n    if active is empty: stop\n    say 1\n    finish drawn\n";
    let overlay = "extends: x\nadd:\n  effects.play:\n    after say 1: |\n      say \"Now\"\n      sya \"Then\"\n";
    let bundle = Bundle {
        name: "x+y".into(),
        files: vec![
            ("x/game.yaml".into(), game.into()),
            ("x/variants/y.yaml".into(), overlay.into()),
        ],
        roots: vec!["x/game.yaml".into(), "x/variants/y.yaml".into()],
    };
    let base = Bundle {
        roots: vec!["x/game.yaml".into()],
        name: "x".into(),
        ..bundle.clone()
    };
    assert!(base.load().report.has_errors(), "`say 1` does not parse");
    let good = game.replace("    say 1\n", "    say \"1\"\n");
    let mut bundle = bundle;
    bundle.files[0].1 = good;
    bundle.files[1].1 = overlay
        .replace("after say 1", "after say \"1\"")
        .replace("sya", "say say");
    let loaded = bundle.load();
    let told = loaded.report.render(&loaded.sources, false);
    assert!(told.contains("x/variants/y.yaml:6:"), "{told}");
}
