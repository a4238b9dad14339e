//! Looking on changes nothing: a move with its events told and its choice tested makes the same state as one without.

use super::found::Found;
use super::rest::{Rest, expect};
use crate::engine::{Collect, Seeded, Silent, step, step_legal};

pub(super) fn check(rest: &mut Rest<'_>) -> Result<(), Found> {
    let Some(owed) = rest.any_owed() else {
        return Ok(());
    };
    let choice = rest.draw(&owed)?;
    let (mut watched, mut unwatched) = (rest.state.clone(), rest.state.clone());
    let (program, index) = (rest.program, owed.index);
    let mut events = Collect::default();
    let seen = step(
        program,
        &mut watched,
        index,
        &choice,
        &mut Seeded,
        &mut events,
    );
    let unseen = step_legal(
        program,
        &mut unwatched,
        index,
        &choice,
        &mut Seeded,
        &mut Silent,
    );
    expect(seen == unseen, || {
        format!("{choice:?}: {seen:?} watched, {unseen:?} unwatched")
    })?;
    expect(seen.is_err() || watched == unwatched, || {
        format!("{choice:?} makes another state when it is watched")
    })
}
