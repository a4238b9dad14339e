//! Listed choices are accepted and counted: the list, the count, the n-th choice, the test and the draw agree.

use super::found::{LawFinding, choice_in_words};
use super::rest::LawRest;
use wyrmgate_engine::{Choice, Pending, count_choices, is_legal, nth_choice};

/// Longer lists are looked at so far.
const CHOICES_MAX: usize = 100;

pub(super) fn check(rest: &mut LawRest<'_>) -> Result<(), LawFinding> {
    for owed in rest.owed {
        decision(rest, owed).map_err(|found| found.asked(rest.program, owed))?;
    }
    Ok(())
}

fn decision(rest: &mut LawRest<'_>, owed: &Pending) -> Result<(), LawFinding> {
    let all = rest.choices(owed, CHOICES_MAX)?;
    counted(rest, owed, &all)?;
    for (number, choice) in all.iter().enumerate() {
        accepted(rest, owed, number as u64, choice)?;
    }
    listed_once(rest, owed, &all)?;
    let drawn = rest.draw(owed)?;
    match all.len() == CHOICES_MAX || all.contains(&drawn) {
        true => Ok(()),
        false => Err(wrong(rest, owed, &drawn, "was drawn but is not listed")),
    }
}

/// Describes a violation by a choice.
fn wrong(rest: &LawRest<'_>, owed: &Pending, choice: &Choice, what: &str) -> LawFinding {
    rest.wrong(owed, choice, what, what)
}

fn counted(rest: &LawRest<'_>, owed: &Pending, all: &[Choice]) -> Result<(), LawFinding> {
    let count = count_choices(rest.program, rest.state, owed)?;
    if count.min(CHOICES_MAX as u64) == all.len() as u64 {
        return Ok(());
    }
    Err(LawFinding {
        cause: Some("counted".to_owned()),
        ..format!("{count} choices are counted and {} listed", all.len()).into()
    })
}

fn accepted(
    rest: &LawRest<'_>,
    owed: &Pending,
    number: u64,
    choice: &Choice,
) -> Result<(), LawFinding> {
    let nth = nth_choice(rest.program, rest.state, owed, number)?;
    if nth.as_ref() != Some(choice) {
        let nth = nth.map_or("none".to_owned(), |nth| {
            choice_in_words(rest.program, rest.state, owed, &nth)
        });
        let what = "is listed, but another choice has its number";
        let mut found = wrong(rest, owed, choice, what);
        found.notes.push(format!("number {number} is {nth}"));
        return Err(found);
    }
    match is_legal(rest.program, rest.state, owed, choice)? {
        true => Ok(()),
        false => Err(wrong(rest, owed, choice, "is listed but refused")),
    }
}

fn listed_once(rest: &LawRest<'_>, owed: &Pending, all: &[Choice]) -> Result<(), LawFinding> {
    for (number, choice) in all.iter().enumerate() {
        if all.iter().take(number).any(|other| other == choice) {
            return Err(wrong(rest, owed, choice, "is listed twice"));
        }
    }
    Ok(())
}
