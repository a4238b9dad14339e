//! `wyrmgate audit`: statistics about the rules from many random games.

mod args;
mod report;

use super::many_games::{settings_with, write_charts};
use super::progress::progress_bar;
use super::report::CommandReport;
use super::setup::{self, find_game};
use super::{Stop, Verdict};
use crate::audit::{self, Plan, Run};
use crate::check::Checked;
use crate::laws::{Setting, settings};
pub use args::Args;
use report::Report;

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let ruleset = setup::ruleset(&find_game(&args.game, &args.rules.rules)?)?;
    let checked = &ruleset.checked;
    let seats = args.random.seats_of(checked)?;
    let mut many = args.random.begin()?;
    let plan = Plan {
        positions: args.positions,
        ..many.plan
    };
    let (first, others) = chosen(args, checked, &seats, &plan.seed)?;
    let run = Run {
        name: &ruleset.name,
        sources: &ruleset.sources,
        checked,
        seed: &many.seed,
        plan: &plan,
        first,
        others,
        stop: &many.stop,
    };
    many.progress = progress_bar(run.games(), "games");
    let audit = run.play(&mut || many.progress.inc(1));
    let audit = audit.map_err(setup::refused)?;
    many.progress.finish_and_clear();
    let report = Report {
        args,
        ruleset: &ruleset,
        audit: &audit,
    };
    report.print(args.json);
    let charts = || audit::svg(&ruleset.name, &audit.rows);
    let (svg, html) = (args.svg.as_deref(), args.html.as_deref());
    write_charts(svg, html, &ruleset.name, charts, || audit.text())?;
    let suspicious = args.strict && report.is_suspicious();
    Ok(Verdict::good_if(report.is_good() && !suspicious))
}

/// Returns the settings to count, and those that are only searched for the rules they reach.
fn chosen(
    args: &Args,
    checked: &Checked,
    seats: &[usize],
    seed: &[u8; 32],
) -> Result<(Vec<Setting>, Vec<Setting>), Stop> {
    let first = settings_with(&args.options, checked, seats)?;
    let mut others = Vec::new();
    if args.options.is_empty() && !args.defaults {
        others = settings(checked, seats, seed);
        others.retain(|setting| !setting.options.is_empty());
    }
    Ok((first, others))
}
