//! `wyrmgate audit`: statistics about the rules from many random games.

mod report;

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use super::progress::progress_bar;
use super::setup::{self, RandomGamesArgs, RulesArgs, find_game};
use super::{Stop, Verdict, interrupt, page};
use crate::audit::{self, Plan, Reached, Run};
use crate::check::Checked;
use crate::laws::{Setting, settings};
use report::Report;

const EXAMPLES: &str = "\
Examples:
  wyrmgate audit my-game
  wyrmgate audit my-game --games 5000 --seed 7 --svg audit.svg
  wyrmgate audit my-game --seats 2,3 --option blocks=3
  wyrmgate audit my-game+long-night
  wyrmgate audit my-game --json --strict

The command plays the given number of games with default options for each number of seats, and reports wins, lengths and \
numbers of choices. To find rules that are never reached, it plays a tenth as many games in each setting that \
`wyrmgate laws` tries: every option alone, and combinations. Every seat chooses at random; game N of a seed is the game \
that `wyrmgate laws --seed … --game N` plays.

A seat counts as unfair if a fair game would rarely produce its result (p < 0.05, with Holm's correction for the number \
of seats). Intervals are Wilson's, at the 95 % level.

The exit code is 1 if a game exceeded its bound, a seat had no legal choice, a limit was hit, or the run was \
interrupted; with --strict, also if a rule was never reached or a seat is unfair.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Game by name or folder, optionally with overlays (`my-game+short+windy`)
    pub game: String,
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    random: RandomGamesArgs,
    /// Combination of options to try; repeatable
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = setup::setting)]
    options: Vec<(String, String)>,
    /// Use only the default options
    #[arg(long, conflicts_with = "options")]
    defaults: bool,
    /// Also count distinct positions; takes twice as long
    #[arg(long)]
    positions: bool,
    /// Fail if a rule is never reached or a seat has an unfair advantage
    #[arg(long)]
    strict: bool,
    /// Draw wins, lengths and choices as SVG into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write a report with charts to this HTML file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let ruleset = setup::ruleset(&find_game(&args.game, &args.rules.rules)?)?;
    let checked = &ruleset.checked;
    let seats = setup::seats_asked(checked, &args.random.seats).map_err(Stop::Usage)?;
    let seed = args.random.seed()?;
    let plan = plan(args, &seed)?;
    let (first, others) = chosen(args, checked, &seats, &plan)?;
    let fewer = Plan {
        games: plan.games.div_ceil(10),
        ..plan.clone()
    };
    let games = plan.games * first.len() as u64 + fewer.games * others.len() as u64;
    let progress = progress_bar(games, "games");
    let mut run = Run {
        checked,
        stop: &*interrupt::flag()?,
        each: &mut || progress.inc(1),
        reached: Reached::default(),
    };
    let rows = run.play(first, &plan).map_err(setup::refused)?;
    let others = run.play(others, &fewer).map_err(setup::refused)?;
    progress.finish_and_clear();
    let report = Report {
        args,
        ruleset: &ruleset,
        seed,
        plan: &plan,
        fewer: fewer.games,
        findings: audit::findings(&checked.definition, &run.reached),
        reached: &run.reached,
        rows,
        others,
        interrupted: run.stop.load(Ordering::Relaxed),
    };
    report.print(args.json);
    if let Some(file) = &args.svg {
        setup::write(file, &audit::svg(&ruleset.name, &report.rows))?;
    }
    if let Some(file) = &args.html {
        let charts = audit::svg(&ruleset.name, &report.rows);
        page::write(file, &ruleset.name, &charts, &report.text())?;
    }
    let suspicious = args.strict && report.is_suspicious();
    Ok(Verdict::good_if(report.is_good() && !suspicious))
}

fn plan(args: &Args, seed: &str) -> Result<Plan, Stop> {
    Ok(Plan {
        games: args.random.games,
        seed: setup::seed(seed).map_err(Stop::Usage)?.0,
        threads: args.random.threads(),
        positions: args.positions,
    })
}

/// Returns the settings to count, and those that are only searched for the rules they reach.
fn chosen(
    args: &Args,
    checked: &Checked,
    seats: &[usize],
    plan: &Plan,
) -> Result<(Vec<Setting>, Vec<Setting>), Stop> {
    let options: std::collections::BTreeMap<_, _> = args.options.iter().cloned().collect();
    let first = seats.iter().map(|seats| Setting {
        seats: *seats,
        options: options.clone(),
    });
    let first: Vec<Setting> = first.collect();
    for setting in &first {
        checked
            .setup(setting.seats, &setting.options)
            .map_err(setup::refused)?;
    }
    let mut others = Vec::new();
    if args.options.is_empty() && !args.defaults {
        others = settings(checked, seats, &plan.seed);
        others.retain(|setting| !setting.options.is_empty());
    }
    Ok((first, others))
}
