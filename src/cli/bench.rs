//! `wyrmgate bench`: measures random games on one core.

#[cfg(feature = "native")]
mod interpreted;
mod load;
mod profile;
mod stopwatch;

use std::ops::ControlFlow;
use std::time::Duration;

use serde_json::json;

use super::report::CommandReport;
use super::setup::{self, Game, GameArgs, Seed};
use super::{Stop, Verdict};
use stopwatch::{Stopwatch, Time};

use crate::bot::RandomBot;
use crate::diagnostic::{FileId, Sources};
use crate::engine::{self, Choice, Fault, Pending};
use crate::hex;
use crate::program::Program;
use crate::runner::Runner;
use crate::view::Stopped;

const EXAMPLES: &str = "\
Examples:
  wyrmgate bench my-game
  wyrmgate bench my-game --seconds 10 --seats 4 --json
  wyrmgate bench my-game --profile                  which lines of the rules take the time
  wyrmgate bench my-game --interpreted              which lines machine code leaves to the interpreter
  wyrmgate bench my-game --load                     how long from the files to a running game

The measurement runs on one thread. Seconds are wall-clock time. CPU seconds are user and system time of this thread:
compare these if other programs use the same cores.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Duration of the measurement
    #[arg(long, default_value_t = 3.0, value_name = "SECONDS")]
    seconds: f64,
    /// Play this number of games instead
    #[arg(long, value_name = "N", conflicts_with = "seconds")]
    playouts: Option<u64>,
    /// Seed: a number or 64 hexadecimal digits. The same seed plays the same games
    #[arg(long, default_value = "1", value_parser = setup::seed)]
    seed: Seed,
    /// Enumerate all legal choices at every step, as a client that lists them does
    #[arg(long)]
    list: bool,
    /// Measure the time to load a game instead: read, check, compile, start
    #[arg(long, conflicts_with_all = ["playouts", "list"])]
    load: bool,
    /// Measure the time of each line of the rules instead, without machine code
    #[arg(long, conflicts_with_all = ["list", "load"])]
    profile: bool,
    /// List the lines of the rules that machine code leaves to the interpreter instead of measuring
    #[cfg(feature = "native")]
    #[arg(long, conflicts_with_all = ["playouts", "list", "load", "profile"])]
    interpreted: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// The counters of a measurement.
#[derive(Debug, Default, Clone, Copy)]
struct Count {
    playouts: u64,
    steps: u64,
    choices: u64,
}

/// A line of the rules.
struct RulesLine<'s> {
    file: &'s str,
    number: usize,
    text: &'s str,
}

impl<'s> RulesLine<'s> {
    fn of(sources: &'s Sources, file: FileId, number: usize) -> RulesLine<'s> {
        let source = sources.get(file);
        let text = source.and_then(|source| source.text.lines().nth(number.checked_sub(1)?));
        RulesLine {
            file: source.map_or("", |source| &source.path),
            number,
            text: text.unwrap_or_default().trim(),
        }
    }
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    if args.load {
        return load::run(args);
    }
    if args.profile {
        return profile::run(args);
    }
    #[cfg(feature = "native")]
    if args.interpreted {
        return interpreted::run(args);
    }
    let game = args.game.load()?;
    let program = &game.program;
    let limit = seconds(args.seconds)?;
    let mut bench = match Runner::new(program) {
        Ok(runner) => Bench {
            program,
            runner,
            bot: RandomBot::for_game(&args.seed.0),
            list: args.list,
            count: Count::default(),
        },
        Err(fault) => return Ok(stopped(args, &game, &fault.into(), 1)),
    };
    // Otherwise it would happen at some time during the measurement.
    #[cfg(feature = "native")]
    bench.runner.translate();
    let began = Stopwatch::start();
    while bench.goes_on(args.playouts, || began.wall() < limit) {
        let seed = numbered(args.seed.0, bench.count.playouts);
        bench.count.playouts += 1;
        if let Err(error) = bench.play(seed) {
            return Ok(stopped(args, &game, &error, bench.count.playouts));
        }
    }
    let measured = Measured {
        program,
        count: bench.count,
        given_up: bench.runner.moves_given_up(),
        time: began.read(),
    };
    measured.print(args.json);
    Ok(Verdict::Good)
}

fn seconds(seconds: f64) -> Result<Duration, Stop> {
    Duration::try_from_secs_f64(seconds).map_err(|_| {
        Stop::usage(format!(
            "--seconds {seconds}: use a positive number of seconds"
        ))
    })
}

/// Reports a stopped game. The playouts of a seed are always the same, one after the other.
fn stopped(args: &Args, game: &Game, stopped: &Stopped, playouts: u64) -> Verdict {
    let again = args.game.again("bench", &game.program);
    let again = again.flag("--seed", hex::encode(&args.seed.0));
    let again = again.flag("--playouts", playouts).set("--list", args.list);
    let mut case = game.case(&args.game, stopped, again);
    case.which = format!("playout {playouts}, {}", case.which);
    case.print(args.json);
    Verdict::Problems
}

/// Number of playouts between readings of the clock, because the smallest take less than a microsecond.
const ROUND: u64 = 8;

/// Returns the seed of a playout. Nothing secret depends on it.
fn numbered(mut seed: [u8; 32], number: u64) -> [u8; 32] {
    for (byte, of_number) in seed.iter_mut().zip(number.to_le_bytes()) {
        *byte ^= of_number;
    }
    seed
}

/// The games of a measurement.
struct Bench<'p> {
    program: &'p Program,
    runner: Runner<'p>,
    bot: RandomBot,
    /// Whether to enumerate all choices at every step.
    list: bool,
    count: Count,
}

