//! Variables and changing fields.

use crate::event::{Event, SeenValue, Target, Viewers};
use crate::fault::{FaultKind, Halt};
use crate::machine::{Machine, Next};
use crate::see;
use crate::state::State;
use wyrmgate_program::{
    ExprId, FieldInfo, FieldPlace, PositionId, Program, SetId, Type, VAR_SCORE,
};

pub(crate) fn set_word(m: &mut Machine, offset: u32, value: ExprId) -> Result<Next, Halt> {
    let value = m.value(value)?;
    put(m, offset, value)?;
    Ok(Next::Go)
}

/// The words of a variable with a value for each key, from the lowest key on.
#[derive(Clone, Copy)]
pub(crate) struct Words {
    pub offset: u32,
    pub low: i32,
    pub len: u32,
}

pub(crate) fn set_word_at(
    m: &mut Machine,
    words: Words,
    index: ExprId,
    value: ExprId,
    strict: bool,
) -> Result<Next, Halt> {
    let index = i64::from(m.value(index)?) - i64::from(words.low);
    let value = m.value(value)?;
    match u32::try_from(index) {
        Ok(index) if index < words.len => put(m, words.offset.saturating_add(index), value)?,
        _ if strict => return Err(m.scratch.halt(FaultKind::Key)),
        _ => {}
    }
    Ok(Next::Go)
}

/// Remembers a position.
pub(crate) fn record(m: &mut Machine, position: PositionId, of: SetId) -> Result<Next, Halt> {
    let number = m.eval().number_of_position(position, of)?;
    if m.state.has_room_for(2).is_none() {
        return Err(m.scratch.halt(FaultKind::StateSize));
    }
    m.state.record(number);
    Ok(Next::Go)
}

/// Writes a word and emits an event.
pub(crate) fn put(m: &mut Machine, word: u32, value: i32) -> Result<(), Halt> {
    let value = match m.wants_events() {
        true => m.chance.written(m.state, word, value),
        false => value,
    };
    let before = m.state.var(word);
    m.state.set_var(word, value);
    if before == value || (m.wants_events() && !is_told(m.program, word)) {
        return m.count_event();
    }
    m.tell(|m| describe(m, word, value))
}

/// Words that the compiler uses internally change without an event.
fn is_told(program: &Program, word: u32) -> bool {
    let of_game = |(var, _): (usize, u32)| program.vars.get(var).is_some_and(|var| !var.internal);
    field_of(program, word).is_some() || var_of(program, word).is_some_and(of_game)
}

fn describe(m: &Machine, word: u32, value: i32) -> Event {
    let (to, value, seen_by) = assigned(m.program, m.state, word, value);
    Event::Given { to, value, seen_by }
}

/// Returns what a word of the state belongs to, what a value means there, and who may know it.
pub(crate) fn assigned(
    program: &Program,
    state: &State,
    word: u32,
    value: i32,
) -> (Target, SeenValue, Viewers) {
    if let Some((component, field)) = field_of(program, word) {
        let what = see::seen(program, state, component);
        let info = field_info(program, component, field);
        let on_back = info.is_some_and(|info| info.on_back);
        let read_by = match on_back {
            true => see::back_readers(program, state, component),
            false => 0,
        };
        let of = info.map_or(Type::Int, |info| info.of);
        let value = see::seen_value(program, state, value, of);
        let to = Target::Field { what, field };
        return (to, value, what.sight.by | read_by);
    }
    let (var, index) = var_of(program, word).unwrap_or((usize::from(VAR_SCORE), 0));
    let of = program.vars.get(var).map_or(Type::Int, |info| info.of);
    let value = see::seen_value(program, state, value, of);
    let seen_by = see::viewers_of_var(program, state, var, index);
    let var = var as u16;
    (Target::Var { var, index }, value, seen_by)
}

fn field_info(program: &Program, component: i32, field: u16) -> Option<&FieldInfo> {
    let info = program.components.get(usize::try_from(component).ok()?)?;
    let kind = program.kinds.get(usize::from(info.kind))?;
    kind.fields.get(usize::from(field))
}

/// Returns the variable that a word belongs to, and which of its words it is.
fn var_of(program: &Program, word: u32) -> Option<(usize, u32)> {
    let found = program
        .vars
        .iter()
        .enumerate()
        .find(|(_, var)| (var.offset..var.offset + var.len).contains(&word));
    found.map(|(number, var)| (number, word - var.offset))
}

/// Returns the component and field that a word belongs to, as a field of the component's own kind.
fn field_of(program: &Program, word: u32) -> Option<(i32, u16)> {
    program.kinds.iter().enumerate().find_map(|(number, kind)| {
        kind.fields.iter().enumerate().find_map(|(field, info)| {
            let FieldPlace::Changing { offset, first } = info.at else {
                return None;
            };
            let component = word.checked_sub(offset)?.checked_add(first)?;
            let of_kind = program.components.get(component as usize)?.kind;
            (usize::from(of_kind) == number && component >= kind.first)
                .then_some((component as i32, field as u16))
        })
    })
}
