//! Moves of components between zones.
//!
//! A move happens completely or not at all: nothing moves to or from `none`, into a full zone, into itself, or onto an
//! occupied cell of an open grid. One that would put components deeper into one another than the limit is a fault.

use crate::chance::Handling;
use crate::changes::Laid;
use crate::eval::ValueList;
use crate::event::{Event, Oddity};
use crate::fault::{FaultKind, Halt};
use crate::layout::FACE_DOWN;
use crate::limit::CONTENTS_DEPTH_MAX;
use crate::machine::{Machine, NextAction};
use crate::see;
use crate::seen::{EventSight, SeenComponent};
use crate::state::State;
use crate::viewer::Viewers;
use wyrmgate_program::{
    CellMove, ComponentDraw, ComponentMove, ExprId, MoveOfAll, MovePlace, NONE, Program, SetId,
};

pub fn move_one(m: &mut Machine, how: ComponentMove) -> Result<NextAction, Halt> {
    let what = m.value(how.what)?;
    let to = m.value(how.to)?;
    let place = wanted_place(m, how.place)?;
    shift(m, what, to, place, how.face_down)?;
    Ok(NextAction::Go)
}

pub fn move_all(m: &mut Machine, how: MoveOfAll) -> Result<NextAction, Halt> {
    let members = m.gather(how.what)?;
    let to = m.value(how.to)?;
    for what in members {
        m.scratch.spend()?;
        let place = wanted_place(m, how.place)?;
        shift(m, what, to, place, how.face_down)?;
    }
    Ok(NextAction::Go)
}

pub fn draw(m: &mut Machine, how: ComponentDraw) -> Result<NextAction, Halt> {
    let count = m.value(how.count)?;
    let from = m.value(how.from)?;
    let to = m.value(how.to)?;
    let there = m.state.zone_count(from);
    if count > there {
        let what = if there > 0 {
            Oddity::DrawnShort
        } else {
            Oddity::DrawnFromEmpty
        };
        m.tell(|observer, place| observer.odd(what, place));
    }
    for _ in 0..count.min(there) {
        m.scratch.spend()?;
        let top = m.state.zone_last(from);
        shift(m, top, to, WantedPosition::Last, how.face_down)?;
    }
    Ok(NextAction::Go)
}

pub fn move_to_cell(m: &mut Machine, how: CellMove) -> Result<NextAction, Halt> {
    let what = m.value(how.what)?;
    let zone = m.value(how.zone)?;
    let cell = m.value(how.cell)?;
    let turned = m.value(how.turned)?;
    let taken = m.state.at_cell(zone, cell);
    let is_free = cell >= 0 && (taken == NONE || taken == what);
    let moves = || can_move(m.program, m.state, what, zone);
    if is_free && moves().map_err(|kind| m.scratch.halt(kind))? {
        let before = ComponentBefore::note(m, what);
        let comes = m.state.cell_of(what) < 0;
        let grids = m.state.changes.grids;
        put_into(m.state, what, zone, WantedPosition::Last, how.face_down);
        m.state.set_cell(what, cell);
        let ways = m.state.layout.cells.count();
        m.state.set_turned(what, turned.rem_euclid(ways));
        if comes {
            m.state.changes.laid = Laid {
                component: what,
                before: grids,
                after: m.state.changes.grids,
            };
        }
        before.emit(m, what)?;
    }
    Ok(NextAction::Go)
}

/// Exchanges two components; each keeps its face.
pub fn swap(m: &mut Machine, one: ExprId, other: ExprId) -> Result<NextAction, Halt> {
    let mut pair = [m.value(one)?, m.value(other)?];
    if m.wants_events()
        && let Some(others) = m.chance.handled(m.state, Handling::Swap, &pair)
    {
        pair = others.try_into().unwrap_or([NONE; 2]);
    }
    let [one, other] = pair;
    let swaps = can_swap(m.program, m.state, one, other);
    if swaps.map_err(|kind| m.scratch.halt(kind))? {
        let (one_before, other_before) = (
            ComponentBefore::note(m, one),
            ComponentBefore::note(m, other),
        );
        exchange(m.state, one, other);
        one_before.emit(m, one)?;
        other_before.emit(m, other)?;
    }
    Ok(NextAction::Go)
}

