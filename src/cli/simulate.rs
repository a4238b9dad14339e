//! `wyrmgate simulate`: many games at random, and what they tell.

use std::fs;
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Map, Value};

use super::setup::{self, Game, GameArgs, Seed};
use super::{Stop, Verdict};
use crate::bot::Bot;
use crate::program::Program;
use crate::simulate::{self, Plan, Played, Summary};
use crate::statistics::Share;

const EXAMPLES: &str = "\
Examples:
  wyrmgate simulate my-game -n 1000
  wyrmgate simulate my-game -n 1000 --seats 4 --option blocks=3 --seed 7
  wyrmgate simulate my-game -n 100 --records games --json
  wyrmgate simulate my-game -n 100 --players search-2,random

Every seat chooses at random, unless `--players` names built-in players, one for each seat: random, greedy (the best
score one step on), search-1, search-2 and search-3 (search, by budget). They change seats from game to game. A player that finds no world to think in takes any of its choices; how often that
was is told (`blind` of `thoughts`). The same seed gives the same games, on any number of threads. The intervals are
Wilson's, at the 95 % level. The exit code is 1 if a game did not come to its end.";

/// The longest bar of the histogram, in characters.
const BAR_WIDTH: u64 = 40;

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// How many games
    #[arg(short = 'n', long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// A number or 64 hexadecimal digits; a new one is drawn, and printed, if not stated
    #[arg(long, value_parser = setup::seed)]
    seed: Option<Seed>,
    /// Built-in players, one for each seat
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    players: Vec<Bot>,
    /// Games at once; as many as there are cores, if not stated
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Keep a record of every game in this folder
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let mut game = args.game.clone();
    if !args.players.is_empty() {
        game.seats = game.seats.or(Some(args.players.len()));
    }
    let Game { program, options } = game.load()?;
    if !args.players.is_empty() && args.players.len() != program.seats {
        return Err(Stop::usage("name one player for each seat"));
    }
    let plan = plan(args, options)?;
    if let Some(folder) = &args.records {
        fs::create_dir_all(folder)?;
    }
    let progress = progress_bar(plan.games);
    let mut written = Ok(());
    let summary = simulate::run(&program, &plan, &mut |played| {
        progress.inc(1);
        if let (Some(folder), true) = (&args.records, written.is_ok()) {
            written = write_record(folder, &program, played);
        }
    });
    progress.finish_and_clear();
    written?;
    if args.json {
        say!(
            "{}",
            serde_json::to_string(&summary).map_err(Stop::failure)?
        );
    } else {
        say_on!("{}", text_of(&summary));
    }
    Ok(Verdict::good_if(summary.failed == 0))
}

fn plan(args: &Args, options: Map<String, Value>) -> Result<Plan, Stop> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Ok(Plan {
        games: args.games,
        seed: match &args.seed {
            Some(seed) => seed.0,
            None => setup::fresh_seed()?,
        },
        threads: args.threads.unwrap_or(cores),
        players: args.players.clone(),
        records: args.records.is_some().then_some(options),
    })
}

/// On standard error, and only where somebody looks.
fn progress_bar(games: u64) -> ProgressBar {
    let bar = ProgressBar::new(games);
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} games, {per_sec}, {eta} left");
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// `cliff-race-000001.json`
fn write_record(folder: &Path, program: &Program, played: &Played) -> Result<(), Stop> {
    let Some(record) = &played.record else {
        return Ok(());
    };
    let file = folder.join(format!("{}-{:06}.json", program.name(), played.number));
    let text = serde_json::to_string(record).map_err(Stop::failure)?;
    fs::write(&file, text + "\n")
        .map_err(|error| Stop::Failure(format!("cannot write {}: {error}", file.display())))
}

fn text_of(summary: &Summary) -> String {
    let mut lines = vec![
        format!(
            "{}, {} seats, {} games, seed {}",
            summary.game, summary.seats, summary.games, summary.seed
        ),
        String::new(),
        "wins".into(),
    ];
    for wins in &summary.wins {
        lines.push(format!("  seat {}  {}", wins.seat, share(&wins.share)));
    }
    for wins in &summary.players {
        let blind = match wins.blind {
            0 => String::new(),
            blind => format!("  ({blind} of {} decisions without a world)", wins.thoughts),
        };
        lines.push(format!(
            "  {:<9} {}{blind}",
            wins.player.name(),
            share(&wins.share)
        ));
    }
    lines.push(format!("  drawn   {}", share(&summary.drawn)));
    lines.extend(length_lines(summary));
    if summary.failed > 0 {
        lines.push(String::new());
        lines.push(format!(
            "{} games did not come to their end",
            summary.failed
        ));
    }
    for failure in &summary.failures {
        lines.push(format!(
            "  game {} (seed {}): {}",
            failure.game, failure.seed, failure.reason
        ));
    }
    lines.join("\n") + "\n"
}

/// ` 51.2 %  (48.1 % to 54.3 %)`
fn share(share: &Share) -> String {
    let percent = |part: f64| part * 100.0;
    format!(
        "{:>5.1} %  ({:.1} % to {:.1} %)",
        percent(share.share),
        percent(share.low),
        percent(share.high)
    )
}

fn length_lines(summary: &Summary) -> Vec<String> {
    let length = &summary.length;
    let mut lines = vec![
        String::new(),
        format!(
            "length in decisions: mean {:.1}, median {}, half of all {} to {}, 95 % at most {}, extremes {} and {}",
            length.mean,
            length.median,
            length.lower_quartile,
            length.upper_quartile,
            length.p95,
            length.least,
            length.most
        ),
    ];
    let most = summary
        .lengths
        .iter()
        .map(|bar| bar.games)
        .max()
        .unwrap_or(1)
        .max(1);
    for bar in &summary.lengths {
        let width = (bar.games * BAR_WIDTH).div_ceil(most) as usize;
        lines.push(format!(
            "  {:>6} to {:>6}  {:>7}  {}",
            bar.from,
            bar.to,
            bar.games,
            "█".repeat(width)
        ));
    }
    lines
}
