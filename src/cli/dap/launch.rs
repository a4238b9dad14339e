//! What an editor wants to debug.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value};

use super::wire::Request;
use crate::cli::{Stop, setup};
use crate::debugger::{Course, of_random_game, of_record, of_scenario};
use crate::lang::Stack;
use crate::record::{Record, seed_from_number};
use crate::rules::{Ruleset, find};

/// A request to debug something.
#[derive(Debug)]
pub struct Launch {
    pub request: Request,
    wanted: serde_json::Result<Wanted>,
}

/// The arguments of `launch`. Editors add members of their own.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wanted {
    game: Option<String>,
    scenario: Option<String>,
    record: Option<PathBuf>,
    seats: Option<usize>,
    #[serde(default)]
    options: Map<String, Value>,
    #[serde(default = "one")]
    seed: u64,
    #[serde(default)]
    stop_on_entry: bool,
}

fn one() -> u64 {
    1
}

/// A recorded game, and where its files are.
#[derive(Debug)]
pub struct Debugged {
    pub course: Course,
    pub stack: Stack,
}

impl Launch {
    pub fn new(request: Request) -> Launch {
        let wanted = serde_json::from_value(request.arguments.clone());
        Launch { request, wanted }
    }

    pub fn stops_on_entry(&self) -> bool {
        self.wanted
            .as_ref()
            .is_ok_and(|wanted| wanted.stop_on_entry)
    }
}

/// Plays the game that is to be debugged.
pub fn course(launch: &Launch, rules: &Path) -> Result<Debugged, String> {
    let wanted = launch.wanted.as_ref().map_err(ToString::to_string)?;
    if let Some(file) = &wanted.record {
        return recorded(file, rules);
    }
    let game = wanted
        .game
        .as_deref()
        .ok_or("`game` is missing: a game by name or folder")?;
    let stack = find(game, rules).map_err(|error| error.to_string())?;
    let course = match &wanted.scenario {
        Some(scenario) => of_scenario(&stack, scenario)?,
        None => at_random(wanted, &stack)?,
    };
    Ok(Debugged { course, stack })
}

fn recorded(file: &Path, rules: &Path) -> Result<Debugged, String> {
    let text =
        std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let record: Record = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let stack = find(&record.game, rules).map_err(|error| error.to_string())?;
    let ruleset = ruleset(&stack)?;
    let program = ruleset.program(record.seats.into(), &record.options);
    let program = program.map_err(|problems| in_words(&problems))?;
    let course = of_record(&record, program, ruleset.sources);
    Ok(Debugged { course, stack })
}

fn at_random(wanted: &Wanted, stack: &Stack) -> Result<Course, String> {
    let ruleset = ruleset(stack)?;
    let least = ruleset.checked.seats.first().copied().unwrap_or_default();
    let program = ruleset.program(wanted.seats.unwrap_or(least), &wanted.options);
    let program = program.map_err(|problems| in_words(&problems))?;
    let seed = seed_from_number(wanted.seed);
    Ok(of_random_game(seed, program, ruleset.sources))
}

fn ruleset(stack: &Stack) -> Result<Ruleset, String> {
    setup::ruleset(stack).map_err(|stop| match stop {
        Stop::Failure(reason) | Stop::Usage(reason) => reason,
        Stop::ReaderGone => "the reader is gone".to_owned(),
    })
}

fn in_words(problems: &[crate::check::OptionProblem]) -> String {
    let problems = problems.iter().map(ToString::to_string);
    problems.collect::<Vec<String>>().join("; ")
}
