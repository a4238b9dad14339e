//! `wyrmgate bench --load`: from the files of a game to its first decision.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{Args, Stop, Verdict};
use crate::engine::Runner;

/// So many times at least, however long one takes.
const TIMES_MIN: usize = 5;

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let limit = Duration::try_from_secs_f64(args.seconds).map_err(Stop::usage)?;
    let began = Instant::now();
    let mut times = Vec::new();
    while times.len() < TIMES_MIN || began.elapsed() < limit {
        times.push(once(args)?);
    }
    times.sort_unstable();
    let at = |number: usize| {
        times
            .get(number)
            .map_or(0.0, |time| time.as_secs_f64() * 1e3)
    };
    let (least, median, most) = (at(0), at(times.len() / 2), at(times.len() - 1));
    let (game, count) = (&args.game.game, times.len());
    if args.json {
        say!(
            "{}",
            json!({
                "game": game,
                "loads": count,
                "milliseconds": {"least": least, "median": median, "most": most},
            })
        );
    } else {
        say!("{game}, from the files to a running game, {count} times");
        say!("{median:>12.2} ms (least {least:.2}, most {most:.2})");
    }
    Ok(Verdict::Good)
}

fn once(args: &Args) -> Result<Duration, Stop> {
    let began = Instant::now();
    let program = args.game.load()?.program;
    let mut runner = Runner::new(&program).map_err(Stop::failure)?;
    runner.begin(args.seed.0).map_err(Stop::failure)?;
    Ok(began.elapsed())
}
