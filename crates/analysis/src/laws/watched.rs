//! Looking on changes nothing: a move with its events told and its choice tested makes the same state as one without.

use super::found::LawFinding;
use super::make;
use super::rest::LawRest;
use wyrmgate_engine::{Collect, Seeded, Silent, StepError, step_legal};
use wyrmgate_view::Stopped;

pub(super) fn check(rest: &mut LawRest<'_>) -> Result<(), LawFinding> {
    let Some(owed) = rest.any_owed() else {
        return Ok(());
    };
    let choice = rest.draw(&owed)?;
    let (mut watched, mut unwatched) = (rest.state.clone(), rest.state.clone());
    let (program, mut events) = (rest.program, Collect::default());
    let seen = make(program, &mut watched, &owed, &choice, &mut events);
    let (chance, index) = (&mut Seeded, owed.index);
    let unseen = step_legal(program, &mut unwatched, index, &choice, chance, &mut Silent);
    let wrong = if seen != unseen {
        format!(
            "{} when observed, and {} otherwise",
            ended(&seen),
            ended(&unseen)
        )
    } else if seen.is_ok() && watched != unwatched {
        "leads to a different state when it is observed".to_owned()
    } else {
        return Ok(());
    };
    Err(rest.wrong(&owed, &choice, &wrong, "watched"))
}

fn ended(step: &Result<(), StepError>) -> String {
    match step {
        Ok(()) => "can be made".to_owned(),
        Err(error) => format!("ends with `{}`", Stopped::from(error.clone())),
    }
}
