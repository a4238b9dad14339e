//! Names of values: ids for programs (`dragon-red-3`, `hand-2#3`) and words for people (`dragon red 3`).
//!
//! A component that the viewer cannot identify goes by its place, and can be named in no other way: otherwise its
//! id would be an oracle.

use crate::engine::see::{Viewer, sees_as};
use crate::engine::state::State;
use crate::program::{FieldPlace, Localised, NONE, Program, Type, cell_xy};

use super::eval::cell_at;

const SIDES: [&str; 4] = ["north", "east", "south", "west"];

/// The id of a value; seats count from 1. Components by their own name, whoever looks.
pub fn name_of_value(program: &Program, value: i32, of: Type) -> String {
    let at = usize::try_from(value).ok();
    let known = match of {
        Type::Int => Some(value.to_string()),
        Type::Bool => Some((value > 0).to_string()),
        Type::Seat => at.map(|seat| (seat + 1).to_string()),
        Type::Enum(number) => at.and_then(|at| {
            let info = program.enums.get(usize::from(number))?;
            info.values.get(at).cloned()
        }),
        Type::Component(_) => at.and_then(|at| Some(program.components.get(at)?.name.clone())),
        Type::Zone(_) => at.and_then(|at| Some(program.zones.get(at)?.name.clone())),
        Type::Cell => at.map(|_| {
            let (x, y) = cell_xy(value);
            format!("{x},{y}")
        }),
        Type::Side => at.and_then(|at| Some((*SIDES.get(at)?).to_owned())),
    };
    known.unwrap_or_else(|| "none".to_owned())
}

/// The id under which this viewer knows a value.
pub(crate) fn name_for(
    program: &Program,
    state: &State,
    viewer: Viewer,
    value: i32,
    of: Type,
) -> String {
    let hidden = matches!(of, Type::Component(_))
        && state.is_component(value)
        && !sees_as(program, state, viewer, value);
    if hidden {
        place_name(program, state.zone_of(value), state.place_of(value))
    } else {
        name_of_value(program, value, of)
    }
}

/// `hand-2#3`
pub(crate) fn place_name(program: &Program, zone: i32, place: i32) -> String {
    format!("{}#{place}", name_of_value(program, zone, Type::Zone(None)))
}

/// The value that this viewer calls so.
pub fn value_from_name(
    program: &Program,
    state: &State,
    viewer: Viewer,
    name: &str,
    of: Type,
) -> Option<i32> {
    if name == "none" && !matches!(of, Type::Enum(_)) {
        return Some(NONE);
    }
    match of {
        Type::Int => name.parse().ok(),
        Type::Bool => name.parse::<bool>().ok().map(i32::from),
        Type::Seat => {
            let seat: i32 = name.parse().ok()?;
            (1..=program.seats as i32).contains(&seat).then(|| seat - 1)
        }
        Type::Enum(number) => {
            let values = &program.enums.get(usize::from(number))?.values;
            let at = values.iter().position(|value| value == name);
            at.map_or((name == "none").then_some(NONE), |at| Some(at as i32))
        }
        Type::Component(_) => component_from_name(program, state, viewer, name),
        Type::Zone(_) => zone_from_name(program, name),
        Type::Cell => {
            let (x, y) = name.split_once(',')?;
            let cell = cell_at(x.trim().parse().ok()?, y.trim().parse().ok()?);
            (cell != NONE).then_some(cell)
        }
        Type::Side => SIDES
            .iter()
            .position(|side| *side == name)
            .map(|at| at as i32),
    }
}

fn zone_from_name(program: &Program, name: &str) -> Option<i32> {
    let at = program.zones.iter().position(|zone| zone.name == name)?;
    Some(at as i32)
}

fn component_from_name(
    program: &Program,
    state: &State,
    viewer: Viewer,
    name: &str,
) -> Option<i32> {
    if let Some((zone, place)) = name.split_once('#') {
        let zone = zone_from_name(program, zone)?;
        let component = state.at_place(zone, place.parse().ok()?);
        // Whoever knows what lies there must say what it is: one choice, one name.
        let by_place = viewer == Viewer::All || !sees_as(program, state, viewer, component);
        return (component != NONE && by_place).then_some(component);
    }
    let found = program
        .components
        .iter()
        .position(|info| info.name == name)? as i32;
    sees_as(program, state, viewer, found).then_some(found)
}

/// A value in words, for people.
pub fn title_of_value(program: &Program, value: i32, of: Type) -> String {
    let at = usize::try_from(value).ok();
    let known = match of {
        Type::Seat => at.map(|seat| format!("seat {}", seat + 1)),
        Type::Bool => Some(if value > 0 { "yes" } else { "no" }.to_owned()),
        Type::Enum(number) => at.and_then(|at| enum_title(program, usize::from(number), at)),
        Type::Component(_) => at.and_then(|at| component_title(program, at)),
        Type::Zone(_) => at.and_then(|at| zone_title(program, at)),
        Type::Int | Type::Cell | Type::Side => None,
    };
    known.unwrap_or_else(|| name_of_value(program, value, of))
}

/// A value in words as it is now: a die is called by its side up.
pub(crate) fn title_now(program: &Program, state: &State, value: i32, of: Type) -> String {
    let die = match of {
        Type::Component(_) => side_up(program, state, value),
        _ => None,
    };
    die.unwrap_or_else(|| title_of_value(program, value, of))
}

fn side_up(program: &Program, state: &State, component: i32) -> Option<String> {
    let info = program.components.get(usize::try_from(component).ok()?)?;
    let kind = program.kinds.get(usize::from(info.kind))?;
    let field = kind.fields.get(kind.die.as_ref()?.field)?;
    let FieldPlace::Changing { offset, first } = field.at else {
        return None;
    };
    let face = state.var(offset + u32::try_from(component).ok()?.checked_sub(first)?);
    let is_side = kind.die.as_ref()?.faces.contains(&face);
    is_side.then(|| title_of_value(program, face, field.of))
}

fn enum_title(program: &Program, number: usize, at: usize) -> Option<String> {
    let info = program.enums.get(number)?;
    let title = info.titles.get(at).and_then(default_text);
    title.or_else(|| info.values.get(at)).cloned()
}

fn component_title(program: &Program, at: usize) -> Option<String> {
    let info = program.components.get(at)?;
    let kind = program.kinds.get(usize::from(info.kind))?;
    let kind = default_text(&kind.title).unwrap_or(&kind.name);
    Some(format!("{kind} {}", info.title).trim_end().to_owned())
}

fn zone_title(program: &Program, at: usize) -> Option<String> {
    let info = program.zones.get(at)?;
    let family = program.families.get(usize::from(info.family));
    let words = |name: &str| name.replace(['-', '.', '_'], " ");
    let titled = family.and_then(|family| {
        let title = default_text(&family.title)?;
        let keys = info.name.strip_prefix(&family.name)?;
        Some(format!("{title}{}", words(keys)))
    });
    Some(titled.unwrap_or_else(|| words(&info.name)))
}

/// The text in its default language, if there is one.
fn default_text(text: &Localised) -> Option<&String> {
    text.first()
        .map(|(_, text)| text)
        .filter(|text| !text.is_empty())
}
