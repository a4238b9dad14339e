//! `wyrmgate mutate`: mutation testing of scenarios.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use super::explain::place_json;
use super::progress::progress_bar;
use super::setup::{self, RulesArgs, Seed, ThreadsArg, is_colored, with_variants};
use super::stopped::{Again, merge};
use super::{Stop, Verdict, interrupt};
use crate::bot::RandomBot;
use crate::diagnostic::{Diagnostic, Report, Sources};
use crate::lang::Stack;
use crate::mutate::{self, Equivalent, Mutant, MutantTally, Trial, TrialError};
use crate::scenario::report;

const EXAMPLES: &str = "\
Examples:
  wyrmgate mutate my-game
  wyrmgate mutate rules --at-least 90
  wyrmgate mutate my-game --limit 200 --seed 7 --json

Each mutant changes the rules in one place: it removes a statement, drops or negates a part of a condition, turns `<` \
into `<=` or `left` into `right`, changes a number by one, runs a loop once, or removes a handler, a kind or a \
`face down`, and so on. A mutant is killed if a scenario fails or hits a limit of the engine; a mutant that does not \
compile is stillborn and does not count. A surviving mutant shows a rule that no scenario covers, or a change that \
makes no difference. List the latter in `scenarios/equivalents.yaml` (for an overlay `short.yaml`, in \
`short.equivalents.yaml`) with a reason; they are reported apart and do not count. For an overlay, only its own text is \
mutated. A folder includes its games with all their variants.

The exit code is 0 if the run is complete, every entry of that list names one surviving mutant and, with `--at-least`, \
that percentage of mutants is killed; otherwise 1.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Game by name, or a folder of one or several games
    game: String,
    #[command(flatten)]
    rules: RulesArgs,
    /// Try only this number of mutants, drawn at random
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Seed for drawing mutants: a number or 64 hexadecimal digits
    #[arg(long, default_value = "1", value_parser = setup::seed)]
    seed: Seed,
    /// Fail if less than this percentage of mutants is killed
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u64).range(..=100))]
    at_least: Option<u64>,
    /// Stop after this time and report the results so far
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    seconds: Option<u64>,
    #[command(flatten)]
    threads: ThreadsArg,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let stop = interrupt::flag_within(args.seconds)?;
    let mut good = true;
    let mut games = Vec::new();
    let stacks = with_variants(&args.game, &args.rules.rules)?;
    let is_one = stacks.len() == 1;
    for stack in stacks {
        let trial = match Trial::read(&stack) {
            Ok(trial) => trial,
            Err(none @ TrialError::NoScenarios(_)) if !is_one => {
                complain!("error: {none}");
                good = false;
                continue;
            }
            Err(error) => return Err(no_trial(args, &stack, error)),
        };
        let tried = Tried::new(args, trial, &stop);
        good &= tried.is_good(args);
        if args.json {
            games.push(tried.to_json());
        } else {
            tried.print();
        }
    }
    let interrupted = stop.load(Ordering::Relaxed);
    good &= !interrupted;
    if args.json {
        say_json!({"ok": good, "interrupted": interrupted, "games": games});
    } else if interrupted {
        say!("interrupted: the remaining mutants were not tried");
    }
    Ok(Verdict::good_if(good))
}

/// Returns why the mutants of a game cannot be tried, and prints the first problem of its scenarios.
fn no_trial(args: &Args, stack: &Stack, error: TrialError) -> Stop {
    match &error {
        TrialError::Io(error) => setup::unreadable(&stack.folder, error),
        TrialError::Broken(outcome) => {
            let color = is_colored(&std::io::stderr());
            complain_inline!("{}", report::first_problem(outcome, color));
            let again = Again::new("test").game(&args.game, &args.rules);
            Stop::failure(format!("{error}: `{again}` shows them all"))
        }
        TrialError::NoScenarios(_) => Stop::failure(error),
    }
}

/// The mutants of a game and their results.
struct Tried {
    trial: Trial,
    tally: MutantTally,
}