/// Moves the contents of each zone to the next one, and those of the last to the first. The components keep their order
/// and their faces.
pub fn rotate(m: &mut Machine, zones: SetId) -> Result<NextAction, Halt> {
    let zones = m.gather(zones)?;
    let mut circle = ValueList::new();
    for zone in zones {
        if m.state.is_zone(zone) && !circle.contains(&zone) {
            circle.push(zone);
        }
    }
    if circle.len() < 2 || !can_rotate(m.program, m.state, &circle) {
        return Ok(NextAction::Go);
    }
    let (mut moved, mut to) = (ValueList::new(), ValueList::new());
    for (&from, &next) in circle.iter().zip(circle.iter().cycle().skip(1)) {
        moved.extend(m.state.members(from));
        to.resize(moved.len(), next);
    }
    for (&what, &to) in moved.iter().zip(&to) {
        let depth = check_depth(m.program, m.state, what, to);
        depth.map_err(|kind| m.scratch.halt(kind))?;
    }
    let mut before = Vec::new();
    for &what in moved.iter() {
        m.scratch.spend()?;
        if m.wants_events() {
            before.push(ComponentBefore::note(m, what));
        }
    }
    for &what in moved.iter() {
        m.state.remove(what);
    }
    for (&what, &to) in moved.iter().zip(&to) {
        let face = m.state.flags(what) & FACE_DOWN;
        m.state.lay(what, to, NONE, face);
    }
    let mut before = before.into_iter();
    for &what in moved.iter() {
        before
            .next()
            .unwrap_or(ComponentBefore(None))
            .emit(m, what)?;
    }
    Ok(NextAction::Go)
}

/// Returns whether the contents of each zone have room in the next one, and no zone lies inside what another contains.
fn can_rotate(program: &Program, state: &State, circle: &[i32]) -> bool {
    let mut next = circle.iter().zip(circle.iter().cycle().skip(1));
    let fits = next.all(|(from, to)| {
        let capacity = program.zone_info(*to).and_then(|info| info.capacity);
        capacity.is_none_or(|capacity| state.zone_count(*from) <= i32::from(capacity))
    });
    fits && circle.iter().all(|zone| {
        let mut around = zones_around(program, state, *zone);
        !around.any(|outer| circle.contains(&outer))
    })
}

/// The position of a component among those of its new zone.
#[derive(Debug, Clone, Copy)]
pub enum WantedPosition {
    First,
    Last,
    /// From 1, clamped.
    At(i32),
}

fn wanted_place(m: &mut Machine, place: MovePlace) -> Result<WantedPosition, Halt> {
    Ok(match place {
        MovePlace::Top => WantedPosition::Last,
        MovePlace::Bottom => WantedPosition::First,
        MovePlace::At(place) => WantedPosition::At(m.value(place)?),
    })
}

pub fn shift(
    m: &mut Machine,
    what: i32,
    to: i32,
    place: WantedPosition,
    face_down: bool,
) -> Result<(), Halt> {
    let to = match m.wants_events() {
        true => m.chance.moved(m.state, what, to),
        false => to,
    };
    let moves = can_move(m.program, m.state, what, to);
    if !moves.map_err(|kind| m.scratch.halt(kind))? {
        if m.state.is_component(what) && m.state.is_zone(to) && !has_room(m.program, m.state, to) {
            m.tell(|observer, place| observer.odd(Oddity::Stayed, place));
        }
        return Ok(());
    }
    let before = ComponentBefore::note(m, what);
    put_into(m.state, what, to, place, face_down);
    before.emit(m, what)
}

/// Moves a component without events; returns whether it has moved. See [`shift`] for moves with events.
#[inline]
pub fn shift_silently(
    program: &Program,
    state: &mut State,
    what: i32,
    to: i32,
    place: WantedPosition,
    face_down: bool,
) -> Result<bool, FaultKind> {
    let moves = can_move(program, state, what, to)?;
    if moves {
        put_into(state, what, to, place, face_down);
    }
    Ok(moves)
}

fn put_into(state: &mut State, what: i32, to: i32, place: WantedPosition, face_down: bool) {
    state.remove(what);
    let before = match place {
        WantedPosition::First => state.zone_first(to),
        WantedPosition::Last => NONE,
        WantedPosition::At(place) => state.at_place(to, place.max(1)),
    };
    // Viewers who were shown the component lose track of it.
    let flags = if face_down { FACE_DOWN } else { 0 };
    state.lay(what, to, before, flags);
}

#[inline]
fn can_move(program: &Program, state: &State, what: i32, to: i32) -> Result<bool, FaultKind> {
    if !state.is_component(what) || !state.is_zone(to) {
        return Ok(false);
    }
    let stays = state.zone_of(what) == to;
    let moves = (stays || has_room(program, state, to)) && !lies_in(program, state, to, what);
    if moves {
        check_depth(program, state, what, to)?;
    }
    Ok(moves)
}

