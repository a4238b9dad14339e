//! `wyrmgate bench --load`: measures the time from the files of a game to its first decision.

use std::time::{Duration, Instant};

use super::stopwatch::Stopwatch;
use super::{Args, Game, Stop, Verdict};
use crate::hex;
use crate::runner::Runner;
use crate::view::Stopped;

/// Minimum number of repetitions.
const TIMES_MIN: usize = 5;

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let limit = super::seconds(args.seconds)?;
    let began = Stopwatch::start();
    let mut times = Vec::new();
    while times.len() < TIMES_MIN || began.wall() < limit {
        match once(args)? {
            Ok(time) => times.push(time),
            Err((game, stopped)) => {
                let again = args.game.again("bench", &game.program).bare("--load");
                let again = again.flag("--seed", hex::encode(&args.seed.0));
                game.case(&args.game, &stopped, again).print(args.json);
                return Ok(Verdict::Problems);
            }
        }
    }
    let count = times.len();
    let cpu = began.read().cpu.map(|cpu| cpu * 1e3 / count as f64);
    times.sort_unstable();
    let at = |number: usize| {
        times
            .get(number)
            .map_or(0.0, |time| time.as_secs_f64() * 1e3)
    };
    let (least, median, most) = (at(0), at(times.len() / 2), at(times.len() - 1));
    let game = &args.game.game;
    if args.json {
        say_json!({
            "game": game,
            "loads": count,
            "milliseconds": {"least": least, "median": median, "most": most},
            "cpu_milliseconds": {"mean": cpu},
        });
    } else {
        say!("{game}, from the files to a running game, {count} times");
        say!("{median:>12.2} ms (min {least:.2}, max {most:.2})");
        if let Some(cpu) = cpu {
            say!("{cpu:>12.2} ms CPU time (mean)");
        }
    }
    Ok(Verdict::Good)
}

/// Returns how long it took, or the game that stopped at once.
fn once(args: &Args) -> Result<Result<Duration, (Game, Stopped)>, Stop> {
    let began = Instant::now();
    let game = args.game.load()?;
    let begun = Runner::new(&game.program).and_then(|mut runner| runner.begin(args.seed.0));
    Ok(match begun {
        Ok(()) => Ok(began.elapsed()),
        Err(fault) => Err((game, fault.into())),
    })
}
