//! How often worlds are found, and what they cost, by how far a game has come: random games of every shipped game, looked
//! at by the seat that is to move.
//!
//!     cargo bench --bench worlds -- [--games N] [--seats N] [--every N] [NAME …]
//!
//! `fresh`: one world from nothing, as a node without a memory makes it. `taken further`: eight worlds, as a player at a
//! table keeps them.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a benchmark may stop at the first surprise"
)]

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Map;
use wyrmgate::bot::RandomBot;
use wyrmgate::engine::{self, Seeded, Silent};
use wyrmgate::imagine::{Imagination, Made};
use wyrmgate::program::Program;
use wyrmgate::rules::{Ruleset, game_folders};
use wyrmgate::simulate::seed_of_game;

const KEPT: usize = 8;
/// Number of decisions in one bucket.
const BUCKET: usize = 25;

struct Plan {
    games: u64,
    seats: Option<usize>,
    every: usize,
    names: Vec<String>,
}

#[derive(Clone, Copy, Default)]
struct Row {
    tried: u32,
    found: u32,
    time: Duration,
    kept_tried: u32,
    kept: u32,
    kept_time: Duration,
}

fn main() {
    let plan = plan();
    for folder in game_folders(Path::new("rules")).unwrap() {
        let ruleset = Ruleset::from_folder(&folder).unwrap().unwrap();
        let seats = plan.seats.unwrap_or(ruleset.checked.seats[0]);
        let Ok(program) = ruleset.program(seats, &Map::new()) else {
            continue;
        };
        if plan.names.is_empty() || plan.names.contains(&program.name()) {
            measure(&plan, &program);
        }
    }
}

fn plan() -> Plan {
    let mut plan = Plan {
        games: 3,
        seats: None,
        every: 5,
        names: Vec::new(),
    };
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    while let Some(word) = words.next() {
        let mut number = || words.next().and_then(|word| word.parse().ok()).unwrap_or(1);
        match word.as_str() {
            "--games" => plan.games = number(),
            "--seats" => plan.seats = Some(number() as usize),
            "--every" => plan.every = number() as usize,
            _ => plan.names.push(word),
        }
    }
    plan
}

fn measure(plan: &Plan, program: &Program) {
    let mut rows: Vec<Row> = Vec::new();
    for number in 1..=plan.games {
        play(plan, program, seed_of_game(&[1; 32], number), &mut rows);
    }
    println!("{} ({} seats)", program.name(), program.seats);
    for (at, row) in rows.iter().enumerate().filter(|(_, row)| row.tried > 0) {
        let mean = |time: Duration, count: u32| time.as_secs_f64() * 1e3 / f64::from(count.max(1));
        println!(
            "  {:>4}…  fresh {:>3} of {:>3}, {:>7.2} ms   taken further {:>4} of {:>4}, {:>7.2} ms",
            at * BUCKET,
            row.found,
            row.tried,
            mean(row.time, row.tried),
            row.kept,
            row.kept_tried,
            mean(row.kept_time, row.tried),
        );
    }
}

fn play(plan: &Plan, program: &Program, seed: [u8; 32], rows: &mut Vec<Row>) {
    let mut bot = RandomBot::for_game(&seed);
    let mut state = engine::start(program, seed, &mut Seeded, &mut Silent).unwrap();
    let begin = |seat| Imagination::begin(program, seed, seat as u8).unwrap();
    let mut minds: Vec<Imagination<'_>> = (0..program.seats).map(begin).collect();
    let (mut known, mut held): (Vec<Made>, Vec<Made>) = Default::default();
    while let Some(owed) = engine::pending(program, &state).first().copied() {
        let mind = &mut minds[usize::from(owed.seat)];
        for made in known.iter().skip(mind.choices()) {
            mind.observe(made).unwrap();
        }
        if known.len() % plan.every == 0 {
            look(mind, known.len(), &mut bot, rows);
        }
        let choice = bot.choose(program, &state, &owed).unwrap().unwrap();
        let open = engine::pending(program, &state).len();
        engine::step(
            program,
            &mut state,
            owed.index,
            &choice,
            &mut Seeded,
            &mut Silent,
        )
        .unwrap();
        held.push(Made {
            seat: owed.seat,
            secret: owed.secret,
            choice,
        });
        if !(owed.secret && open > 1) {
            known.append(&mut held);
        }
    }
}

fn look(mind: &mut Imagination<'_>, choices: usize, bot: &mut RandomBot, rows: &mut Vec<Row>) {
    let at = choices / BUCKET;
    if rows.len() <= at {
        rows.resize(at + 1, Row::default());
    }
    let row = &mut rows[at];
    let begun = Instant::now();
    row.tried += 1;
    row.found += u32::from(mind.world(bot.dice()).is_some());
    row.time += begun.elapsed();
    let begun = Instant::now();
    row.kept_tried += KEPT as u32;
    row.kept += mind.worlds(KEPT, bot.dice()).len() as u32;
    row.kept_time += begun.elapsed();
}
