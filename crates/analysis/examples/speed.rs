//! Measures games in this process: `speed SECONDS GAME...`; `speed perft PLIES GAME` counts positions.
#![allow(
    clippy::all,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::indexing_slicing,
    reason = "a tool of the bench"
)]
use std::path::Path;
use std::time::Instant;
use wyrmgate_analysis::explore::Luck;
use wyrmgate_analysis::perft::{Plan, Progress, walk};
use wyrmgate_compile::check::check;
use wyrmgate_engine::Runner;
use wyrmgate_lang::load::load_dir;
use wyrmgate_program::Program;

fn program(game: &str, seats: usize) -> Program {
    let (game, option) = game.split_once(':').unwrap_or((game, ""));
    let mut options = std::collections::BTreeMap::new();
    if let Some((name, value)) = option.split_once('=') {
        options.insert(name.to_string(), value.into());
    }
    let mut loaded = load_dir(Path::new(game)).expect("folder");
    let checked =
        check(&loaded.definition.expect("definition"), &mut loaded.report).expect("checked");
    let seats = if seats == 0 { checked.seats[0] } else { seats };
    let setup = checked.setup(seats, &options).expect("setup");
    checked.compile(&setup).expect("compiled")
}

fn cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9
}

fn cpu_all() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap();
    let parts: Vec<&str> = text.split(' ').collect();
    (parts[13].parse::<f64>().unwrap() + parts[14].parse::<f64>().unwrap()) / 100.0
}

fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let interpret = args
        .iter()
        .position(|a| a == "-i")
        .map(|at| args.remove(at))
        .is_some();
    let first = args.remove(0);
    if first == "perft" {
        let number = |at: usize| args[at].parse::<usize>().expect("a number");
        let program = program(&args[4], 0);
        let plan = Plan {
            depth: number(0) as u32,
            luck: Luck::Every,
            by_turns: false,
            information_sets: false,
            bulk: number(1) > 0,
            table: number(2),
            threads: number(3),
        };
        let before = cpu_all();
        let began = Instant::now();
        let tally = walk(&program, &plan, &Progress::default()).expect("walked");
        let (wall, spent) = (began.elapsed().as_secs_f64(), cpu_all() - before);
        let nodes: Vec<u128> = tally.plies.iter().map(|ply| ply.nodes).collect();
        let all: u128 = nodes.iter().sum();
        println!(
            "{}: {nodes:?} {wall:.2} s, {spent:.2} CPU s, {:.0} nodes/s, {:.0} nodes/CPU s",
            args[4],
            all as f64 / wall,
            all as f64 / spent
        );
        return;
    }
    let limit: f64 = first.parse().expect("seconds");
    for game in args {
        let program = program(&game, 0);
        let mut runner = Runner::new(&program).expect("runner");
        let began = Instant::now();
        if !interpret {
            runner.translate();
        }
        let translated = began.elapsed();
        let (mut steps, mut games, mut sum, mut random) =
            (0u64, 0u64, 0u64, 0x9e37_79b9_7f4a_7c15u64);
        let start = cpu();
        loop {
            let mut seed = [7u8; 32];
            seed[..8].copy_from_slice(&games.to_le_bytes());
            runner.begin(seed).expect("start");
            games += 1;
            while runner.pending().is_some() {
                let count = runner.count().expect("count");
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                let number = ((u128::from(random) * u128::from(count)) >> 64) as u64;
                sum = sum.wrapping_mul(31).wrapping_add(count);
                runner.take(number).expect("take");
                steps += 1;
            }
            if limit < 0.0 {
                if games as f64 >= -limit {
                    break;
                }
                continue;
            }
            if cpu() - start > limit {
                break;
            }
        }
        let spent = cpu() - start;
        println!(
            "{game}: {:.0} steps/cpu-s, {games} games {steps} steps, translated in {translated:?}, sum {sum:x}",
            steps as f64 / spent
        );
    }
}
