//! What is not listed is rejected with a reason and changes nothing. Choices are tried that are near to legal ones.

use super::found::Found;
use super::rest::{Rest, expect};
use crate::bot::RandomBot;
use crate::engine::{
    Arg, Choice, Collect, Pending, Seeded, State, StepError, explain, is_legal, step,
};
use crate::program::Program;

/// In longer lists it is not known what is missing.
const CHOICES_MAX: usize = 500;

/// Tried for each decision.
const TRIES: usize = 12;

pub(super) fn check(rest: &mut Rest<'_>) -> Result<(), Found> {
    for owed in rest.owed {
        let all = rest
            .choices(owed, CHOICES_MAX)
            .map_err(|fault| fault.to_string())?;
        if all.len() == CHOICES_MAX {
            continue;
        }
        for _ in 0..TRIES {
            let at = rest.dice.below(all.len() as u64) as usize;
            let Some(choice) = all.get(at) else { break };
            let other = near(choice, rest.dice);
            let listed = all.contains(&other);
            let legal = is_legal(rest.program, rest.state, owed, &other);
            expect(legal == Ok(listed), || {
                format!("{other:?}: listed is {listed}, accepted is {legal:?}")
            })?;
            if !listed {
                rejected(rest.program, rest.state, owed, &other)?;
            }
        }
    }
    Ok(())
}

/// Choices near a legal one: other values, shorter and longer lists, other options.
fn near(choice: &Choice, dice: &mut RandomBot) -> Choice {
    let mut other = choice.clone();
    let number = dice.below(other.args.len() as u64) as usize;
    match other.args.get_mut(number) {
        Some(Arg::One(value)) => *value = value.wrapping_add(dice.below(9) as i32 - 4),
        Some(Arg::Many(values)) if dice.below(2) == 0 => {
            let at = dice.below(values.len() as u64 + 1) as usize;
            values.insert(at, dice.below(12) as i32 - 1);
        }
        Some(Arg::Many(values)) => {
            values.pop();
            values.reverse();
        }
        None => other.option = other.option.wrapping_add(dice.below(3) as u16),
    }
    if dice.below(6) == 0 {
        other.option = dice.below(4) as u16;
    }
    if dice.below(12) == 0 {
        other.args.push(Arg::One(0));
    }
    other
}

fn rejected(
    program: &Program,
    before: &State,
    owed: &Pending,
    choice: &Choice,
) -> Result<(), Found> {
    let mut state = before.clone();
    let mut events = Collect::default();
    let answer = step(
        program,
        &mut state,
        owed.index,
        choice,
        &mut Seeded,
        &mut events,
    );
    let Err(StepError::Rejected(rejection)) = answer else {
        let answer = match answer {
            Err(StepError::Fault(fault)) => fault.to_string(),
            _ => "accepted".to_owned(),
        };
        return Err(format!("{} is not listed, and is answered: {answer}", told(choice)).into());
    };
    let explained = explain(program, before, owed, choice);
    expect(
        rejection == explained && !rejection.message.is_empty(),
        || format!("{choice:?} is rejected as {rejection:?} and explained as {explained:?}"),
    )?;
    expect(state == *before && events.0.is_empty(), || {
        format!("{choice:?} is rejected and has changed something")
    })
}

/// A choice in short: its option and the values of its names.
fn told(choice: &Choice) -> String {
    let args = choice.args.iter().map(|arg| match arg {
        Arg::One(value) => value.to_string(),
        Arg::Many(values) => format!("{:?}", values.as_slice()),
    });
    let args: Vec<String> = args.collect();
    format!("option {} with ({})", choice.option, args.join(", "))
}
