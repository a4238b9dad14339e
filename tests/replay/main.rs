//! Games that were played: recorded and played again, imagined as they might have been, and played by those who imagine.

#![cfg(test)]
#![expect(clippy::disallowed_methods, reason = "tests look at the whole game")]

mod evenness;
mod notation;
mod players;
mod records;
#[path = "../support/mod.rs"]
mod support;
mod tables;
mod told;
mod worlds;

use std::path::Path;
use std::sync::Arc;

use serde_json::Map;
use wyrmgate::bot::RandomBot;
use wyrmgate::engine::{self, Seeded, Silent, State};
use wyrmgate::imagine::{GameHistory, Made};
use wyrmgate::program::Program;
use wyrmgate::rules::{Ruleset, game_folders};

/// Returns a random game of this number of choices, as a history.
fn history(program: &Program, choices: usize) -> (State, GameHistory) {
    history_of([9; 32], program, choices)
}

fn history_of(seed: [u8; 32], program: &Program, choices: usize) -> (State, GameHistory) {
    let mut dice = RandomBot::new(3);
    let mut state = engine::start(program, seed, &mut Seeded, &mut Silent).unwrap();
    let mut history = GameHistory {
        seed,
        made: Vec::new(),
    };
    let mut held = Vec::new();
    while history.made.len() < choices {
        let owed = engine::pending(program, &state);
        let Some(first) = owed.first() else { break };
        let choice = dice.choose(program, &state, first).unwrap().unwrap();
        let made = Made {
            seat: first.seat,
            secret: first.secret,
            choice: choice.clone(),
        };
        engine::step(program, &mut state, 0, &choice, &mut Seeded, &mut Silent).unwrap();
        held.push(made);
        if !(first.secret && owed.len() > 1) {
            history.made.append(&mut held);
        }
    }
    (state, history)
}

/// Every game of `rules/`, with as few seats as it can be played by.
fn each_game(look: &mut dyn FnMut(&Program)) {
    for folder in game_folders(Path::new("rules")).unwrap() {
        let ruleset = Ruleset::from_folder(&folder).unwrap().unwrap();
        let seats = ruleset.checked.seats[0];
        look(&ruleset.program(seats, &Map::new()).unwrap());
    }
}

/// A game of the gallery, for two.
fn program(name: &str) -> Arc<Program> {
    let folder = Path::new("rules/gallery").join(name);
    let ruleset = Ruleset::from_folder(&folder).unwrap().unwrap();
    ruleset.program(2, &Map::new()).unwrap()
}

/// A game written here; `text` is all but its name and title.
fn written(text: &str) -> Arc<Program> {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("written");
    std::fs::create_dir(&game).unwrap();
    std::fs::write(
        game.join("game.yaml"),
        format!("game: written\ntitle: Written\n{text}"),
    )
    .unwrap();
    let ruleset = match Ruleset::from_folder(&game).unwrap() {
        Ok(ruleset) => ruleset,
        Err(problem) => panic!("{problem:?}\n{text}"),
    };
    let seats = ruleset.checked.seats[0];
    ruleset.program(seats, &Map::new()).unwrap()
}

/// A game of `rules/`, with as few seats as it can be played by.
fn shipped(name: &str) -> Arc<Program> {
    let folder = Path::new("rules").join(name);
    let ruleset = Ruleset::from_folder(&folder).unwrap().unwrap();
    let seats = ruleset.checked.seats[0];
    ruleset.program(seats, &Map::new()).unwrap()
}