impl Tried {
    fn new(args: &Args, trial: Trial, stop: &AtomicBool) -> Tried {
        let mutants = chosen(trial.mutants.clone(), args);
        let progress = progress_bar(mutants.len() as u64, "mutants");
        let threads = args.threads.number();
        let tally = mutate::run(&trial, &mutants, threads, stop, &mut || progress.inc(1));
        progress.finish_and_clear();
        Tried { trial, tally }
    }

    fn killed(&self) -> u64 {
        self.tally.killed + self.tally.timed_out
    }

    /// Returns the problems in the list of equivalent mutants.
    fn problems(&self) -> Report {
        let mut report = self.trial.report.clone();
        for (mutant, verdict) in &self.tally.refuted {
            if let Some(entry) = self.trial.equivalents.get(mutant) {
                report.push(entry.refuted(mutant, *verdict));
            }
        }
        report
    }

    /// Returns the percentage of killed mutants, rounded down, so that 100 means all.
    fn percent(&self) -> u64 {
        (self.killed() * 100)
            .checked_div(self.tally.born())
            .unwrap_or(100)
    }

    fn is_good(&self, args: &Args) -> bool {
        let enough = args.at_least.is_none_or(|least| self.percent() >= least);
        enough && !self.problems().has_errors()
    }

    /// Returns the survivors in the format of `check`.
    fn report(&self) -> Report {
        let mut report = Report::default();
        for mutant in &self.tally.survivors {
            let message = format!("no scenario notices: {}", mutant.what);
            report.push(Diagnostic::warning("survived", mutant.span, message));
        }
        report
    }

    fn print(&self) {
        let color = is_colored(&std::io::stdout());
        say_inline!("{}", self.report().render(&self.trial.sources, color));
        say_inline!("{}", self.problems().render(&self.trial.sources, color));
        let tally = &self.tally;
        say!(
            "{}: {} mutants, {} scenarios: {} killed, {} exceeded a limit, {} survived, {} equivalent, {} stillborn; {}",
            self.trial.game,
            self.tried(),
            self.trial.scenarios.len(),
            tally.killed,
            tally.timed_out,
            tally.survivors.len(),
            tally.equivalent.len(),
            tally.stillborn,
            match tally.born() {
                0 => "nothing to kill".to_owned(),
                _ => format!("{} % killed", self.percent()),
            }
        );
    }

    fn tried(&self) -> u64 {
        self.tally.born() + self.tally.equivalent.len() as u64 + self.tally.stillborn
    }

    fn equivalents(&self) -> Vec<Value> {
        let listed = self.tally.equivalent.iter();
        let described = listed.filter_map(|mutant| {
            let entry = self.trial.equivalents.get(mutant)?;
            Some(equivalent_json(mutant, entry, &self.trial.sources))
        });
        described.collect()
    }

    fn to_json(&self) -> Value {
        json!({
            "game": self.trial.game,
            "scenarios": self.trial.scenarios.len(),
            "mutants": self.tried(),
            "killed": self.tally.killed,
            "timed_out": self.tally.timed_out,
            "stillborn": self.tally.stillborn,
            "survived": self.tally.survivors.len(),
            "equivalent": self.tally.equivalent.len(),
            "percent": self.percent(),
            "survivors": self.report().documents(&self.trial.sources),
            "equivalents": self.equivalents(),
            "problems": self.problems().documents(&self.trial.sources),
        })
    }
}

/// Describes an entry of the list and the place of its change in the rules.
fn equivalent_json(mutant: &Mutant, entry: &Equivalent, sources: &Sources) -> Value {
    let mut doc = json!({
        "change": entry.change.value,
        "at": entry.at.value,
        "because": entry.because,
    });
    merge(&mut doc, place_json(sources, mutant.span));
    doc
}

/// Returns all mutants, or the requested number, drawn by the seed.
fn chosen(mut mutants: Vec<Mutant>, args: &Args) -> Vec<Mutant> {
    let Some(limit) = args.limit else {
        return mutants;
    };
    let mut dice = RandomBot::for_game(&args.seed.0);
    while mutants.len() > limit {
        let gone = dice.below(mutants.len() as u64) as usize;
        mutants.remove(gone);
    }
    mutants
}
