//! `wyrmgate laws`: checks in many random games the laws that every game must keep.

mod args;
mod cause;
mod help;
mod report;
mod reveals;

use super::many_games::{ManyGames, settings_with};
use super::progress::progress_bar;
use super::setup::{self, find_games};
use super::stopped::Again;
use super::{Stop, Verdict};
use crate::laws::{self, LAWS, Law, Plan, Proof, Setting, VIOLATIONS_MAX, settings};
use crate::rules::Ruleset;
pub use args::Args;
use args::Asked;
use report::{Report, Row};

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let games = chosen(args)?;
    let mut many = args.random.begin()?;
    let plan = plan(args, &many);
    let settings_of = games
        .iter()
        .map(|asked| settings_of(args, &plan, &asked.ruleset));
    let settings: Vec<Vec<Setting>> = settings_of.collect::<Result<_, Stop>>()?;
    let number = settings.iter().map(Vec::len).sum::<usize>() as u64;
    many.progress = progress_bar(number * games_of_setting(&plan), "games");
    let mut report = Report::new(args, &many, &plan);
    for (asked, settings) in games.iter().zip(settings) {
        report.begin(asked, settings.len());
        for setting in settings {
            if many.is_stopped() {
                break;
            }
            let proof = prove(&asked.ruleset, &setting, &plan, &many);
            report.add(Row { setting, proof });
        }
        report.end_game();
    }
    many.progress.finish_and_clear();
    report.end();
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

fn plan(args: &Args, many: &ManyGames) -> Plan {
    let wanted = |law: &&Law| args.laws.is_empty() || args.laws.iter().any(|n| n == law.name);
    Plan {
        games: match args.number {
            Some(number) => number..=number,
            None => 1..=many.plan.games,
        },
        seed: many.plan.seed,
        threads: many.plan.threads,
        laws: LAWS.iter().filter(wanted).collect(),
        oftener: if args.thorough { u64::MAX } else { 1 },
    }
}

fn games_of_setting(plan: &Plan) -> u64 {
    plan.games.end() - plan.games.start() + 1
}

fn settings_of(args: &Args, plan: &Plan, ruleset: &Ruleset) -> Result<Vec<Setting>, Stop> {
    let checked = &ruleset.checked;
    let seats = args.random.seats_of(checked)?;
    if args.options.is_empty() {
        let mut all = settings(checked, &seats, &plan.seed);
        all.retain(|setting| !args.defaults || setting.options.is_empty());
        return Ok(all);
    }
    settings_with(&args.options, checked, &seats)
}

/// Plays a setting. The program is dropped after its games, so memory does not grow with the number of settings.
fn prove(ruleset: &Ruleset, setting: &Setting, plan: &Plan, many: &ManyGames) -> Option<Proof> {
    let checked = &ruleset.checked;
    let setup = checked.setup(setting.seats, &setting.options).ok()?;
    let program = checked.compile_with_reveals(&setup)?;
    let proof = laws::prove(&program, plan, &many.stop, &mut || many.progress.inc(1));
    if proof.games_broken >= VIOLATIONS_MAX {
        let left = games_of_setting(plan).saturating_sub(proof.games);
        many.progress.inc(left);
    }
    Some(proof)
}
