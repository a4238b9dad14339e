//! Choices survive JSON: what a client is told it can send back, and two choices are never told alike.

use super::found::Found;
use super::rest::{Rest, expect};
use crate::engine::{Viewer, choice_from_json, choice_to_json};

/// Longer lists are looked at so far.
const CHOICES_MAX: usize = 60;

pub(super) fn check(rest: &mut Rest<'_>) -> Result<(), Found> {
    for owed in rest.owed {
        let viewer = Viewer::Seat(owed.seat);
        let mut before = Vec::new();
        let choices = rest
            .choices(owed, CHOICES_MAX)
            .map_err(|fault| fault.to_string())?;
        for choice in choices {
            let json = choice_to_json(rest.program, rest.state, owed, &choice, viewer);
            let back = choice_from_json(rest.program, rest.state, owed, &json);
            expect(back.as_ref() == Ok(&choice), || {
                format!("{choice:?} is told as {json}, which is understood as {back:?}")
            })?;
            expect(!before.contains(&json), || {
                format!("two choices are told as {json}")
            })?;
            before.push(json);
        }
    }
    Ok(())
}
