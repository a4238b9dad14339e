//! Any seat can resign at any time: the others play on, and nothing is asked of it any more.

use super::found::LawFinding;
use super::rest::LawRest;
use wyrmgate_engine::{
    Choice, EndReason, Seeded, Silent, StepError, count_choices, pending, sides_left, step,
};
use wyrmgate_program::Program;

pub(super) fn concerns(program: &Program) -> bool {
    program.code.resigns.is_some()
}

pub(super) fn check(rest: &mut LawRest<'_>) -> Result<(), LawFinding> {
    let program = rest.program;
    let mut state = rest.state.clone();
    for _ in 0..program.seats {
        if state.is_finished() {
            break;
        }
        let seat = rest.dice.below(program.seats as u64) as usize;
        let choice = Choice::resigning(EndReason::Resigned);
        match step(program, &mut state, seat, &choice, &mut Seeded, &mut Silent) {
            Ok(()) => {}
            Err(StepError::Refused(_)) => continue, // it has resigned
            Err(error @ StepError::Fault(_)) => return Err(error.into()),
        }
        if sides_left(program, &state).len() < 2 {
            break;
        }
        let owed = pending(program, &state);
        if owed.iter().any(|owed| usize::from(owed.seat) == seat) {
            return Err(format!("seat {} has resigned and is asked", seat + 1).into());
        }
        if owed.is_empty() && !state.is_finished() {
            return Err("nobody can act after a seat has resigned".into());
        }
        for owed in &owed {
            if count_choices(program, &state, owed)? == 0 {
                return Err(LawFinding::from("a decision without a choice").asked(program, owed));
            }
        }
    }
    Ok(())
}
