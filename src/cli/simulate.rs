//! `wyrmgate simulate`: plays many random games and reports statistics.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use serde_json::{Map, Value, json};

use super::bars::bar_lines;
use super::progress::{progress_bar, progress_line};
use super::report::CommandReport;
use super::setup::{self, Game, GameArgs, Seed, ThreadsArg};
use super::stopped::{Case, merge};
use super::stopped_games::{StoppedGames, failure_json};
use super::{Stop, Verdict, interrupt, page};
use crate::bot::Bot;
use crate::program::Program;
use crate::simulate::{self, Failure, PartialSimulation, Plan, SimulatedGame, Summary};
use crate::statistics::Share;

const EXAMPLES: &str = "\
Examples:
  wyrmgate simulate my-game -n 1000
  wyrmgate simulate my-game -n 1000 --seats 4 --option blocks=3 --seed 7
  wyrmgate simulate my-game -n 100 --records games --json
  wyrmgate simulate my-game --seed 7 --game 431 --records games
  wyrmgate simulate my-game -n 100 --players search-2,random
  wyrmgate simulate my-game --html report.html
  wyrmgate simulate my-game --precision 1 --seconds 60

Seats choose at random unless `--players` names one bot per seat: random, greedy (maximizes the score one step ahead), \
search-1, search-2 and search-3 (search with growing budgets). Bots change seats from game to game. A search bot that \
finds no consistent world chooses at random; the report counts these decisions (`blind` of `thoughts`). The same seed \
gives the same games on any number of threads. Intervals are Wilson's, at the 95 % level.

If games stop before their end, each cause is reported once, with its place in the rules and a command that replays the \
first such game. The record of such a game ends with the choice at which it stopped. The exit code is then 1, as it is if the \
run was interrupted or out of time.";

/// Number of games before the precision is looked at for the first time.
const FIRST_PART: u64 = 100;
/// Maximum number of games for a precision.
const MOST: u64 = 1_000_000_000;

fn points(text: &str) -> Result<f64, String> {
    let points = text
        .parse()
        .ok()
        .filter(|points| (0.01..=50.0).contains(points));
    points.ok_or_else(|| "use a number from 0.01 to 50".to_owned())
}

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Number of games
    #[arg(short = 'n', long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Stop after this time and report the results so far
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    seconds: Option<u64>,
    /// Play as many games as the shares of wins need to be this exact, in points of a percent
    #[arg(long, value_name = "POINTS", conflicts_with = "games", value_parser = points)]
    precision: Option<f64>,
    /// Play only the game with this number in the run
    #[arg(long = "game", value_name = "N", conflicts_with_all = ["games", "precision"], requires = "seed", value_parser = clap::value_parser!(u64).range(1..))]
    only: Option<u64>,
    /// Seed: a number or 64 hexadecimal digits [default: random, printed]
    #[arg(long, value_parser = setup::seed)]
    seed: Option<Seed>,
    /// Bots, one per seat
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    players: Vec<Bot>,
    #[command(flatten)]
    threads: ThreadsArg,
    /// Write a record of every game to this folder
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,
    /// Write a report with charts to this HTML file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let mut game = args.game.clone();
    if !args.players.is_empty() {
        game.seats = game.seats.or(Some(args.players.len()));
    }
    let loaded = game.load()?;
    let program = &loaded.program;
    if !args.players.is_empty() && args.players.len() != program.seats {
        return Err(Stop::usage("name one bot per seat"));
    }
    let plan = plan(args, &loaded.options)?;
    if let Some(folder) = &args.records {
        fs::create_dir_all(folder).map_err(|error| setup::unwritable(folder, &error))?;
    }
    let stop = interrupt::flag_within(args.seconds)?;
    let is_stopped = || stop.load(Ordering::Relaxed);
    let progress = match args.precision {
        Some(_) => progress_line("games"),
        None => progress_bar(plan.games, "games"),
    };
    let mut written = Ok(());
    let mut times = ThinkingTimes::default();
    let mut course = PartialSimulation::new(program, plan);
    let mut part = args.precision.map_or(u64::MAX, |_| FIRST_PART);
    let enough = args.precision.map(|points| points / 100.0);
    let is_exact = |course: &PartialSimulation| enough.is_some_and(|of| course.imprecision() <= of);
    while !(course.is_over() || is_stopped() || is_exact(&course)) {
        course.play(program, part, is_stopped, &mut |played| {
            progress.inc(1);
            times.add(played);
            if let (Some(folder), true) = (&args.records, written.is_ok()) {
                written = write_record(folder, program, played);
            }
        });
        part = course.played() / 4; // at most a quarter more games than needed
    }
    progress.finish_and_clear();
    written?;
    let summary = course.summary(program);
    let is_cut = is_stopped() && !course.is_over() && !is_exact(&course);
    let report = Report {
        args,
        game: &game,
        loaded: &loaded,
        summary: &summary,
        times: &times.sorted(),
    };
    report.print(args.json);
    if let Some(file) = &args.html {
        let title = format!("{}: {} games", summary.game, summary.games);
        page::write(file, &title, &simulate::svg(&summary), &report.text())?;
    }
    if is_cut {
        complain!("stopped after {} games", summary.games);
    }
    Ok(Verdict::good_if(summary.failures.is_empty() && !is_cut))
}

struct Report<'a> {
    args: &'a Args,
    game: &'a GameArgs,
    loaded: &'a Game,
    summary: &'a Summary,
    times: &'a ThinkingTimes,
}

