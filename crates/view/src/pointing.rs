//! Choices as their seat can refer to them: a component that it cannot identify is named by its place.
//!
//! In two states that look alike to the seat, the same reference may mean two components, but is one choice.

use wyrmgate_engine::{BoundValue, Choice, Pending, State, sees};
use wyrmgate_program::{BinderInfo, NONE, Program, Type};

/// Places are counted from 1 and are fewer than these.
const PLACES: i32 = 1 << 14;
/// Numbers from here down are places; above are nothing and components.
const FIRST_PLACE: i32 = NONE - 1;

/// Returns the choice with places instead of components that its seat cannot identify.
pub fn pointed(program: &Program, state: &State, owed: &Pending, choice: &Choice) -> Choice {
    let mut choice = choice.clone();
    each_component(program, owed, &mut choice, &mut |component| {
        if component < 0 || sees(program, state, owed.seat, component) {
            return Some(component);
        }
        let place = state.place_of(component).clamp(0, PLACES - 1);
        let at = state
            .zone_of(component)
            .saturating_mul(PLACES)
            .saturating_add(place);
        Some(FIRST_PLACE - at)
    });
    choice
}

/// Returns the choice to which these places refer in this state; `None` if a place is empty.
pub fn meant(program: &Program, state: &State, owed: &Pending, choice: &Choice) -> Option<Choice> {
    let mut choice = choice.clone();
    let mut all_there = true;
    each_component(program, owed, &mut choice, &mut |pointed| {
        if pointed > FIRST_PLACE {
            return Some(pointed);
        }
        let at = FIRST_PLACE.saturating_sub(pointed);
        let place = usize::try_from(at % PLACES).unwrap_or(0);
        let mut members = state.members(at / PLACES);
        let found = members.nth(place.wrapping_sub(1));
        all_there &= found.is_some();
        found
    });
    all_there.then_some(choice)
}

fn each_component(
    program: &Program,
    owed: &Pending,
    choice: &mut Choice,
    change: &mut dyn FnMut(i32) -> Option<i32>,
) {
    let option = program.option(owed.site, choice.option);
    let binders = option.into_iter().flat_map(|option| &option.binders);
    let is_component = |binder: &BinderInfo| matches!(binder.of, Type::Component(_));
    for (arg, _) in choice
        .args
        .iter_mut()
        .zip(binders)
        .filter(|(_, binder)| is_component(binder))
    {
        let values = match arg {
            BoundValue::One(value) => std::slice::from_mut(value),
            BoundValue::Many(values) => values.as_mut_slice(),
        };
        for value in values {
            *value = change(*value).unwrap_or(*value);
        }
    }
}
