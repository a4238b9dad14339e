//! A file of rules, read, checked and formatted.

use wyrmgate::format::format;
use wyrmgate::schema::File;

use super::rules;

/// The maximum length of a file. Longer ones take longer and find nothing more.
const LENGTH_MAX: usize = 32 << 10;

pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    if text.len() > LENGTH_MAX {
        return;
    }
    let more = ("more.yaml", "clauses: {A-1: Something else.}");
    let (_, checked) = rules::read(&[("game.yaml", text), more], &["game.yaml"]);
    if let Some(checked) = checked
        && let Some(seats) = checked.seats.first()
        && let Ok(setup) = checked.setup(*seats, &Default::default())
    {
        assert!(checked.compile(&setup).is_some(), "checked rules compile");
    }
    if let Ok(once) = format(File::Game, text) {
        let twice = format(File::Game, &once);
        assert_eq!(twice.ok(), Some(once), "formatting twice changes nothing");
    }
}

pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = rules::files("tests/fixtures/check", ".yaml");
    seeds.extend(rules::files("tests/fixtures/lang", ".yaml"));
    seeds.extend(rules::files("rules/gallery", "game.yaml"));
    seeds.retain(|seed| seed.len() < LENGTH_MAX / 4);
    seeds
}