/// Returns an error if a component, with what it holds, would lie too deep in this zone. It must not hold the zone.
#[inline]
fn check_depth(program: &Program, state: &State, what: i32, to: i32) -> Result<(), FaultKind> {
    let is_inside = program
        .zone_info(to)
        .is_some_and(|info| info.inside.is_some());
    match is_inside && program.holds(what).is_some() {
        true => check_depth_inside(program, state, what, to),
        // Everything else lies as deep as before, or as deep as the zone.
        false => Ok(()),
    }
}

fn check_depth_inside(
    program: &Program,
    state: &State,
    what: i32,
    to: i32,
) -> Result<(), FaultKind> {
    let mut open = vec![(what, zones_around(program, state, to).count())];
    while let Some((component, around)) = open.pop() {
        let Some(inside) = program.holds(component) else {
            continue;
        };
        if around >= CONTENTS_DEPTH_MAX {
            return Err(FaultKind::Contents);
        }
        open.extend(
            state
                .members(i32::from(inside))
                .map(|inner| (inner, around + 1)),
        );
    }
    Ok(())
}

fn has_room(program: &Program, state: &State, zone: i32) -> bool {
    program
        .zone_info(zone)
        .and_then(|info| info.capacity)
        .is_none_or(|capacity| state.zone_count(zone) < i32::from(capacity))
}

/// Returns whether the zone is inside this component, at any depth.
fn lies_in(program: &Program, state: &State, zone: i32, component: i32) -> bool {
    let is_inside = |zone: i32| program.holder_of(zone) == component;
    is_inside(zone) || zones_around(program, state, zone).any(is_inside)
}

/// Returns the zone of the component that holds this zone, and so on outwards.
fn zones_around(program: &Program, state: &State, zone: i32) -> impl Iterator<Item = i32> {
    let outer = move |zone: &i32| {
        let holder = program.zone_info(*zone)?.inside?;
        Some(state.zone_of(i32::from(holder)))
    };
    // No chain of holders is longer than there are components.
    std::iter::successors(outer(&zone), outer).take(state.layout.components)
}

fn can_swap(program: &Program, state: &State, one: i32, other: i32) -> Result<bool, FaultKind> {
    let swaps = one != other
        && state.is_component(one)
        && state.is_component(other)
        && !lies_in(program, state, state.zone_of(one), other)
        && !lies_in(program, state, state.zone_of(other), one);
    if swaps {
        check_depth(program, state, one, state.zone_of(other))?;
        check_depth(program, state, other, state.zone_of(one))?;
    }
    Ok(swaps)
}

fn exchange(state: &mut State, one: i32, other: i32) {
    if state.next(other) == one {
        return exchange(state, other, one);
    }
    let (one_zone, other_zone) = (state.zone_of(one), state.zone_of(other));
    let (one_cell, other_cell) = (state.cell_of(one), state.cell_of(other));
    let (one_turned, other_turned) = (state.turned(one), state.turned(other));
    let (one_next, other_next) = (state.next(one), state.next(other));
    state.remove(one);
    state.remove(other);
    state.insert(one, other_zone, other_next);
    // Where its neighbor was the other one, its old place begins where it lies itself now.
    let follows = if one_next == other { one } else { one_next };
    state.insert(other, one_zone, follows);
    for (what, cell, turned) in [
        (one, other_cell, other_turned),
        (other, one_cell, one_turned),
    ] {
        state.set_cell(what, cell);
        state.set_turned(what, turned);
        let face = state.flags(what) & FACE_DOWN;
        state.set_flags(what, face);
    }
}

/// The state of a component before it moves, for the event afterwards.
struct ComponentBefore(Option<(SeenComponent, Viewers)>);

impl ComponentBefore {
    fn note(m: &Machine, what: i32) -> ComponentBefore {
        let wanted = m.wants_events();
        ComponentBefore(wanted.then(|| {
            let noticed = see::noticing(m.program, m.state, m.state.zone_of(what));
            (see::seen(m.program, m.state, what), noticed)
        }))
    }

    fn emit(self, m: &mut Machine, what: i32) -> Result<(), Halt> {
        let Some((mut seen, noticed)) = self.0 else {
            return m.count_event();
        };
        m.emit(|m| {
            let (program, state) = (m.program, &*m.state);
            let to = state.zone_of(what);
            seen.sight.by |= see::viewers(program, state, what);
            let cell = state.cell_of(what);
            Event::Moved {
                what: seen,
                to: to.max(0) as u16,
                place: state.place_of(what),
                face_down: state.is_face_down(what),
                cell: (cell >= 0).then(|| (cell, state.turned(what))),
                noticed: EventSight {
                    by: noticed | see::noticing(program, state, to),
                    ..see::located(program, state, what)
                },
            }
        })
    }
}
