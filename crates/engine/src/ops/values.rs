//! Variables and changing fields.

use crate::event::{AssignmentTarget, Event};
use crate::fault::{FaultKind, Halt};
use crate::machine::{Machine, NextAction};
use crate::see;
use crate::seen::{SeenComponent, SeenValue};
use crate::state::State;
use crate::viewer::Viewers;
use wyrmgate_program::{
    ExprId, FieldInfo, Owner, PositionId, Program, SetId, Type, VAR_SCORE, WordChange,
};

pub fn set_word(m: &mut Machine, offset: u32, value: ExprId) -> Result<NextAction, Halt> {
    let value = m.value(value)?;
    put(m, offset, value)?;
    Ok(NextAction::Go)
}

pub fn set_word_at(m: &mut Machine, change: WordChange) -> Result<NextAction, Halt> {
    let index = i64::from(m.value(change.index)?) - i64::from(change.low);
    let value = m.value(change.value)?;
    match u32::try_from(index) {
        Ok(index) if index < change.len => put(m, change.offset.saturating_add(index), value)?,
        _ if change.strict => return Err(m.scratch.halt(FaultKind::Key)),
        _ => {}
    }
    Ok(NextAction::Go)
}

/// Remembers a position.
pub fn record(m: &mut Machine, position: PositionId, of: SetId) -> Result<NextAction, Halt> {
    let number = m.eval().number_of_position(position, of)?;
    if m.state.has_room_for(2).is_none() {
        return Err(m.scratch.halt(FaultKind::StateSize));
    }
    m.state.record(number);
    Ok(NextAction::Go)
}

/// Writes a word and emits an event.
pub fn put(m: &mut Machine, word: u32, value: i32) -> Result<(), Halt> {
    let value = match m.wants_events() {
        true => m.chance.written(m.state, word, value),
        false => value,
    };
    let before = m.state.var(word);
    m.state.set_var(word, value);
    if before == value || (m.wants_events() && !is_told(m.program, word)) {
        return m.count_event();
    }
    let place = match m.program.owner_of_word(word) {
        Owner::Field { component, .. } if m.wants_events() => {
            m.scratch.memo.place_of(m.state, component)
        }
        Owner::Field { .. } | Owner::Var { .. } | Owner::Nobody => 0,
    };
    m.emit(|m| {
        let (program, state) = (m.program, &*m.state);
        let (to, value, seen_by) = match program.owner_of_word(word) {
            Owner::Field { component, field } => {
                let what = see::seen_at(program, state, component, place);
                assigned_field(program, state, what, field, value)
            }
            Owner::Var { .. } | Owner::Nobody => assigned(program, state, word, value),
        };
        Event::Given { to, value, seen_by }
    })
}

/// Words that the compiler uses internally change without an event.
fn is_told(program: &Program, word: u32) -> bool {
    match program.owner_of_word(word) {
        Owner::Field { .. } => true,
        Owner::Var { var, .. } => program.var(var).is_some_and(|var| !var.internal),
        Owner::Nobody => false,
    }
}

/// Returns what a word of the state belongs to, what a value means there, and who may know it.
pub fn assigned(
    program: &Program,
    state: &State,
    word: u32,
    value: i32,
) -> (AssignmentTarget, SeenValue, Viewers) {
    let (var, index) = match program.owner_of_word(word) {
        Owner::Field { component, field } => {
            let what = see::seen(program, state, component);
            return assigned_field(program, state, what, field, value);
        }
        Owner::Var { var, index } => (usize::from(var), index),
        Owner::Nobody => (usize::from(VAR_SCORE), 0),
    };
    let of = program.vars.get(var).map_or(Type::Int, |info| info.of);
    let value = see::seen_value(program, state, value, of);
    let seen_by = see::viewers_of_var(program, state, var, index);
    let var = var as u16;
    (AssignmentTarget::Var { var, index }, value, seen_by)
}

fn assigned_field(
    program: &Program,
    state: &State,
    what: SeenComponent,
    field: u16,
    value: i32,
) -> (AssignmentTarget, SeenValue, Viewers) {
    let component = i32::from(what.component);
    let info = field_info(program, component, field);
    let on_back = info.is_some_and(|info| info.on_back);
    let read_by = match on_back {
        true => see::back_readers(program, state, component),
        false => 0,
    };
    let of = info.map_or(Type::Int, |info| info.of);
    let value = see::seen_value(program, state, value, of);
    let to = AssignmentTarget::Field { what, field };
    (to, value, what.sight.by | read_by)
}

fn field_info(program: &Program, component: i32, field: u16) -> Option<&FieldInfo> {
    let kind = program.kind_of(component)?;
    kind.fields.get(usize::from(field))
}
