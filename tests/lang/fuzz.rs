//! Any bytes get an answer within a short time, without a panic.

use std::path::Path;
use std::time::{Duration, Instant};

use wyrmgate::rules::game_folders;

use crate::random::Random;
use crate::{fixtures, read};

const WORDS: &[&str] = &[
    "if ",
    "else:",
    "each ",
    " in ",
    " where ",
    "choose ",
    "option ",
    "move ",
    " to ",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'",
    "\\",
    "\n",
    "\n  ",
    "\n    ",
    ":",
    ": ",
    " |\n",
    " >\n",
    "- ",
    "#",
    "&a ",
    "*a",
    "!",
    "?",
    "%",
    "@",
    "\t",
    "\r\n",
    "é",
    "🐉",
    "\u{feff}",
    "\0",
    "~",
    "..",
    " - ",
    "-",
    "= ",
    "+=",
    "<",
    " and ",
    " not ",
    "some ",
    " has ",
    "1",
    "99999999999",
    "a",
    "P-1",
    " [AB-1]",
    ";",
    ",",
    "---\n",
    "...\n",
    "include: ",
    "effects:\n",
    "play",
    "null",
    "<<",
];

pub fn mutated(random: &mut Random, text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + random.below(8) {
        let at = random.below(bytes.len() + 1);
        let to = (at + random.below(12)).min(bytes.len());
        match random.below(5) {
            0 => drop(bytes.drain(at..to)),
            1 => drop(bytes.splice(at..at, WORDS[random.below(WORDS.len())].bytes())),
            2 => drop(bytes.splice(at..to, WORDS[random.below(WORDS.len())].bytes())),
            3 => {
                let copy = bytes[at..to].to_vec();
                let place = random.below(bytes.len() + 1);
                drop(bytes.splice(place..place, copy));
            }
            _ => drop(
                bytes.splice(
                    at..to,
                    (0..to - at)
                        .map(|_| random.next() as u8)
                        .collect::<Vec<_>>(),
                ),
            ),
        }
    }
    String::from_utf8_lossy(&bytes).replace('\u{fffd}', "?")
}

fn noise(random: &mut Random) -> String {
    (0..random.below(60))
        .map(|_| WORDS[random.below(WORDS.len())])
        .collect()
}

fn survive(file: &str) {
    let before = Instant::now();
    let read = read(&[
        ("game.yaml", file),
        ("a", "clauses: {}"),
        ("more.yaml", file),
    ]);
    let rendered = read.report.render(&read.sources, false);
    read.report.render(&read.sources, true);
    let json = serde_json::json!(read.report.documents(&read.sources));
    assert_eq!(
        json.as_array().unwrap().len(),
        read.report.diagnostics.len()
    );
    assert_eq!(rendered.is_empty(), read.report.diagnostics.is_empty());
    assert!(
        read.definition.is_some() || read.report.has_errors(),
        "no definition and no reason:\n{file}"
    );
    assert!(before.elapsed() < Duration::from_secs(10), "slow:\n{file}");
}

/// Returns the fixtures and all games.
fn rules() -> Vec<String> {
    let mut paths = fixtures("");
    let games = game_folders(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/rules")));
    paths.extend(games.unwrap().iter().map(|game| game.join("game.yaml")));
    let texts = paths
        .iter()
        .map(|path| std::fs::read_to_string(path).unwrap());
    texts.collect()
}

#[test]
fn mutated_rules_never_panic() {
    let mut random = Random::new(1);
    for text in rules() {
        for _ in 0..120 {
            survive(&mutated(&mut random, &text));
        }
    }
}

#[test]
fn noise_never_panics() {
    let mut random = Random::new(2);
    for _ in 0..3_000 {
        survive(&noise(&mut random));
        let effect = noise(&mut random).replace('\n', "\n    ");
        survive(&format!(
            "game: g\nplayers: 2\neffects:\n  play: |\n    x\n    {effect}\n"
        ));
        survive(&format!("game: g\nplayers: {}\n", noise(&mut random)));
    }
}
