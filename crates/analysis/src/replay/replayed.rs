//! A recorded game that is played again, choice by choice.

use crate::record::Entry;
use wyrmgate_engine::{self as engine, Chance, Choice, Collect, Fault, Pending, State, StepError};
use wyrmgate_program::Program;
use wyrmgate_view::{Rejection, Stopped, sentence};

/// A recorded choice that cannot be made. Choices are numbered from 1; 0 is everything before the first.
#[derive(Debug, thiserror::Error)]
#[error("choice {number}{problem}")]
pub struct BadChoice {
    pub number: usize,
    pub problem: ReplayProblem,
}

/// Why a recorded choice cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum ReplayProblem {
    #[error(": seat {0} does not owe this decision")]
    NotOwed(u8),
    #[error(" is refused: {0}")]
    Refused(Rejection),
    #[error(": {}", sentence(.0))]
    Fault(Fault),
}

impl BadChoice {
    /// Returns the place in the rules, if they refuse the choice or exceed a limit.
    pub fn stopped(&self) -> Option<Stopped> {
        let stopped: Stopped = match &self.problem {
            ReplayProblem::NotOwed(_) => return None,
            ReplayProblem::Refused(rejection) => rejection.clone().into(),
            ReplayProblem::Fault(fault) => fault.clone().into(),
        };
        let before = u32::try_from(self.number.saturating_sub(1)).unwrap_or(u32::MAX);
        Some(Stopped {
            reason: self.to_string(),
            ..stopped.after(before)
        })
    }
}

pub(super) struct Replayed<'p> {
    pub program: &'p Program,
    pub state: State,
    pub events: Collect,
}

impl<'p> Replayed<'p> {
    pub fn start(
        program: &'p Program,
        seed: [u8; 32],
        chance: &mut dyn Chance,
    ) -> Result<Replayed<'p>, BadChoice> {
        let mut events = Collect::default();
        let state = engine::start(program, seed, chance, &mut events);
        let state = state.map_err(|fault| bad(0, ReplayProblem::Fault(fault)))?;
        Ok(Replayed {
            program,
            state,
            events,
        })
    }

    /// Returns the decision that a recorded choice answers, and the choice.
    pub fn read(&self, number: usize, entry: &Entry) -> Result<(Pending, Choice), BadChoice> {
        let problem = |problem: Option<Rejection>| match problem {
            Some(rejection) => bad(number, ReplayProblem::Refused(rejection)),
            None => bad(number, ReplayProblem::NotOwed(entry.seat)),
        };
        entry.read(self.program, &self.state).map_err(problem)
    }

    pub fn step(
        &mut self,
        number: usize,
        pending: &Pending,
        choice: &Choice,
        chance: &mut dyn Chance,
    ) -> Result<(), BadChoice> {
        let (program, index) = (self.program, pending.index);
        let (state, events) = (&mut self.state, &mut self.events);
        let stepped = engine::step(program, state, index, choice, chance, events);
        stepped.map_err(|error| {
            let state = &self.state;
            let problem = match error {
                StepError::Fault(fault) => ReplayProblem::Fault(fault),
                StepError::Refused(refused) => {
                    ReplayProblem::Refused(Rejection::of(program, state, pending.seat, refused))
                }
            };
            bad(number, problem)
        })
    }
}

fn bad(number: usize, problem: ReplayProblem) -> BadChoice {
    BadChoice { number, problem }
}
