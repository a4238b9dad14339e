//! An unlisted choice is rejected with a reason and changes nothing. The tried choices are close to legal ones.

use super::found::LawFinding;
use super::make;
use super::rest::LawRest;
use wyrmgate_engine::{
    BoundValue, Choice, Collect, Fault, Pending, State, StepError, is_legal, listed_alike,
};
use wyrmgate_program::Program;
use wyrmgate_search::bot::RandomBot;
use wyrmgate_view::{Rejection, explain, sentence};

/// Maximum length of a list: longer ones are incomplete.
const CHOICES_MAX: usize = 500;

/// Tried for each decision.
const TRIES: usize = 12;

pub(super) fn check(rest: &mut LawRest<'_>) -> Result<(), LawFinding> {
    for owed in rest.owed {
        let all = rest.choices(owed, CHOICES_MAX)?;
        if all.len() == CHOICES_MAX {
            continue;
        }
        for _ in 0..TRIES {
            let at = rest.dice.below(all.len() as u64) as usize;
            let Some(choice) = all.get(at) else { break };
            let other = near(choice, rest.dice);
            let listed = all.contains(&other);
            let legal = is_legal(rest.program, rest.state, owed, &other);
            let wrong = match (legal?, listed) {
                (true, false) if stands_for_another(rest, owed, &other, &all)? => None,
                (true, false) if has_given(rest.program, owed, &other) => None,
                (true, false) => Some("is accepted but not listed".to_owned()),
                (false, true) => Some("is listed but refused".to_owned()),
                (true, true) => None,
                (false, false) => rejected(rest.program, rest.state, owed, &other).err(),
            };
            if let Some(wrong) = wrong {
                return Err(rest.wrong(owed, &other, &wrong, "unlisted"));
            }
        }
    }
    Ok(())
}

/// Returns whether a choice stands for a listed one: of components that are alike, only the first ones are listed.
fn stands_for_another(
    rest: &LawRest<'_>,
    owed: &Pending,
    choice: &Choice,
    all: &[Choice],
) -> Result<bool, Fault> {
    let listed = listed_alike(rest.program, rest.state, owed, choice)?;
    Ok(listed != *choice && all.contains(&listed))
}

/// Returns whether a name of the choice can be given instead of listed.
fn has_given(program: &Program, owed: &Pending, choice: &Choice) -> bool {
    let option = program.option(owed.site, choice.option);
    option.is_some_and(|option| option.binders.iter().any(|name| name.may_be_given(program)))
}

/// Choices near a legal one: other values, shorter and longer lists, other options.
fn near(choice: &Choice, dice: &mut RandomBot) -> Choice {
    let mut other = choice.clone();
    let number = dice.below(other.args.len() as u64) as usize;
    match other.args.get_mut(number) {
        Some(BoundValue::One(value)) => *value = value.wrapping_add(dice.below(9) as i32 - 4),
        Some(BoundValue::Many(values)) if dice.below(2) == 0 => {
            let at = dice.below(values.len() as u64 + 1) as usize;
            values.insert(at, dice.below(12) as i32 - 1);
        }
        Some(BoundValue::Many(values)) => {
            values.pop();
            values.reverse();
        }
        None => other.option = other.option.wrapping_add(dice.below(3) as u16),
    }
    if dice.below(6) == 0 {
        other.option = dice.below(4) as u16;
    }
    if dice.below(12) == 0 {
        other.args.push(BoundValue::One(0));
    }
    other
}

/// Returns the mistake in the rejection of an unlisted choice, if there is one.
fn rejected(
    program: &Program,
    before: &State,
    owed: &Pending,
    choice: &Choice,
) -> Result<(), String> {
    let mut state = before.clone();
    let mut events = Collect::default();
    let rejection = match make(program, &mut state, owed, choice, &mut events) {
        Err(StepError::Refused(refused)) => Rejection::of(program, before, owed.seat, refused),
        Err(StepError::Fault(fault)) => {
            return Err(format!("ends with a fault: {}", sentence(&fault)));
        }
        Ok(()) => return Err("is not listed, but can be made".to_owned()),
    };
    let explained = explain(program, before, owed, choice);
    if rejection.message.is_empty() {
        return Err("is rejected without a reason".to_owned());
    }
    if rejection != explained {
        return Err(format!(
            "is rejected with `{rejection}`, but explained as `{explained}`"
        ));
    }
    if state != *before || !events.0.is_empty() {
        return Err("is rejected but has changed the state".to_owned());
    }
    Ok(())
}