impl Bench<'_> {
    fn goes_on(&self, playouts: Option<u64>, has_time: impl FnOnce() -> bool) -> bool {
        let played = self.count.playouts;
        match playouts {
            Some(playouts) => played < playouts,
            None => !played.is_multiple_of(ROUND) || played == 0 || has_time(),
        }
    }

    /// Plays one game.
    fn play(&mut self, seed: [u8; 32]) -> Result<(), Box<Stopped>> {
        self.runner.begin(seed)?;
        let before = self.count.steps;
        while let Some(pending) = self.runner.pending() {
            let decisions = u32::try_from(self.count.steps - before).unwrap_or(u32::MAX);
            if decisions >= self.program.identity.bound {
                return Err(Stopped::unbounded(self.program, self.runner.state()).into());
            }
            self.step(&pending)
                .map_err(|stopped| Box::new(stopped.after(decisions)))?;
        }
        Ok(())
    }

    #[inline]
    fn step(&mut self, pending: &Pending) -> Result<(), Box<Stopped>> {
        let choices = self.runner.count()?;
        if choices == 0 {
            return Err(Stopped::stuck(self.program, self.runner.state()).into());
        }
        if self.list {
            self.visit_all(pending)?;
        }
        self.runner.take(self.bot.below(choices))?;
        self.count.steps += 1;
        self.count.choices += choices;
        Ok(())
    }

    /// Visits every choice. Where a name can stand for several members, the choices have to be described one by one.
    fn visit_all(&mut self, pending: &Pending) -> Result<(), Fault> {
        if self.runner.each_choice(&mut |option, values| {
            std::hint::black_box((option, values));
        })? {
            return Ok(());
        }
        let (program, state) = (self.program, self.runner.state());
        engine::for_each_choice(program, state, pending, &mut |choice: &Choice| {
            std::hint::black_box(choice);
            ControlFlow::Continue(())
        })
    }
}

struct Measured<'p> {
    program: &'p Program,
    count: Count,
    /// Moves that machine code has begun and given up.
    given_up: u64,
    time: Time,
}

impl Measured<'_> {
    fn per_second(&self, number: u64) -> f64 {
        number as f64 / self.time.wall
    }

    /// Returns the rate per CPU second, if the system reports the CPU time of this thread.
    fn per_cpu_second(&self, number: u64) -> Option<f64> {
        self.time.cpu.map(|seconds| number as f64 / seconds)
    }

    fn decisions_per_playout(&self) -> f64 {
        self.count.steps as f64 / self.count.playouts.max(1) as f64
    }
}

impl CommandReport for Measured<'_> {
    fn json(&self) -> serde_json::Value {
        json!({
            "game": self.program.name(),
            "seats": self.program.seats,
            "seconds": self.time.wall,
            "cpu_seconds": self.time.cpu,
            "playouts": self.count.playouts,
            "steps": self.count.steps,
            "choices": self.count.choices,
            "moves_given_up": self.given_up,
            "decisions_per_playout": self.decisions_per_playout(),
            "playouts_per_second": self.per_second(self.count.playouts),
            "steps_per_second": self.per_second(self.count.steps),
            "playouts_per_cpu_second": self.per_cpu_second(self.count.playouts),
            "steps_per_cpu_second": self.per_cpu_second(self.count.steps),
        })
    }

    fn text(&self) -> String {
        let (game, seats) = (self.program.name(), self.program.seats);
        let mut lines = vec![format!("{game}, {seats} seats, one thread, {}", self.time)];
        for (what, number) in [
            ("steps", self.count.steps),
            ("playouts", self.count.playouts),
            ("choices", self.count.choices),
        ] {
            let by_cpu = self.per_cpu_second(number);
            let by_cpu =
                by_cpu.map_or(String::new(), |rate| format!("{rate:>14.0} per CPU second"));
            let rate = self.per_second(number);
            lines.push(format!("{rate:>12.0} {what:<8} per second{by_cpu}"));
        }
        let decisions = self.decisions_per_playout();
        lines.push(format!("{decisions:>12.1} decisions per playout"));
        if self.given_up > 0 {
            let given_up = self.given_up as f64 / self.count.playouts.max(1) as f64;
            lines.push(format!(
                "{given_up:>12.2} moves per playout that machine code gave up and the interpreter played"
            ));
        }
        lines.join("\n") + "\n"
    }
}