/// By bot: the CPU time of each search in microseconds. No part of the summary, which is the same whenever the games are
/// played again.
#[derive(Default)]
struct ThinkingTimes(BTreeMap<&'static str, Vec<u32>>);

impl ThinkingTimes {
    fn add(&mut self, played: &SimulatedGame) {
        for (bot, thoughts) in played.seated.iter().zip(&played.thoughts) {
            let times = self.0.entry(bot.name()).or_default();
            times.extend_from_slice(&thoughts.times);
        }
    }

    fn sorted(mut self) -> ThinkingTimes {
        self.0.retain(|_, times| !times.is_empty());
        self.0.values_mut().for_each(|times| times.sort_unstable());
        self
    }

    /// Returns for each bot its name and the milliseconds that half and 99 % of its searches take at most.
    fn ms(&self) -> impl Iterator<Item = (&'static str, f64, f64)> {
        self.0.iter().map(|(bot, times)| {
            let within = |percent: usize| {
                let time = times.get((times.len() * percent).div_ceil(100).saturating_sub(1));
                f64::from(time.copied().unwrap_or(0)) / 1e3
            };
            (*bot, within(50), within(99))
        })
    }
}

impl Report<'_> {
    /// Formats the failures. Empty if there are none.
    fn failures(&self) -> String {
        let summary = self.summary;
        let head = match summary.failed {
            0 => String::new(),
            failed => format!("\n{failed} of {} games did not finish\n", summary.games),
        };
        let color = setup::is_colored(&std::io::stdout());
        let failures = summary.failures.iter();
        failures.fold(head, |text, failure| {
            text + "\n" + &self.case(failure).text(color)
        })
    }

    fn case<'a>(&'a self, failure: &'a Failure) -> Case<'a> {
        let program = &self.loaded.program;
        let again = self.game.again("simulate", program);
        let players: Vec<&str> = self.args.players.iter().map(|bot| bot.name()).collect();
        let players = Some(players.join(",")).filter(|players| !players.is_empty());
        let again = again.given("--players", players);
        let stopped = StoppedGames {
            failures: &self.summary.failures,
            sources: &self.loaded.sources,
            which: self.game.which(program),
            again: again.flag("--seed", &self.summary.seed),
        };
        let records = self.args.records.as_ref();
        let record = records.map(|folder| record_file(folder, program, failure.game));
        stopped.case(failure, record)
    }
}

impl CommandReport for Report<'_> {
    fn text(&self) -> String {
        let times = self.times.ms().map(|(bot, half, most)| {
            format!(
                "CPU time per search of {bot}: half within {half:.1} ms, 99 % within {most:.1} ms\n"
            )
        });
        text_of(self.summary) + &times.collect::<String>() + &self.failures()
    }

    fn json(&self) -> Value {
        let mut doc = json!(self.summary);
        let failures = self.summary.failures.iter();
        let failures = failures.map(|failure| failure_json(failure, &self.case(failure)));
        merge(&mut doc, json!({"failures": failures.collect::<Vec<_>>()}));
        let times = self.times.ms();
        let times =
            times.map(|(bot, half, most)| (bot.to_owned(), json!({"p50": half, "p99": most})));
        let times: Map<String, Value> = times.collect();
        if !times.is_empty() {
            merge(&mut doc, json!({"search_ms": times}));
        }
        doc
    }
}

fn plan(args: &Args, options: &Map<String, Value>) -> Result<Plan, Stop> {
    Ok(Plan {
        first: args.only.unwrap_or(1),
        games: match (args.only, args.precision) {
            (Some(_), _) => 1,
            (None, Some(_)) => MOST,
            (None, None) => args.games,
        },
        seed: setup::seed_or_fresh(args.seed)?,
        threads: args.threads.number(),
        players: args.players.clone(),
        records: args.records.is_some().then(|| options.clone()),
    })
}

/// Returns a name such as `cliff-race-000001.json`.
fn record_file(folder: &Path, program: &Program, number: u64) -> PathBuf {
    folder.join(format!("{}-{number:06}.json", program.name()))
}

fn write_record(folder: &Path, program: &Program, played: &SimulatedGame) -> Result<(), Stop> {
    let Some(record) = &played.record else {
        return Ok(());
    };
    let file = record_file(folder, program, played.number);
    let text = serde_json::to_string(record).map_err(Stop::failure)?;
    setup::write(&file, &(text + "\n"))
}

fn text_of(summary: &Summary) -> String {
    let mut lines = vec![
        format!(
            "{}, {} seats, {} games, seed {}",
            summary.game, summary.seats, summary.games, summary.seed
        ),
        String::new(),
        summary.wins_title().into(),
    ];
    let seats = summary.wins.iter();
    let mut rows: Vec<(String, String)> = seats
        .map(|wins| (format!("seat {}", wins.seat), share(&wins.share)))
        .collect();
    rows.extend(summary.players.iter().map(|wins| {
        let blind = match wins.blind {
            0 => String::new(),
            blind => format!("  ({blind} of {} decisions without a world)", wins.thoughts),
        };
        (wins.player.name().to_owned(), share(&wins.share) + &blind)
    }));
    rows.push(("drawn".to_owned(), share(&summary.drawn)));
    let wide = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    lines.extend(
        rows.iter()
            .map(|(name, share)| format!("  {name:<wide$}  {share}")),
    );
    lines.extend(length_lines(summary));
    lines.join("\n") + "\n"
}

/// Formats ` 51.2 %  (48.1 % to 54.3 %)`.
fn share(share: &Share) -> String {
    let [share, low, high] = [share.share, share.low, share.high].map(|part| part * 100.0);
    format!("{share:>5.1} %  ({low:.1} % to {high:.1} %)")
}

fn length_lines(summary: &Summary) -> impl Iterator<Item = String> {
    let length = &summary.length;
    let head = [
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
    head.into_iter().chain(bar_lines(&summary.lengths, 6))
}
