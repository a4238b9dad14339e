//! Visibility: the only module that decides who may know which component lies where. Views, events, names and the order
//! of choices use it.
//!
//! A face-down component is hidden from everybody, except in zones that their owner sees. A seat that was shown a
//! component knows it until it moves or is shuffled. The contents of a hidden component are hidden too.

use smallvec::SmallVec;

use crate::eval::{Eval, Scratch};
use crate::fault::FaultKind;
use crate::layout::SHOWN_SHIFT;
use crate::limit::FUEL_PER_MOVE;
use crate::seen::{EventSight, SeenComponent, SeenValue};
use crate::state::State;
use crate::viewer::{EVERYBODY, SEATS, Viewer, Viewers, bit_of_seat};
use wyrmgate_program::{ExprId, NONE, Program, See, Temp, Type, ZoneId, ZoneInfo};

/// Returns who may know which component this is.
pub fn viewers(program: &Program, state: &State, component: i32) -> Viewers {
    let mut found = EVERYBODY;
    let mut component = component;
    // No chain of holders is longer than there are components.
    for _ in 0..=state.layout.components {
        let zone = state.zone_of(component);
        let Some(info) = program.zone_info(zone) else {
            return 0;
        };
        let shown = state.flags(component) >> SHOWN_SHIFT & SEATS;
        found &= shown as Viewers | by_zone(program, state, component, zone, info);
        let Some(holder) = info.inside else {
            return found;
        };
        component = i32::from(holder);
    }
    0
}

/// Returns the component that contains a zone.
pub fn holder_of(program: &Program, zone: i32) -> Option<i32> {
    program.zone_info(zone)?.inside.map(i32::from)
}

/// Returns who may know which zone this is: for a zone in a component, those who may know which component that is; nobody if
/// there is no such zone.
pub fn viewers_of_zone(program: &Program, state: &State, zone: i32) -> Viewers {
    match program.zone_info(zone).map(|info| info.inside) {
        Some(Some(holder)) => viewers(program, state, i32::from(holder)),
        Some(None) => EVERYBODY,
        None => 0,
    }
}

fn by_zone(
    program: &Program,
    state: &State,
    component: i32,
    zone: i32,
    info: &ZoneInfo,
) -> Viewers {
    let face_up = !state.is_face_down(component);
    match info.see {
        See::Owner => info.owner.map_or(0, bit_of_seat),
        See::All if face_up => EVERYBODY,
        See::Top if face_up && state.next(component) == NONE => EVERYBODY,
        See::If(condition) if face_up => where_true(program, state, condition, zone),
        See::All | See::Top | See::If(_) | See::Count | See::Nothing => 0,
    }
}

/// Returns the viewers for whom a condition holds: viewer in temp 0, `about` in temp 1. A condition concerns seats. Any
/// player could look without a token, so the public sees what every seat may see, and no more.
fn where_true(program: &Program, state: &State, condition: ExprId, about: i32) -> Viewers {
    let seats = 0..state.layout.seats;
    let holding = seats.filter(|seat| holds(program, state, condition, *seat as i32, about));
    let viewers = holding.fold(0, |viewers, seat| viewers | 1 << seat);
    let everyone = ((1u32 << state.layout.seats) - 1) as Viewers;
    if viewers == everyone {
        return EVERYBODY;
    }
    viewers
}

/// The temps of a condition: a seat, and the zone or the index of the variable that it may see.
pub const VIEWER: Temp = 0;
pub const ABOUT: Temp = 1;

/// Returns whether a condition of visibility holds. One that cannot be evaluated does not. It has a budget of its own, so
/// observing costs a game nothing.
fn holds(program: &Program, state: &State, condition: ExprId, viewer: i32, about: i32) -> bool {
    let mut scratch = Scratch::new(FUEL_PER_MOVE, FaultKind::Fuel);
    scratch.asks_who_sees = true;
    let mut eval = Eval::new(program, state, &mut scratch, 0);
    eval.set_temp(VIEWER, viewer);
    eval.set_temp(ABOUT, about);
    eval.truth(condition).unwrap_or(false)
}

