//! `wyrmgate audit`: statistics about the rules from many random games.

mod report;

use std::path::PathBuf;

use super::progress::progress_bar;
use super::setup::{self, RandomGamesArgs, RulesArgs, find_game};
use super::{Stop, Verdict, interrupt, page};
use crate::audit::{self, Plan, Run};
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
interrupted or out of time; with --strict, also if a rule was never reached or a seat is unfair.";

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
    let plan = args.random.plan(&seed, args.positions)?;
    let (first, others) = chosen(args, checked, &seats, &plan)?;
    let run = Run {
        name: &ruleset.name,
        sources: &ruleset.sources,
        checked,
        seed: &seed,
        plan: &plan,
        first,
        others,
        stop: &*interrupt::flag_within(args.random.seconds)?,
    };
    let progress = progress_bar(run.games(), "games");
    let audit = run.play(&mut || progress.inc(1)).map_err(setup::refused)?;
    progress.finish_and_clear();
    let report = Report {
        args,
        ruleset: &ruleset,
        audit: &audit,
    };
    report.print(args.json);
    let charts = || audit::svg(&ruleset.name, &audit.rows);
    if let Some(file) = &args.svg {
        setup::write(file, &charts())?;
    }
    if let Some(file) = &args.html {
        page::write(file, &ruleset.name, &charts(), &audit.text())?;
    }
    let suspicious = args.strict && report.is_suspicious();
    Ok(Verdict::good_if(report.is_good() && !suspicious))
}

/// Returns the settings to count, and those that are only searched for the rules they reach.
fn chosen(
    args: &Args,
    checked: &Checked,
    seats: &[usize],
    plan: &Plan,
) -> Result<(Vec<Setting>, Vec<Setting>), Stop> {
    let first = setup::settings_with(&args.options, checked, seats)?;
    let mut others = Vec::new();
    if args.options.is_empty() && !args.defaults {
        others = settings(checked, seats, &plan.seed);
        others.retain(|setting| !setting.options.is_empty());
    }
    Ok((first, others))
}
