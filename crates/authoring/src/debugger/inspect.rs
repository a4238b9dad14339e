//! What an author can inspect at a moment: the running effects, the values of their names, and the position.

use serde_json::{Map, Value};

use super::AUTHOR;
use super::tape::TapeMoment;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_engine::frame::{CALLER, EFFECT, FRAME_HEADER, RETURN_TO};
use wyrmgate_program::{Address, NamedSlot, Program, Type};
use wyrmgate_view::{name_of_value, view};

/// An effect that runs, or waits for one that it called.
#[derive(Debug, Clone)]
pub struct RunningEffect {
    /// Its name in the rules.
    pub name: String,
    /// The statement at which it is.
    pub span: Span,
    pub(super) address: Address,
    pub(super) base: usize,
}

/// Returns the running effects, the innermost first.
pub fn running(program: &Program, moment: &TapeMoment) -> Vec<RunningEffect> {
    let state = &moment.state;
    let mut found = Vec::new();
    let (mut address, mut base) = (moment.address, moment.base);
    for _ in 0..moment.depth().max(1) {
        found.push(at(program, moment, address, base));
        // The call is the operation before the one with which the caller continues.
        let return_to = Address::try_from(state.slot(base + RETURN_TO)).ok();
        let caller = usize::try_from(state.slot(base + CALLER)).ok();
        let Some((return_to, caller)) = return_to.zip(caller) else {
            break;
        };
        (address, base) = (return_to.saturating_sub(1), caller);
    }
    found
}

/// Returns the effect that does not wait for another one.
pub fn innermost(program: &Program, moment: &TapeMoment) -> RunningEffect {
    at(program, moment, moment.address, moment.base)
}

fn at(program: &Program, moment: &TapeMoment, address: Address, base: usize) -> RunningEffect {
    let effect = usize::try_from(moment.state.slot(base + EFFECT)).ok();
    let effect = effect.and_then(|effect| program.effects.get(effect));
    let span = program.code.spans.get(address as usize).copied();
    RunningEffect {
        name: effect.map_or_else(String::new, |effect| effect.name.replace('_', " ")),
        span: span.unwrap_or_default(),
        address,
        base,
    }
}

/// Returns the names in scope at an operation.
pub fn names_at(program: &Program, address: Address) -> &[NamedSlot] {
    let scopes = &program.code.names_in_scope;
    let next = scopes.partition_point(|(from, _)| *from <= address);
    let scope = next.checked_sub(1).and_then(|at| scopes.get(at));
    scope.map_or(&[], |(_, slots)| slots)
}

/// Returns the names of an effect with their values.
pub fn names(
    program: &Program,
    moment: &TapeMoment,
    running: &RunningEffect,
) -> Map<String, Value> {
    let slots = names_at(program, running.address);
    let value = |named: &NamedSlot| {
        let of_seat = |seat: usize| value(program, moment, running, named, seat);
        let value = match named.by_seat {
            false => of_seat(0),
            true => (0..program.seats).map(of_seat).collect(),
        };
        (named.name.clone(), value)
    };
    slots.iter().map(value).collect()
}

fn value(
    program: &Program,
    moment: &TapeMoment,
    running: &RunningEffect,
    named: &NamedSlot,
    seat: usize,
) -> Value {
    let state = &moment.state;
    let width = if named.is_list { 2 } else { 1 };
    let at = running.base + FRAME_HEADER + usize::from(named.slot) + seat * width;
    let json = |value: i32| as_json(program, value, named.of);
    if !named.is_list {
        return json(state.slot(at));
    }
    let first = usize::try_from(state.slot(at)).unwrap_or_default();
    let count = usize::try_from(state.slot(at + 1)).unwrap_or_default();
    let members = (0..count).map(|number| running.base + first + number);
    members.map(|at| json(state.slot(at))).collect()
}

/// Returns a value as scenarios write it.
pub(super) fn as_json(program: &Program, value: i32, of: Type) -> Value {
    match of {
        Type::Int => value.into(),
        Type::Bool => (value > 0).into(),
        Type::Seat if value >= 0 => (value + 1).into(),
        _ if value < 0 => Value::Null,
        _ => name_of_value(program, AUTHOR, value, of)
            .into_owned()
            .into(),
    }
}

/// Returns the whole position as the author sees it: zones, components, variables.
pub fn position(program: &Program, moment: &TapeMoment) -> Value {
    let doc = view(program, &moment.state, AUTHOR);
    wyrmgate_view::as_json(&doc)
}
