//! Components that are listed once are alike: to choose another one leads to the same position, except for their numbers.

use super::found::LawFinding;
use super::make;
use super::rest::LawRest;
use wyrmgate_engine::{
    BoundValue, Choice, Pending, PositionKeys, Silent, State, is_legal, listed_alike, nth_choice,
    pending, sorted_choice,
};
use wyrmgate_program::Program;

/// Maximum number of compared choices.
const CHOICES_MAX: usize = 20;

pub(super) fn concerns(program: &Program) -> bool {
    program.may_be_alike(None)
}

pub(super) fn check(rest: &mut LawRest<'_>) -> Result<(), LawFinding> {
    for owed in rest.owed {
        for choice in rest.choices(owed, CHOICES_MAX)? {
            let other = with_another(rest, owed, &choice)?;
            if let Some(other) = other
                && !lead_to_the_same(rest, owed, [&choice, &other])
            {
                let what = "is not listed, but does not lead to the same position as what is listed in its place";
                return Err(rest.wrong(owed, &other, what, "alike"));
            }
        }
    }
    Ok(())
}

/// Returns a choice that is legal and not listed because of this one: with another component in place of one.
fn with_another(
    rest: &LawRest<'_>,
    owed: &Pending,
    choice: &Choice,
) -> Result<Option<Choice>, LawFinding> {
    for (name, arg) in choice.args.iter().enumerate() {
        for (at, &component) in arg.values().iter().enumerate() {
            let Some(class) = rest.program.classes().shared(component) else {
                continue;
            };
            let members = rest.program.classes().members.get(class);
            let (first, count) = members.copied().unwrap_or_default();
            for another in (first..first + count).map(|another| another as i32) {
                let mut other = choice.clone();
                match other.args.get_mut(name) {
                    Some(BoundValue::One(value)) => *value = another,
                    Some(BoundValue::Many(values)) => values
                        .iter_mut()
                        .skip(at)
                        .take(1)
                        .for_each(|value| *value = another),
                    None => {}
                }
                let other = sorted_choice(rest.program, rest.state, owed, &other)?;
                if other != *choice
                    && is_legal(rest.program, rest.state, owed, &other)?
                    && listed_alike(rest.program, rest.state, owed, &other)? == *choice
                {
                    return Ok(Some(other));
                }
            }
        }
    }
    Ok(None)
}

/// Returns whether two choices lead to the same position, except for the numbers of components. Where seats choose at the
/// same time, that is the position after the others have chosen: until then the game keeps the choice as it was made. Also
/// returns true if chance decides, or if suspended code refers to the chosen components.
fn lead_to_the_same(rest: &LawRest<'_>, owed: &Pending, choices: [&Choice; 2]) -> bool {
    let positions = PositionKeys::new(rest.program);
    let after = choices.map(|choice| {
        let state = together(rest, owed, choice)?;
        let spoken_of = positions.speaks_of(&state);
        let mut chosen = choice.args.iter().flat_map(BoundValue::values);
        let is_open = state.draws_made() == rest.state.draws_made()
            && !chosen.any(|component| spoken_of.contains(component));
        is_open.then(|| positions.key_of_kinds(&state))
    });
    match after {
        [Some(one), Some(other)] => one == other,
        _ => true,
    }
}

/// Makes a choice, and the first choice of every other seat that owes one.
fn together(rest: &LawRest<'_>, owed: &Pending, choice: &Choice) -> Option<State> {
    let mut state = rest.state.clone();
    let step = |state: &mut State, owed: &Pending, choice: &Choice| {
        make(rest.program, state, owed, choice, &mut Silent).ok()
    };
    step(&mut state, owed, choice)?;
    for other in rest.owed.iter().filter(|other| other.seat != owed.seat) {
        let owing = pending(rest.program, &state);
        let other = owing.iter().find(|it| it.seat == other.seat)?;
        let first = nth_choice(rest.program, &state, other, 0).ok()??;
        step(&mut state, other, &first)?;
    }
    Some(state)
}
