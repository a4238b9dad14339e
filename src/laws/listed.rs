//! What is listed is accepted and counted: the list, the count, the n-th, the test and the draw are of one mind.

use super::found::Found;
use super::rest::{Rest, expect};
use crate::engine::{Choice, Pending, count_choices, is_legal, nth_choice};

/// Longer lists are looked at so far.
const CHOICES_MAX: usize = 100;

pub(super) fn check(rest: &mut Rest<'_>) -> Result<(), Found> {
    for owed in rest.owed {
        let all = rest.choices(owed, CHOICES_MAX).map_err(told)?;
        counted(rest, owed, &all)?;
        for (number, choice) in all.iter().enumerate() {
            accepted(rest, owed, number as u64, choice)?;
        }
        listed_once(&all)?;
        let drawn = rest.draw(owed)?;
        expect(all.len() == CHOICES_MAX || all.contains(&drawn), || {
            format!("{drawn:?} was drawn and is not listed")
        })?;
    }
    Ok(())
}

fn told(fault: crate::engine::Fault) -> String {
    fault.to_string()
}

fn counted(rest: &Rest<'_>, owed: &Pending, all: &[Choice]) -> Result<(), Found> {
    let count = count_choices(rest.program, rest.state, owed).map_err(told)?;
    expect(count.min(CHOICES_MAX as u64) == all.len() as u64, || {
        format!("{count} choices are counted and {} listed", all.len())
    })
}

fn accepted(rest: &Rest<'_>, owed: &Pending, number: u64, choice: &Choice) -> Result<(), Found> {
    let nth = nth_choice(rest.program, rest.state, owed, number).map_err(told)?;
    expect(nth.as_ref() == Some(choice), || {
        format!("choice {number} is {nth:?}, and listed as {choice:?}")
    })?;
    let legal = is_legal(rest.program, rest.state, owed, choice).map_err(told)?;
    expect(legal, || format!("{choice:?} is listed and not accepted"))
}

fn listed_once(all: &[Choice]) -> Result<(), Found> {
    for (number, choice) in all.iter().enumerate() {
        let before = all.iter().take(number);
        expect(!before.into_iter().any(|other| other == choice), || {
            format!("{choice:?} is listed twice")
        })?;
    }
    Ok(())
}
