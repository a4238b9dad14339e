//! `wyrmgate replay`: replays recorded games, with every state in full or a summary.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};

use super::setup::{RulesArgs, find_game, is_colored, joined, ruleset, unreadable, which};
use super::shown::Shown;
use super::stopped::{Again, Case, merge};
use super::trace::OWNER;
use super::{Stop, Verdict, trace};
use crate::brief::{Names, ranking};
use crate::engine::{Choice, EndReason, Pending, State, Viewer};
use crate::program::Program;
use crate::record::{Outcome, Record};
use crate::replay::{self, ReplayError, Rest};
use crate::rules::{Ruleset, find};
use crate::scenario::compare::short;
use crate::view::{DecisionDoc, Doc, Stopped, decision_docs};

const EXAMPLES: &str = "\
Examples:
  wyrmgate replay game.json
  wyrmgate replay game.json --json > steps.jsonl
  wyrmgate replay game.json --commitment 2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213
  wyrmgate replay --against my-game+short games/*.json
  wyrmgate replay game.json --trace 12

With `--json`, every line describes the game at rest: `step` (number of choices before), `events` (everything since the \
line before, with the results of chance), `state` (every zone, component and variable), `decisions` (all pending \
decisions, with all their choices) and `choice` (the choice made; null on the last line). Nothing is hidden.

A record contains the seed and the commitment made when the session was created. The command verifies both, and every \
shuffle, roll and draw. Pass the commitment that the session itself published as `--commitment` to verify that the \
record matches it.

With `--against`, the same seed and choices are played with other rules. If the rules of the record are available, \
everything is compared; otherwise only the legality of each choice and the result.

With `--trace`, the command shows what one choice did, counted from 1: each statement that ran, with its file and line, \
whether each condition held, and the events, in order.

The exit code is 0 if every game ends as recorded (with `--against`: takes the same course), otherwise 1.";

/// Maximum number of choices searched for the label of one.
const LABELS_MAX: usize = 1000;

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Record files, as written by `simulate --records` or served by `GET …/record`
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Replay with these rules instead, and show where each game first diverges
    #[arg(long, value_name = "GAME")]
    against: Option<String>,
    /// Seed commitment that the session published, in hexadecimal digits
    #[arg(long, value_name = "HEX", conflicts_with = "against")]
    commitment: Option<String>,
    /// Show what the choice with this number did, statement by statement
    #[arg(long, value_name = "STEP", conflicts_with_all = ["against", "json"])]
    trace: Option<usize>,
    #[command(flatten)]
    rules: RulesArgs,
    /// Print one line of JSON per step
    #[arg(long)]
    json: bool,
}

/// Why a record was not replayed to its end.
enum End {
    Stop(Stop),
    Replay(ReplayError),
}

wyrmgate_base::from_variants!(End { Stop: Stop, std::io::Error; Replay: ReplayError });

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    if let Some(new) = &args.against {
        return compare(args, new);
    }
    let mut good = true;
    for file in &args.files {
        match play_again(args, file) {
            Ok(is_true) => good &= is_true,
            Err(Stop::Failure(reason)) => {
                good = false;
                failed(args, file, &reason);
            }
            Err(stop) => return Err(stop),
        }
    }
    Ok(Verdict::good_if(good))
}

/// Reports the failure of one record; the others are still replayed.
fn failed(args: &Args, file: &Path, reason: &str) {
    if args.json {
        let failure = json!({"file": file.display().to_string(), "reason": reason});
        say_json!({"failure": failure});
    } else {
        complain!("error: {}: {reason}", file.display());
    }
}

fn play_again(args: &Args, file: &Path) -> Result<bool, Stop> {
    let record = read(file)?;
    keeps_promise(&record, args.commitment.as_deref())?;
    let ruleset = ruleset(&find_game(&record.game, &args.rules.rules)?)?.under(&record.ruleset);
    let program = program_of(&record, &ruleset)?;
    if let Some(step) = args.trace {
        say_inline!("{}", trace::of(&record, &program, &ruleset.sources, step)?);
        return Ok(true);
    }
    let error = match play_on(args, &record, &program) {
        Ok(()) => return Ok(true),
        Err(End::Stop(stop)) => return Err(stop),
        Err(End::Replay(error)) => error,
    };
    if let ReplayError::Ruleset { .. } = error {
        let advice = advice(args, file, &record);
        return Err(Stop::Failure(format!("{error}; {advice}")));
    }
    let stopped = error.stopped().ok_or_else(|| Stop::failure(&error))?;
    let case = case(args, file, &record, &ruleset, &stopped);
    if args.json {
        let mut failure = case.json();
        merge(&mut failure, json!({"record": file.display().to_string()}));
        say_json!({"failure": failure});
    } else {
        case.print(false);
    }
    Ok(false)
}

/// Says how to play a record with rules that have changed since, be it by a word.
fn advice(args: &Args, file: &Path, record: &Record) -> String {
    let again = Again::new("replay").flag("--against", &record.game);
    let again = again.arg(file.display()).rules(&args.rules);
    format!("`{again}` shows whether the game takes the same course with these")
}

fn case<'c>(
    args: &Args,
    file: &Path,
    record: &Record,
    ruleset: &'c Ruleset,
    stopped: &'c Stopped,
) -> Case<'c> {
    let again = Again::new("replay").given("--against", args.against.as_ref());
    let options = record.options.iter();
    let options = options.map(|(name, value)| (name, plain(value)));
    let which = which(&ruleset.name, record.seats.into(), options);
    Case {
        stopped,
        sources: &ruleset.sources,
        which: format!("{}, {which}", file.display()),
        again: again.arg(file.display()).rules(&args.rules),
        record: None,
    }
}

/// Formats the value of an option as typed on the command line.
fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

fn play_on(args: &Args, record: &Record, program: &Program) -> Result<(), End> {
    let mut out = Shown(BufWriter::new(std::io::stdout().lock()));
    let played = if args.json {
        replay::play(record, program, &mut |rest| {
            Ok::<(), End>(print_line(&mut out, program, &rest)?)
        })
    } else {
        let (game, seats, choices) = (&record.game, record.seats, record.log.len());
        writeln!(out, "{game}, {seats} seats, {choices} choices")?;
        replay::play(record, program, &mut |rest| {
            Ok::<(), End>(print_choice(&mut out, program, &rest)?)
        })
    };
    if played.is_ok() && !args.json {
        writeln!(out, "{}", checked(record))?;
        writeln!(out, "{}", ending(record.outcome.as_ref()))?;
    }
    out.flush()?;
    played.map(|_| ())
}

/// Returns whether the record's seed matches this commitment.
fn keeps_promise(record: &Record, commitment: Option<&str>) -> Result<(), Stop> {
    let Some(promised) = commitment else {
        return Ok(());
    };
    match &record.fairness {
        Some(fairness) if fairness.commitment.eq_ignore_ascii_case(promised) => Ok(()),
        Some(_) => Err(Stop::failure("the record has another commitment")),
        None => Err(Stop::failure("the record has no commitment to its seed")),
    }
}

/// Formats the result of the verification.
fn checked(record: &Record) -> String {
    let seed = match record.fairness {
        Some(_) => "The seed matches its commitment",
        None => "There is no commitment to the seed",
    };
    match &record.chance {
        Some(chance) => format!("{seed}; {} random operations match it.", chance.len()),
        None => format!("{seed}; the record has no results of chance."),
    }
}

// ---- by other rules

fn compare(args: &Args, new: &str) -> Result<Verdict, Stop> {
    let rules = &args.rules.rules;
    let new = ruleset(&find_game(new, rules)?)?;
    let mut same = 0;
    for file in &args.files {
        let record = read(file)?;
        let found = part(&record, &new, rules)?;
        same += usize::from(found.is_none());
        let stopped = found.as_ref().and_then(|parting| parting.stopped.as_ref());
        let case = stopped.map(|stopped| case(args, file, &record, &new, stopped));
        if args.json {
            say_json!({
                "file": file.display().to_string(),
                "choices": record.log.len(),
                "diverges_at": found.as_ref().map(|parting| parting.number),
                "because": found.as_ref().map(|parting| &parting.because),
                "failure": case.map(|case| case.json()),
            });
        } else if let Some(case) = case {
            say_inline!("{}", case.text(is_colored(&std::io::stdout())));
        } else {
            let told = found.map_or("has the same result".to_owned(), |parting| parting.because);
            say!("{}: {told}", file.display());
        }
    }
    if !args.json {
        let (all, name) = (args.files.len(), &new.name);
        say!("{same} of {all} games have the same result under {name}");
    }
    Ok(Verdict::good_if(same == args.files.len()))
}

/// The choice at which two courses diverge, and how.
struct Parting {
    number: usize,
    because: String,
    stopped: Option<Stopped>,
}

fn part(record: &Record, new: &Ruleset, rules: &Path) -> Result<Option<Parting>, Stop> {
    let known = |name: &str| new.checked.options.iter().any(|fact| fact.name == name);
    let mut options = record.options.clone();
    options.retain(|name, _| known(name));
    let new = match new.program(record.seats.into(), &options) {
        Ok(program) => program,
        Err(problems) => {
            return Ok(Some(Parting {
                number: 0,
                because: format!("unknown game: {}", joined(&problems)),
                stopped: None,
            }));
        }
    };
    let old = find(&record.game, rules).ok().and_then(|stack| {
        let ruleset = Ruleset::from_stack(&stack)
            .ok()?
            .ok()?
            .under(&record.ruleset);
        let same = ruleset.digest == record.ruleset;
        same.then(|| ruleset.program(record.seats.into(), &record.options).ok())?
    });
    let found = replay::against(record, old.as_deref(), &new).map_err(Stop::failure)?;
    Ok(found.map(|divergence| Parting {
        number: divergence.number(record),
        because: divergence.to_string(),
        stopped: divergence.stopped(),
    }))
}

pub(super) fn read(file: &Path) -> Result<Record, Stop> {
    let text = std::fs::read_to_string(file).map_err(|error| unreadable(file, &error))?;
    Record::from_json(&text).map_err(Stop::failure)
}

pub(super) fn program_of(record: &Record, ruleset: &Ruleset) -> Result<Arc<Program>, Stop> {
    let program = ruleset.program(record.seats.into(), &record.options);
    program.map_err(|problems| {
        let messages: Vec<&str> = problems.iter().map(|p| p.message.as_str()).collect();
        Stop::Failure(messages.join("; "))
    })
}

// ---- the game at rest, in full

fn print_line(out: &mut impl Write, program: &Program, rest: &Rest<'_>) -> Result<(), Stop> {
    serde_json::to_writer(&mut *out, &line(program, rest)?).map_err(std::io::Error::from)?;
    writeln!(out)?;
    Ok(())
}

fn line(program: &Program, rest: &Rest<'_>) -> Result<Value, Stop> {
    let events: Vec<Value> = rest
        .events
        .iter()
        .filter_map(|event| crate::view::event_with_label(program, event, [], OWNER))
        .map(Value::from)
        .collect();
    let decisions = rest.owed.iter().map(|pending| {
        let described = decision_docs(program, rest.state, pending, usize::MAX, 0);
        described.map_err(|fault| Stop::failure(crate::view::sentence(&fault)))
    });
    let decisions: Vec<DecisionDoc> = decisions.collect::<Result<_, Stop>>()?;
    Ok(json!({
        "step": rest.number,
        "events": events,
        "state": crate::view::view(program, rest.state, OWNER),
        "decisions": decisions,
        "choice": choice_taken(program, rest),
    }))
}

fn choice_taken(program: &Program, rest: &Rest<'_>) -> Value {
    let Some((pending, choice)) = rest.next else {
        return Value::Null;
    };
    if choice.is_resigning() {
        return json!({"seat": pending.seat + 1, "resigns": true, "reason": choice.reason()});
    }
    let mut taken = json!({"seat": pending.seat + 1, "decision": pending.index});
    let choice = crate::view::choice_to_json(program, rest.state, pending, choice, OWNER);
    merge(&mut taken, choice.into());
    taken
}

// ---- a summary for people

/// Formats `12. seat 2: Move on fire by 3`.
fn print_choice(out: &mut impl Write, program: &Program, rest: &Rest<'_>) -> Result<(), Stop> {
    if let Some((pending, choice)) = rest.next {
        let label = label(program, rest.state, pending, choice);
        let (number, seat) = (rest.number + 1, pending.seat + 1);
        writeln!(out, "{number:>5}. seat {seat}: {label}")?;
    }
    Ok(())
}

/// Returns the label of a choice for its seat, or its arguments if the list is too long to search.
fn label(program: &Program, state: &State, pending: &Pending, choice: &Choice) -> String {
    if choice.is_resigning() {
        return "resigns".into();
    }
    let viewer = Viewer::Seat(pending.seat);
    let wanted = crate::view::choice_to_json(program, state, pending, choice, viewer);
    let args = wanted.get("args").and_then(Doc::as_object);
    let option = wanted.get("option").and_then(Doc::as_str);
    let listed = decision_docs(program, state, pending, LABELS_MAX, 0);
    let choices = listed.map_or_else(|_| Vec::new(), |doc| doc.choices);
    let found = choices
        .into_iter()
        .find(|doc| Some(&doc.args) == args && doc.option.as_deref() == option);
    found.map_or_else(|| short(&wanted.clone().into()), |doc| doc.label)
}

/// Formats the outcome.
fn ending(outcome: Option<&Outcome>) -> String {
    let Some(outcome) = outcome else {
        return "The game is not over. The record is correct so far.".into();
    };
    let seats: Vec<String> = outcome.winners.iter().map(ToString::to_string).collect();
    let result = match seats.as_slice() {
        _ if outcome.drawn => "The game is drawn".into(),
        [] => "Nobody wins".into(),
        [one] => format!("Seat {one} wins"),
        _ => format!("Seats {} win", seats.join(", ")),
    };
    let reason = match outcome.reason {
        EndReason::Rules => String::new(),
        other => format!(" ({})", other.name()),
    };
    match ranking(outcome, &Names::default()).as_str() {
        "" => format!("{result}{reason}. The record is correct."),
        ranks => format!("{result}{reason}: {ranks}. The record is correct."),
    }
}
