//! Non-interference: two states that differ only in what a seat may not know give it the same view, the same
//! decisions, the same names and the same refusals, byte for byte.

use super::rest::{Rest, expect};
use crate::engine::{
    Arg, Choice, Pending, State, Viewer, choice_to_json, decision_docs, default_choice, disguise,
    explain, pending, view,
};
use crate::program::Program;

/// Choices told of each decision.
const CHOICES_MAX: usize = 50;

/// Options with which a refusal is asked for.
const OPTIONS: u16 = 3;

pub(super) fn check(rest: &mut Rest<'_>) -> Result<(), String> {
    for seat in 0..rest.program.seats as u8 {
        let dice = &mut *rest.dice;
        let other = disguise(rest.program, rest.state, seat, &mut |n| dice.below(n));
        if other == *rest.state {
            continue;
        }
        let bytes = other.encode(rest.program);
        expect(State::decode(rest.program, &bytes).is_ok(), || {
            format!("what seat {} cannot tell apart is no sound state", seat + 1)
        })?;
        let (here, there) = (
            told(rest.program, rest.state, seat)?,
            told(rest.program, &other, seat)?,
        );
        if let Some((one, two)) = here.iter().zip(&there).find(|(one, two)| one != two) {
            return Err(format!(
                "seat {} is told `{}` or `{}`, by what it may not know",
                seat + 1,
                around_difference(one, two),
                around_difference(two, one)
            ));
        }
        expect(here.len() == there.len(), || {
            format!("seat {} owes decisions by what it may not know", seat + 1)
        })?;
    }
    Ok(())
}

/// All that a seat is told at a rest: its view, the decisions it owes, why choices are refused, and what is played for it
/// if it says nothing.
fn told(program: &Program, state: &State, seat: u8) -> Result<Vec<String>, String> {
    let mut told = vec![json(&view(program, state, Viewer::Seat(seat)))?];
    for owed in pending(program, state) {
        if owed.seat == seat {
            let docs = decision_docs(program, state, &owed, CHOICES_MAX, 0);
            told.push(json(&docs.map_err(|fault| fault.to_string())?)?);
            told.extend((0..OPTIONS).map(|option| refusal(program, state, &owed, option)));
            let default = default_choice(program, state, &owed);
            let viewer = Viewer::Seat(seat);
            let default = default.map(|it| choice_to_json(program, state, &owed, &it, viewer));
            told.push(json(&default)?);
        }
    }
    Ok(told)
}

fn json(value: &impl serde::Serialize) -> Result<String, String> {
    serde_json::to_string(value).map_err(|error| error.to_string())
}

fn refusal(program: &Program, state: &State, owed: &Pending, option: u16) -> String {
    let args = [Arg::One(0)].into_iter().collect();
    let rejection = explain(program, state, owed, &Choice { option, args });
    format!("{:?}", rejection.code)
}

/// The first characters that differ, with a little of what is around them.
fn around_difference(text: &str, other: &str) -> String {
    let same = text.chars().zip(other.chars());
    let same = same.take_while(|(one, two)| one == two).count();
    text.chars()
        .skip(same.saturating_sub(30))
        .take(70)
        .collect()
}
