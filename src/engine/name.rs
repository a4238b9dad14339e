//! Names of values: ids for programs (`dragon-red-3`, `hand-2#3`) and words for people (`dragon red 3`).
//!
//! A component that the viewer cannot identify goes by its place, and can be named in no other way: otherwise its
//! id would be an oracle.

use std::borrow::Cow;

use crate::engine::see::{Viewer, sees_as};
use crate::engine::state::State;
use crate::program::{FieldPlace, Language, Localised, NONE, Program, Type, cell_xy};

use super::eval::cell_at;

const SIDES: [&str; 4] = ["north", "east", "south", "west"];

/// The id of a value; seats count from 1. Components by their own name, whoever looks.
pub fn name_of_value(program: &Program, value: i32, of: Type) -> Cow<'_, str> {
    let at = usize::try_from(value).ok();
    let known = match of {
        Type::Int => Some(Cow::Owned(value.to_string())),
        Type::Bool => Some(Cow::Borrowed(if value > 0 { "true" } else { "false" })),
        Type::Seat => at.map(|seat| Cow::Owned((seat + 1).to_string())),
        Type::Cell => at.map(|_| {
            let (x, y) = cell_xy(value);
            Cow::Owned(format!("{x},{y}"))
        }),
        _ => at.and_then(|at| Some(Cow::Borrowed(declared_name(program, at, of)?))),
    };
    known.unwrap_or(Cow::Borrowed("none"))
}

/// The name of what the rules, or the language, declare one by one.
fn declared_name(program: &Program, at: usize, of: Type) -> Option<&str> {
    match of {
        Type::Enum(number) => {
            let info = program.enums.get(usize::from(number))?;
            info.values.get(at).map(String::as_str)
        }
        Type::Component(_) => Some(program.components.get(at)?.name.as_str()),
        Type::Zone(_) => Some(program.zones.get(at)?.name.as_str()),
        Type::Side => SIDES.get(at).copied(),
        _ => None,
    }
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
        name_of_value(program, value, of).into_owned()
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
pub fn title_of_value(program: &Program, value: i32, of: Type, language: Language) -> String {
    let at = usize::try_from(value).ok();
    let words = &program.words;
    let known = match of {
        Type::Seat => at.map(|seat| format!("{} {}", words.seat.get(language), seat + 1)),
        Type::Bool => {
            let truth = if value > 0 { &words.yes } else { &words.no };
            Some(truth.get(language).to_owned())
        }
        Type::Enum(number) => {
            at.and_then(|at| enum_title(program, usize::from(number), at, language))
        }
        Type::Component(_) => at.and_then(|at| component_title(program, at, language)),
        Type::Zone(_) => at.and_then(|at| zone_title(program, at, language)),
        Type::Side => at.and_then(|at| Some(words.sides.get(at)?.get(language).to_owned())),
        Type::Int => return value.to_string(),
        Type::Cell => at.map(|_| name_of_value(program, value, of).into_owned()),
    };
    known.unwrap_or_else(|| words.none.get(language).to_owned())
}

/// A value in words as it is now: a die is called by its side up.
pub(crate) fn title_now(
    program: &Program,
    state: &State,
    value: i32,
    of: Type,
    language: Language,
) -> String {
    let die = match of {
        Type::Component(_) => side_up(program, state, value, language),
        _ => None,
    };
    die.unwrap_or_else(|| title_of_value(program, value, of, language))
}

/// What somebody calls a component that it cannot identify: `Hand 2 #3`.
pub(crate) fn hidden_title(program: &Program, zone: i32, place: i32, language: Language) -> String {
    let zone = title_of_value(program, zone, Type::Zone(None), language);
    format!("{zone} #{place}")
}

fn side_up(program: &Program, state: &State, component: i32, language: Language) -> Option<String> {
    let info = program.components.get(usize::try_from(component).ok()?)?;
    let kind = program.kinds.get(usize::from(info.kind))?;
    let field = kind.fields.get(kind.die.as_ref()?.field)?;
    let FieldPlace::Changing { offset, first } = field.at else {
        return None;
    };
    let face = state.var(offset + u32::try_from(component).ok()?.checked_sub(first)?);
    let is_side = kind.die.as_ref()?.faces.contains(&face);
    is_side.then(|| title_of_value(program, face, field.of, language))
}

fn enum_title(program: &Program, number: usize, at: usize, language: Language) -> Option<String> {
    let info = program.enums.get(number)?;
    let title = info.titles.get(at).map(|title| title.get(language));
    let title = title.filter(|title| !title.is_empty());
    title
        .or_else(|| info.values.get(at).map(String::as_str))
        .map(str::to_owned)
}

/// `Dragon red 3`
pub(crate) fn component_title(program: &Program, at: usize, language: Language) -> Option<String> {
    let info = program.components.get(at)?;
    let kind = program.kinds.get(usize::from(info.kind))?;
    let of_kind = title_or_name(&kind.title, &kind.name, language);
    let keys = info.title.get(language);
    Some(format!("{of_kind} {keys}").trim_end().to_owned())
}

/// `Hand 2`; of a zone inside a component `Stack 3 cards`.
pub(crate) fn zone_title(program: &Program, at: usize, language: Language) -> Option<String> {
    let info = program.zones.get(at)?;
    let family = program.families.get(usize::from(info.family))?;
    let of_family = title_or_name(&family.title, &family.name, language);
    let Some(holder) = info.inside else {
        let keys = match info.title.get(language) {
            "" => info.name.strip_prefix(&family.name).unwrap_or_default(),
            keys => keys,
        };
        let title = format!("{of_family} {}", keys.replace('-', " ").trim_start());
        return Some(title.trim_end().to_owned());
    };
    let holder = component_title(program, usize::from(holder), language)?;
    Some(format!("{holder} {of_family}"))
}

fn title_or_name<'p>(title: &'p Localised, name: &'p str, language: Language) -> &'p str {
    match title.get(language) {
        "" => name,
        title => title,
    }
}