/// Returns whether this seat may know which component it is.
pub fn sees(program: &Program, state: &State, seat: u8, component: i32) -> bool {
    // Outside of components, what other seats see does not matter.
    let number = state.zone_of(component);
    let zone = program.zone_info(number);
    if let Some(zone) = zone.filter(|zone| zone.inside.is_none()) {
        let face_up = !state.is_face_down(component);
        let sees = match zone.see {
            See::All => face_up,
            See::Owner => zone.owner == Some(seat),
            See::Top => face_up && state.next(component) == NONE,
            See::If(_) | See::Count | See::Nothing => false,
        };
        let shown = state.flags(component) >> SHOWN_SHIFT & SEATS;
        return sees
            || Viewer::Seat(seat).is_among(shown as Viewers)
            || matches!(zone.see, See::If(condition) if face_up
                && holds(program, state, condition, seat.into(), number));
    }
    Viewer::Seat(seat).is_among(viewers(program, state, component))
}

pub fn sees_as(program: &Program, state: &State, viewer: Viewer, component: i32) -> bool {
    match viewer {
        Viewer::Omniscient(_) => true,
        Viewer::Seat(seat) => sees(program, state, seat, component),
        Viewer::Public => viewer.is_among(viewers(program, state, component)),
    }
}

/// Returns a component for an event: where it lies now, and who may know what of that.
pub fn seen(program: &Program, state: &State, component: i32) -> SeenComponent {
    seen_at(program, state, component, state.place_of(component))
}

/// Returns the same as [`seen`], for a component whose place in its zone is known.
pub fn seen_at(program: &Program, state: &State, component: i32, place: i32) -> SeenComponent {
    let zone = state.zone_of(component);
    SeenComponent {
        component: component.max(0) as u16,
        sight: EventSight {
            by: viewers(program, state, component),
            ..located(program, state, component)
        },
        zone: zone.max(0) as u16,
        place,
    }
}

/// Returns who may know where a component lies now: its zone, and its place in the zone.
pub fn located(program: &Program, state: &State, component: i32) -> EventSight {
    let zone = state.zone_of(component);
    let located = viewers_of_zone(program, state, zone);
    let placed = match program.zone_info(zone) {
        Some(_) if tells_places(program, zone) => EVERYBODY,
        Some(info) => by_zone(program, state, component, zone, info),
        None => 0,
    };
    EventSight {
        by: 0,
        placed: placed & located,
        located,
    }
}

/// Returns a value for an event, a text or a view: all its references to components, with who may know them.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the others need nothing special"
)]
pub fn seen_value(program: &Program, state: &State, value: i32, of: Type) -> SeenValue {
    match of {
        Type::Component(_) if state.is_component(value) => {
            SeenValue::Component(seen(program, state, value))
        }
        Type::Zone(_) => match holder_of(program, value) {
            Some(holder) => SeenValue::Inside(seen(program, state, holder)),
            None => SeenValue::Plain(value),
        },
        _ => SeenValue::Plain(value),
    }
}

/// Returns whether this viewer can read the back of a component where it lies now: in a pile only that of the top one,
/// and in a component only viewers who may know which one that is.
pub fn reads_back(program: &Program, state: &State, viewer: Viewer, component: i32) -> bool {
    viewer.is_among(back_readers(program, state, component))
}

/// Returns who can read the back of a component where it lies now.
pub fn back_readers(program: &Program, state: &State, component: i32) -> Viewers {
    let zone = state.zone_of(component);
    let lies_open = program.zone_info(zone).is_some_and(|info| match info.see {
        See::All | See::Owner | See::If(_) => true,
        See::Count | See::Top => state.next(component) == NONE,
        See::Nothing => false,
    });
    match lies_open {
        true => viewers_of_zone(program, state, zone),
        false => 0,
    }
}

/// Returns whether this viewer may know the number of components in the zone, and the visible backs.
pub fn counts(program: &Program, state: &State, viewer: Viewer, zone: i32) -> bool {
    if viewer.is_omniscient() {
        return true;
    }
    viewer.is_among(noticing(program, state, zone))
}

