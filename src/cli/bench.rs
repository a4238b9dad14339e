//! `wyrmgate bench`: random games on one core, all choices enumerated at every step.

mod load;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use serde_json::json;

use super::setup::{self, GameArgs, Seed};
use super::{Stop, Verdict};
use crate::bot::RandomBot;
use crate::engine::{self, Choice, Fault, Pending, Runner};
use crate::program::Program;

const EXAMPLES: &str = "\
Examples:
  wyrmgate bench my-game
  wyrmgate bench my-game --seconds 10 --seats 4 --json
  wyrmgate bench my-game --load                     how long from the files to a running game";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// How long to play
    #[arg(long, default_value_t = 3.0, value_name = "SECONDS")]
    seconds: f64,
    /// Play exactly so many games instead
    #[arg(long, value_name = "N", conflicts_with = "seconds")]
    playouts: Option<u64>,
    /// A number or 64 hexadecimal digits; the same seed plays the same games
    #[arg(long, default_value = "1", value_parser = setup::seed)]
    seed: Seed,
    /// Also visit every single choice at every step, as a client that lists them does
    #[arg(long)]
    list: bool,
    /// Measure instead how long it takes from the files to a game that runs: read, checked, compiled, begun
    #[arg(long, conflicts_with_all = ["playouts", "list"])]
    load: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// What was counted.
#[derive(Debug, Default, Clone, Copy)]
struct Count {
    playouts: u64,
    steps: u64,
    choices: u64,
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    if args.load {
        return load::run(args);
    }
    let program = args.game.load()?.program;
    let limit = Duration::try_from_secs_f64(args.seconds).map_err(Stop::usage)?;
    let mut runner = Runner::new(&program).map_err(Stop::failure)?;
    let mut bot = RandomBot::for_game(&args.seed.0);
    let began = Instant::now();
    let mut count = Count::default();
    while match args.playouts {
        Some(playouts) => count.playouts < playouts,
        None => count.playouts % ROUND != 0 || count.playouts == 0 || began.elapsed() < limit,
    } {
        let seed = numbered(args.seed.0, count.playouts);
        count.playouts += 1;
        play(&program, &mut runner, seed, &mut bot, args.list, &mut count)
            .map_err(Stop::failure)?;
    }
    let measured = Measured {
        program: &program,
        count,
        seconds: began.elapsed().as_secs_f64(),
    };
    if args.json {
        say!("{}", measured.json());
    } else {
        measured.print();
    }
    Ok(Verdict::Good)
}

/// The clock is read only after so many playouts: the smallest take less than a microsecond.
const ROUND: u64 = 8;

/// Every playout has a seed of its own; nothing secret depends on it.
fn numbered(mut seed: [u8; 32], number: u64) -> [u8; 32] {
    for (byte, of_number) in seed.iter_mut().zip(number.to_le_bytes()) {
        *byte ^= of_number;
    }
    seed
}

/// One game; at every step all choices are enumerated, then one of them is taken.
fn play(
    program: &Program,
    runner: &mut Runner<'_>,
    seed: [u8; 32],
    bot: &mut RandomBot,
    list: bool,
    count: &mut Count,
) -> Result<(), Fault> {
    runner.begin(seed)?;
    while let Some(pending) = runner.pending() {
        let choices = runner.count()?;
        if list {
            visit_all(program, runner, &pending)?;
        }
        runner.take(bot.below(choices))?;
        count.steps += 1;
        count.choices += choices;
    }
    Ok(())
}

fn visit_all(program: &Program, runner: &Runner<'_>, pending: &Pending) -> Result<(), Fault> {
    engine::for_each_choice(program, runner.state(), pending, &mut |choice: &Choice| {
        std::hint::black_box(choice);
        ControlFlow::Continue(())
    })
}

struct Measured<'p> {
    program: &'p Program,
    count: Count,
    seconds: f64,
}

impl Measured<'_> {
    fn per_second(&self, number: u64) -> f64 {
        number as f64 / self.seconds
    }

    fn decisions_per_playout(&self) -> f64 {
        self.count.steps as f64 / self.count.playouts.max(1) as f64
    }

    fn json(&self) -> serde_json::Value {
        json!({
            "game": self.program.name(),
            "seats": self.program.seats,
            "seconds": self.seconds,
            "playouts": self.count.playouts,
            "steps": self.count.steps,
            "choices": self.count.choices,
            "decisions_per_playout": self.decisions_per_playout(),
            "playouts_per_second": self.per_second(self.count.playouts),
            "steps_per_second": self.per_second(self.count.steps),
        })
    }

    fn print(&self) {
        let (game, seats) = (self.program.name(), self.program.seats);
        say!("{game}, {seats} seats, one core, {:.1} s", self.seconds);
        say!("{:>12.0} steps a second", self.per_second(self.count.steps));
        say!(
            "{:>12.0} playouts a second",
            self.per_second(self.count.playouts)
        );
        say!(
            "{:>12.0} choices a second",
            self.per_second(self.count.choices)
        );
        say!("{:>12.1} decisions a playout", self.decisions_per_playout());
    }
}
