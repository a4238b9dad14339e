//! Random playouts per CPU second: the engine compared with hand-written Rust, one line of JSON per game.
//!
//! `cargo bench --bench peers` runs all games; `cargo bench --bench peers -- pig 5` runs one game (or `all`), five
//! seconds with each. `benches/peers/run` compares these numbers with those of other engines.
//!
//! A playout is one game from its start to its end. At every decision all legal choices are enumerated and one of them is
//! drawn. The hand-written games keep a board in an array and a list of moves, as one would write a single game, without
//! tricks; they are the limit, not the goal.

#![expect(
    clippy::indexing_slicing,
    reason = "the hand-written games are written as one would write them"
)]

mod baseline;
mod clock;

use std::hint::black_box;
use std::path::Path;

use serde_json::{Map, json};
use wyrmgate::bot::RandomBot;
use wyrmgate::program::Program;
use wyrmgate::rules::Ruleset;
use wyrmgate::runner::Runner;

use baseline::{BASELINES, Playout, Random};
use clock::cpu_seconds;

const SECONDS: f64 = 2.0;

fn main() {
    // Cargo passes `--bench`.
    let args: Vec<String> = std::env::args()
        .skip(1)
        .filter(|arg| !arg.starts_with("--"))
        .collect();
    let wanted = args.first().filter(|wanted| *wanted != "all");
    let seconds = args
        .get(1)
        .and_then(|text| text.parse().ok())
        .unwrap_or(SECONDS);
    for (game, playout) in BASELINES {
        if wanted.is_some_and(|wanted| wanted != game) {
            continue;
        }
        let Some(program) = program(game) else {
            println!(
                "{}",
                json!({"game": game, "error": "its rules have errors"})
            );
            continue;
        };
        let ours = engine(&program, seconds);
        let limit = by_hand(*playout, seconds);
        println!(
            "{}",
            json!({
                "game": game,
                "wyrmgate": ours.0,
                "by_hand": limit.0,
                "decisions": ours.1,
                "decisions_by_hand": limit.1,
            })
        );
    }
}

fn program(game: &str) -> Option<Program> {
    let gallery = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/gallery");
    let ruleset = Ruleset::from_folder(&gallery.join(game)).ok()?.ok()?;
    let program = ruleset.program(2, &Map::new()).ok()?;
    Some(Program::clone(&program))
}

/// Playouts per CPU second, and decisions per playout.
type Rate = (f64, f64);

/// Plays until the time is up; `playout` returns the number of its decisions.
fn rate(seconds: f64, mut playout: impl FnMut() -> u64) -> Rate {
    let began = cpu_seconds();
    let (mut games, mut decisions) = (0u64, 0u64);
    loop {
        for _ in 0..64 {
            decisions += playout();
            games += 1;
        }
        let spent = cpu_seconds() - began;
        if spent >= seconds {
            let games = games as f64;
            return (games / spent, decisions as f64 / games);
        }
    }
}

fn by_hand(playout: Playout, seconds: f64) -> Rate {
    let mut random = Random::new(1);
    rate(seconds, || black_box(playout(&mut random)))
}

/// Measures the engine: one game after the other in the same memory, with all choices enumerated and one taken by its
/// number.
fn engine(program: &Program, seconds: f64) -> Rate {
    let Ok(mut runner) = Runner::new(program) else {
        return (0.0, 0.0);
    };
    let mut bot = RandomBot::new(1);
    let mut number = 0u64;
    rate(seconds, || {
        number += 1;
        playout(&mut runner, seed(number), &mut bot).unwrap_or_default()
    })
}

/// Returns the seed of a playout; nothing secret depends on it.
fn seed(number: u64) -> [u8; 32] {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    seed
}

fn playout(runner: &mut Runner<'_>, seed: [u8; 32], bot: &mut RandomBot) -> Option<u64> {
    runner.begin(seed).ok()?;
    let mut decisions = 0;
    while runner.pending().is_some() {
        let count = runner.count().ok()?;
        runner.take(bot.below(count)).ok()?;
        decisions += 1;
    }
    Some(decisions)
}