/// Returns whether places in a zone are public to all who know of it. A hand hides them: its owner arranges it freely.
pub fn tells_places(program: &Program, zone: i32) -> bool {
    program.zone_info(zone).is_some_and(|info| match info.see {
        See::All | See::Count | See::Top => true,
        See::Owner | See::If(_) | See::Nothing => false,
    })
}

/// Returns the components of a zone in the order that a viewer may know. That is the physical order if the viewer sees
/// places. Otherwise, if the viewer sees nothing of the unknown ones, the known ones come first, in the order of the
/// rules. The position of a card that was once shown in a hand therefore reveals nothing about other cards that come
/// and go.
pub fn as_they_lie_for(
    program: &Program,
    state: &State,
    viewer: Viewer,
    zone: i32,
) -> SmallVec<[i32; 16]> {
    let mut lying: SmallVec<[i32; 16]> = state.members(zone).collect();
    if viewer.is_omniscient() || tells_places(program, zone) {
        return lying;
    }
    let is_placed = |component: &i32| viewer.is_among(located(program, state, *component).placed);
    let has_back = lying.iter().any(|component| has_back(program, *component));
    if !has_back && !lying.iter().all(is_placed) {
        lying.sort_by_cached_key(|component| {
            let is_known = sees_as(program, state, viewer, *component);
            (!is_known, if is_known { *component } else { NONE })
        });
    }
    lying
}

/// Returns whether anything can be read on its back.
pub fn has_back(program: &Program, component: i32) -> bool {
    let kind = program.kind_of(component);
    kind.is_some_and(|kind| kind.fields.iter().any(|field| field.on_back))
}

/// Returns an order that reveals nothing to a viewer: components it can identify come first, by number, then the others
/// in physical order.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the others need nothing special"
)]
pub fn by_what_is_known(
    program: &Program,
    state: &State,
    viewer: Viewer,
    value: i32,
    of: Type,
) -> (bool, i32, i32) {
    let hidden = match of {
        Type::Component(_) if state.is_component(value) => Some(value),
        Type::Zone(_) => holder_of(program, value),
        _ => None,
    };
    let hidden = hidden.filter(|component| !sees_as(program, state, viewer, *component));
    match hidden {
        Some(component) => (true, state.zone_of(component), state.place_of(component)),
        None => (false, value, 0),
    }
}

/// Returns the components, first to last, that the seat does not see, of a zone whose places are public.
pub fn hidden_order(program: &Program, state: &State, seat: u8, zone: ZoneId) -> Vec<i32> {
    let zone = i32::from(zone);
    if !tells_places(program, zone) {
        return Vec::new();
    }
    let members = state.members(zone);
    let hidden = members.filter(|component| !sees(program, state, seat, *component));
    hidden.collect()
}

/// Returns who notices that something moves to or from a zone: viewers who may know how many components lie in it.
pub fn noticing(program: &Program, state: &State, zone: i32) -> Viewers {
    match program.zone_info(zone) {
        Some(info) if info.see != See::Nothing => viewers_of_zone(program, state, zone),
        _ => 0,
    }
}

/// Returns who may know one word of a variable. A value about a component is visible like its fields: to those who may
/// know which one it is.
pub fn viewers_of_var(program: &Program, state: &State, var: usize, index: u32) -> Viewers {
    let Some(info) = program.vars.get(var) else {
        return 0;
    };
    let of = info.low.saturating_add(index as i32);
    let declared = match info.see {
        See::All => EVERYBODY,
        See::Owner if info.index == Some(Type::Seat) => bit_of_seat(index),
        See::If(condition) => where_true(program, state, condition, of),
        See::Owner | See::Count | See::Nothing | See::Top => 0,
    };
    match info.index {
        Some(Type::Component(_)) => declared & viewers(program, state, of),
        Some(Type::Zone(_)) => declared & viewers_of_zone(program, state, of),
        _ => declared,
    }
}
