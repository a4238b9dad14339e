//! Plays the game that is debugged, with a tape running.

use std::sync::Arc;

use serde_json::Value;

use super::tape::Tape;
use crate::rules::Ruleset;
use crate::scenario::suite;
use wyrmgate_analysis::record::Record;
use wyrmgate_analysis::replay::{self, ReplayError, Rest};
use wyrmgate_base::diagnostic::Sources;
use wyrmgate_compile::check::OptionProblem;
use wyrmgate_compile::compile::Setup;
use wyrmgate_engine::{
    Choice, Pending, Seeded, State, StepError, pending, start, step, step_legal,
};
use wyrmgate_lang::definition::Definition;
use wyrmgate_program::Program;
use wyrmgate_search::bot::RandomBot;
use wyrmgate_view::{Rejection, Stopped, choice_from_json};

/// A game in one setup, with the rules from which it was compiled.
#[derive(Debug, Clone)]
pub struct DebuggedGame {
    pub program: Arc<Program>,
    pub definition: Arc<Definition>,
    pub setup: Setup,
    pub sources: Sources,
}

impl DebuggedGame {
    pub fn of(
        ruleset: &Ruleset,
        seats: usize,
        options: &serde_json::Map<String, Value>,
    ) -> Result<DebuggedGame, Vec<OptionProblem>> {
        let setup = ruleset.setup(seats, options)?;
        Ok(DebuggedGame {
            program: ruleset.compiled(&setup)?,
            definition: ruleset.checked.definition.clone(),
            setup,
            sources: ruleset.sources.clone(),
        })
    }
}

/// A recorded game, and how it ended.
#[derive(Debug)]
pub struct Course {
    pub game: DebuggedGame,
    pub tape: Tape,
    /// In words: that the game is over, or what stopped it.
    pub end: String,
}

/// Records a scenario: the first one whose name contains this text. Fails with what keeps it from running.
pub fn of_scenario(
    game: &str,
    read: suite::GameScenarios,
    named: &str,
    mut tape: Tape,
) -> Result<Course, String> {
    let watched = suite::watch(game, read, named, &mut tape)?;
    let failures = watched.failures.iter().map(|failure| {
        let (message, expected) = (&failure.diagnostic.message, &failure.expected);
        format!("{message}: expected {expected}, found {}", failure.found)
    });
    let failures: Vec<String> = failures.collect();
    let end = match failures.as_slice() {
        [] => "the scenario passes".to_owned(),
        failures => failures.join("\n"),
    };
    let game = DebuggedGame {
        program: Arc::new(watched.program),
        definition: watched.definition,
        setup: watched.setup,
        sources: watched.sources,
    };
    Ok(Course { game, tape, end })
}

/// Records a game that was played before.
pub fn of_record(record: &Record, game: DebuggedGame, mut tape: Tape) -> Course {
    let played = play_again(record, &game.program, &mut tape);
    let end = match played {
        Err(RecordEnd::Replay(error)) => error.to_string(),
        Err(RecordEnd::Stopped(stopped)) => stopped.reason,
        Ok(()) => OVER.to_owned(),
    };
    Course { game, tape, end }
}

/// Records a game in which every seat chooses at random.
pub fn of_random_game(seed: [u8; 32], game: DebuggedGame, mut tape: Tape) -> Course {
    let played = play_at_random(seed, &game.program, &mut tape);
    let end = played.map_or_else(|stopped| stopped.reason, |()| OVER.to_owned());
    Course { game, tape, end }
}

/// Records the beginning of a game: these choices, written as in requests, each with its seat.
pub fn of_choices(seed: [u8; 32], choices: &[Value], game: DebuggedGame, mut tape: Tape) -> Course {
    let played = play_choices(seed, choices, &game.program, &mut tape);
    let end = played.unwrap_or_else(|stopped| stopped.reason);
    Course { game, tape, end }
}

const OVER: &str = "the game is over";

/// Why a record was not played to its end.
enum RecordEnd {
    Replay(ReplayError),
    Stopped(Stopped),
}

wyrmgate_base::from_variants!(RecordEnd {
    Replay: ReplayError
});

fn play_again(record: &Record, program: &Program, tape: &mut Tape) -> Result<(), RecordEnd> {
    let seed = record.fair_seed().map_err(ReplayError::from)?;
    start(program, seed, &mut Seeded, tape).map_err(|fault| RecordEnd::Stopped(fault.into()))?;
    let played = replay::play(record, program, &mut |rest: Rest<'_>| {
        let Some((owed, choice)) = rest.next else {
            return Ok(());
        };
        let mut state = rest.state.clone();
        let played = step_legal(program, &mut state, owed.index, choice, &mut Seeded, tape);
        played.map_err(|error| RecordEnd::Stopped(error.into()))
    });
    played.map(|_| ())
}

fn play_at_random(seed: [u8; 32], program: &Program, tape: &mut Tape) -> Result<(), Stopped> {
    let mut bot = RandomBot::for_game(&seed);
    let mut state = start(program, seed, &mut Seeded, tape)?;
    while !tape.is_cut
        && let Some(owed) = pending(program, &state).first()
        && let Some(choice) = bot.choose(program, &state, owed)?
    {
        step_legal(program, &mut state, owed.index, &choice, &mut Seeded, tape)?;
    }
    Ok(())
}

fn play_choices(
    seed: [u8; 32],
    choices: &[Value],
    program: &Program,
    tape: &mut Tape,
) -> Result<String, Stopped> {
    let mut state = start(program, seed, &mut Seeded, tape)?;
    for (number, choice) in (1..).zip(choices) {
        if let Err(reason) = choose(choice, program, &mut state, tape)? {
            return Ok(format!("choice {number}: {reason}"));
        }
    }
    let seats = pending(program, &state).into_iter();
    let seats: Vec<String> = seats.map(|owed| (owed.seat + 1).to_string()).collect();
    Ok(match seats.as_slice() {
        [] => OVER.to_owned(),
        seats => format!("the game waits for seat {}", seats.join(", ")),
    })
}

/// Makes a choice, or says why it cannot be made.
fn choose(
    choice: &Value,
    program: &Program,
    state: &mut State,
    tape: &mut Tape,
) -> Result<Result<(), String>, Stopped> {
    let (owed, read) = match read(program, state, choice) {
        Ok(read) => read,
        Err(reason) => return Ok(Err(reason)),
    };
    match step(program, state, owed.index, &read, &mut Seeded, tape) {
        Ok(()) => Ok(Ok(())),
        Err(StepError::Refused(refused)) => {
            let rejection = Rejection::of(program, state, owed.seat, refused);
            Ok(Err(rejection.message))
        }
        Err(StepError::Fault(fault)) => Err(fault.into()),
    }
}

/// Reads a choice of the seat that it names, or of the first seat that owes a decision.
pub(super) fn read(
    program: &Program,
    state: &State,
    choice: &Value,
) -> Result<(Pending, Choice), String> {
    let mut choice = choice.clone();
    let members = choice.as_object_mut();
    let seat = members.and_then(|members| members.remove("seat")?.as_u64());
    let mut owed = pending(program, state).into_iter();
    let owed = owed.find(|owed| seat.is_none_or(|seat| seat == u64::from(owed.seat) + 1));
    let owed = owed.ok_or("this seat owes no decision")?;
    let read =
        choice_from_json(program, state, &owed, &choice).map_err(|rejection| rejection.message)?;
    Ok((owed, read))
}
