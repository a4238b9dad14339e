//! The text of an overlay on a game.

use std::sync::LazyLock;

use super::rules;

const LENGTH_MAX: usize = 8 << 10;
/// Between two overlays of one input.
const BETWEEN: &str = "# ---";

pub fn run(data: &[u8]) {
    static GAME: LazyLock<String> = LazyLock::new(|| {
        std::fs::read_to_string(rules::path("tests/fixtures/overlays/game.yaml")).unwrap()
    });
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    if text.len() > LENGTH_MAX {
        return;
    }
    let (first, second) = match text.split_once(BETWEEN) {
        Some((first, rest)) => (first, rest.split_once('\n').map(|(_, second)| second)),
        None => (text, None),
    };
    let mut files = vec![("game.yaml", GAME.as_str()), ("first.yaml", first)];
    files.extend(second.map(|second| ("second.yaml", second)));
    let roots: Vec<&str> = files.iter().map(|(path, _)| *path).collect();
    let (loaded, checked) = rules::read(&files, &roots);
    if let Some(checked) = checked
        && let Some(seats) = checked.seats.first()
        && let Ok(setup) = checked.setup(*seats, &Default::default())
    {
        assert!(checked.compile(&setup).is_some(), "checked rules compile");
    }
    for edit in &loaded.history.edits {
        assert!(!loaded.history.overlay(edit).is_empty());
    }
}

pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for stack in rules::files("tests/fixtures/overlays", ".yaml") {
        let text = String::from_utf8(stack).unwrap();
        let parts = text.split("# --- ").skip(1);
        let parts: Vec<&str> = parts
            .filter_map(|part| Some(part.split_once('\n')?.1))
            .collect();
        seeds.push(parts.join("# ---\n").into_bytes());
    }
    seeds.retain(|seed| !seed.is_empty() && seed.len() <= LENGTH_MAX);
    seeds
}
