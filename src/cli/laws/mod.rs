//! `wyrmgate laws`: checks in many random games the laws that every game must keep.

mod args;
mod cause;
mod help;
mod report;
mod reveals;

use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::ProgressBar;

use super::progress::progress_bar;
use super::setup::{self, find_games};
use super::stopped::Again;
use super::{Stop, Verdict, interrupt};
use crate::laws::{self, LAWS, Law, Plan, Proof, Setting, VIOLATIONS_MAX, settings};
use crate::rules::Ruleset;
pub use args::Args;
use args::Asked;
use report::{Report, Row};

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let games = chosen(args)?;
    let seed = args.random.seed()?;
    let plan = plan(args, &seed)?;
    let stop = interrupt::flag_within(args.random.seconds)?;
    let settings_of = games
        .iter()
        .map(|asked| settings_of(args, &plan, &asked.ruleset));
    let settings: Vec<Vec<Setting>> = settings_of.collect::<Result<_, Stop>>()?;
    let number = settings.iter().map(Vec::len).sum::<usize>() as u64;
    let progress = progress_bar(
        number * (plan.games.end() - plan.games.start() + 1),
        "games",
    );
    let mut report = Report::new(args, seed, &plan);
    for (asked, settings) in games.iter().zip(settings) {
        report.begin(asked, settings.len(), &progress);
        for setting in settings {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let proof = prove(&asked.ruleset, &setting, &plan, &stop, &progress);
            report.add(Row { setting, proof }, &progress);
        }
        report.end_game(&progress);
    }
    progress.finish_and_clear();
    report.interrupted = stop.load(Ordering::Relaxed);
    report.end()?;
    if let Some(file) = &args.svg {
        setup::write(file, &report.svg())?;
    }
    Ok(Verdict::good_if(report.is_good()))
}

/// Returns the requested games after checking their rules.
fn chosen(args: &Args) -> Result<Vec<Asked>, Stop> {
    let mut games = Vec::new();
    for name in &args.game {
        let stacks = find_games(name, &args.rules.rules)?;
        let is_one = stacks.len() == 1;
        for stack in stacks {
            let again = Again::new("laws");
            let again = match is_one {
                true => again.game(name, &args.rules),
                // A game from a folder of games is found in its own folder.
                false => again.arg(stack.folder.display()),
            };
            games.push(Asked {
                ruleset: setup::ruleset(&stack)?,
                again: again.set("--thorough", args.thorough),
            });
        }
    }
    Ok(games)
}

fn plan(args: &Args, seed: &str) -> Result<Plan, Stop> {
    let wanted = |law: &&Law| args.laws.is_empty() || args.laws.iter().any(|n| n == law.name);
    Ok(Plan {
        games: match args.number {
            Some(number) => number..=number,
            None => 1..=args.random.games,
        },
        seed: setup::seed(seed).map_err(Stop::Usage)?.0,
        threads: args.random.threads(),
        laws: LAWS.iter().filter(wanted).collect(),
        oftener: if args.thorough { u64::MAX } else { 1 },
    })
}

fn settings_of(args: &Args, plan: &Plan, ruleset: &Ruleset) -> Result<Vec<Setting>, Stop> {
    let checked = &ruleset.checked;
    let seats = setup::seats_asked(checked, &args.random.seats).map_err(Stop::Usage)?;
    if args.options.is_empty() {
        let mut all = settings(checked, &seats, &plan.seed);
        all.retain(|setting| !args.defaults || setting.options.is_empty());
        return Ok(all);
    }
    setup::settings_with(&args.options, checked, &seats)
}

/// Plays a setting. The program is dropped after its games, so memory does not grow with the number of settings.
fn prove(
    ruleset: &Ruleset,
    setting: &Setting,
    plan: &Plan,
    stop: &AtomicBool,
    progress: &ProgressBar,
) -> Option<Proof> {
    let setup = ruleset
        .checked
        .setup(setting.seats, &setting.options)
        .ok()?;
    let program = ruleset.checked.compile_with_reveals(&setup)?;
    let proof = laws::prove(&program, plan, stop, &mut || progress.inc(1));
    let planned = plan.games.end() - plan.games.start() + 1;
    if proof.games_broken >= VIOLATIONS_MAX {
        progress.inc(planned.saturating_sub(proof.games));
    }
    Some(proof)
}
