//! Plays the game that is debugged, with a tape running.

use std::sync::Arc;

use super::tape::Tape;
use crate::scenario::suite;
use wyrmgate_analysis::record::Record;
use wyrmgate_analysis::replay::{self, ReplayError, Rest};
use wyrmgate_base::diagnostic::Sources;
use wyrmgate_engine::{Seeded, pending, start, step_legal};
use wyrmgate_lang::Stack;
use wyrmgate_program::Program;
use wyrmgate_search::bot::RandomBot;
use wyrmgate_view::Stopped;

/// A recorded game, and how it ended.
#[derive(Debug)]
pub struct Course {
    pub program: Arc<Program>,
    pub sources: Sources,
    pub tape: Tape,
    /// In words: that the game is over, or what stopped it.
    pub end: String,
}

/// Records a scenario: the first one whose name contains this text. Fails with what keeps it from running.
pub fn of_scenario(stack: &Stack, named: &str) -> Result<Course, String> {
    let mut tape = Tape::default();
    let watched = suite::watch(stack, named, &mut tape)?;
    let failures = watched.failures.iter().map(|failure| {
        let message = &failure.diagnostic.message;
        format!(
            "{message}: expected {}, found {}",
            failure.expected, failure.found
        )
    });
    let failures: Vec<String> = failures.collect();
    let end = match failures.as_slice() {
        [] => "the scenario passes".to_owned(),
        failures => failures.join("\n"),
    };
    Ok(Course {
        program: Arc::new(watched.program),
        sources: watched.sources,
        tape,
        end,
    })
}

/// Records a game that was played before.
pub fn of_record(record: &Record, program: Arc<Program>, sources: Sources) -> Course {
    let mut tape = Tape::default();
    let played = play_again(record, &program, &mut tape);
    let end = match played {
        Err(End::Replay(error)) => error.to_string(),
        Err(End::Stopped(stopped)) => stopped.reason,
        Ok(()) => OVER.to_owned(),
    };
    Course {
        program,
        sources,
        tape,
        end,
    }
}

/// Records a game in which every seat chooses at random.
pub fn of_random_game(seed: [u8; 32], program: Arc<Program>, sources: Sources) -> Course {
    let mut tape = Tape::default();
    let played = play_at_random(seed, &program, &mut tape);
    let end = played.map_or_else(|stopped| stopped.reason, |()| OVER.to_owned());
    Course {
        program,
        sources,
        tape,
        end,
    }
}

const OVER: &str = "the game is over";

/// Why a record was not played to its end.
enum End {
    Replay(ReplayError),
    Stopped(Stopped),
}

impl From<ReplayError> for End {
    fn from(error: ReplayError) -> End {
        End::Replay(error)
    }
}

fn play_again(record: &Record, program: &Program, tape: &mut Tape) -> Result<(), End> {
    let seed = record.fair_seed().map_err(ReplayError::from)?;
    start(program, seed, &mut Seeded, tape).map_err(|fault| End::Stopped(fault.into()))?;
    let played = replay::play(record, program, &mut |rest: Rest<'_>| {
        let Some((owed, choice)) = rest.next else {
            return Ok(());
        };
        let mut state = rest.state.clone();
        let played = step_legal(program, &mut state, owed.index, choice, &mut Seeded, tape);
        played.map_err(|error| End::Stopped(error.into()))
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
