//! `wyrmgate replay`: a recorded game, played again; every state in full, or a summary.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};

use super::play::screen::ranking;
use super::setup::{RulesArgs, find_game, ruleset, unreadable};
use super::{Stop, Verdict};
use crate::engine::{self, Choice, Pending, State, Viewer};
use crate::program::Program;
use crate::record::{Outcome, Record};
use crate::replay::{self, ReplayError, Rest};
use crate::scenario::compare::short;

const EXAMPLES: &str = "\
Examples:
  wyrmgate replay game.json
  wyrmgate replay game.json --json > steps.jsonl

With `--json` every line is the game at rest: `step` (how many choices came before), `events` (all that happened
since the line before, with the results of chance), `state` (every zone, component and variable), `decisions` (all
that are owed, with all their choices) and `choice` (the one that was made; null on the last line). Nothing is hidden.

The exit code is 0 if the game ends as recorded, 1 if it does not.";

/// Choices that are looked through for the words of one.
const LABELS_MAX: usize = 1000;

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A record, as written by `simulate --records` or by the service
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    rules: RulesArgs,
    /// Print one line of JSON a step
    #[arg(long)]
    json: bool,
}

impl From<ReplayError> for Stop {
    fn from(error: ReplayError) -> Stop {
        Stop::failure(error)
    }
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let record = read(&args.file)?;
    let program = program_of(&record, &args.rules.rules)?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    let played = if args.json {
        replay::play(&record, &program, &mut |rest| {
            print_line(&mut out, &program, &rest)
        })
    } else {
        print_head(&mut out, &record)?;
        replay::play(&record, &program, &mut |rest| {
            print_choice(&mut out, &program, &rest)
        })
    };
    if played.is_ok() && !args.json {
        writeln!(out, "{}", ending(record.outcome.as_ref()))?;
    }
    out.flush()?;
    played.map(|_| Verdict::Good)
}

fn read(file: &Path) -> Result<Record, Stop> {
    let text = std::fs::read_to_string(file).map_err(|error| unreadable(file, &error))?;
    Record::from_json(&text).map_err(Stop::failure)
}

fn program_of(record: &Record, rules: &Path) -> Result<Arc<Program>, Stop> {
    let ruleset = ruleset(&find_game(&record.game, rules)?)?;
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
        .filter_map(|event| engine::event_doc(program, event, Viewer::All))
        .map(Value::from)
        .collect();
    let mut decisions = Vec::new();
    for pending in rest.owed {
        decisions.push(
            engine::decision_docs(program, rest.state, pending, usize::MAX, 0)
                .map_err(Stop::failure)?,
        );
    }
    Ok(json!({
        "step": rest.number,
        "events": events,
        "state": engine::view(program, rest.state, Viewer::All),
        "decisions": decisions,
        "choice": choice_taken(program, rest),
    }))
}

fn choice_taken(program: &Program, rest: &Rest<'_>) -> Value {
    let Some((pending, choice)) = rest.next else {
        return Value::Null;
    };
    let mut taken = json!({"seat": pending.seat + 1, "decision": pending.index});
    let choice = engine::choice_to_json(program, rest.state, pending, choice, Viewer::All);
    if let (Value::Object(taken), Value::Object(choice)) = (&mut taken, choice) {
        taken.extend(choice);
    }
    taken
}

// ---- a summary for people

fn print_head(out: &mut impl Write, record: &Record) -> Result<(), Stop> {
    writeln!(
        out,
        "{}, {} seats, {} choices",
        record.game,
        record.seats,
        record.log.len()
    )?;
    Ok(())
}

/// `12. seat 2: Move on fire by 3`
fn print_choice(out: &mut impl Write, program: &Program, rest: &Rest<'_>) -> Result<(), Stop> {
    if let Some((pending, choice)) = rest.next {
        let label = label(program, rest.state, pending, choice);
        writeln!(
            out,
            "{:>5}. seat {}: {label}",
            rest.number + 1,
            pending.seat + 1
        )?;
    }
    Ok(())
}

/// The words of a choice, as its seat read them; the bare names if the list is too long to look it up.
fn label(program: &Program, state: &State, pending: &Pending, choice: &Choice) -> String {
    let viewer = Viewer::Seat(pending.seat);
    let wanted = engine::choice_to_json(program, state, pending, choice, viewer);
    let args = wanted.get("args").and_then(Value::as_object);
    let option = wanted.get("option").and_then(Value::as_str);
    let listed = engine::decision_docs(program, state, pending, LABELS_MAX, 0);
    let choices = listed.map_or_else(|_| Vec::new(), |doc| doc.choices);
    let found = choices
        .into_iter()
        .find(|doc| Some(&doc.args) == args && doc.option.as_deref() == option);
    found.map_or_else(|| short(&wanted), |doc| doc.label)
}

/// `Seat 2 wins: 1. seat 2 with 10, 3; 2. seat 1 with 7, 3. The record is true.`
fn ending(outcome: Option<&Outcome>) -> String {
    let Some(outcome) = outcome else {
        return "The game is not over. The record is true as far as it goes.".into();
    };
    let seats: Vec<String> = outcome.winners.iter().map(ToString::to_string).collect();
    let result = match seats.as_slice() {
        _ if outcome.drawn => "The game is drawn".into(),
        [] => "Nobody wins".into(),
        [one] => format!("Seat {one} wins"),
        _ => format!("Seats {} win", seats.join(", ")),
    };
    let ranks = ranking(outcome);
    if ranks.is_empty() {
        format!("{result}. The record is true.")
    } else {
        format!("{result}: {ranks}. The record is true.")
    }
}
