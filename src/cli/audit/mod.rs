//! `wyrmgate audit`: statistics about the rules from many random games.

mod args;
mod report;

use super::progress::progress_bar;
use super::setup::{self, find_game};
use super::{Stop, Verdict, interrupt, page};
use crate::audit::{self, Plan, Run};
use crate::check::Checked;
use crate::laws::{Setting, settings};
pub use args::Args;
use report::Report;

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
