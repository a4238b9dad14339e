//! Values and choices as JSON: what clients send and are shown.

use serde_json::{Map, Value, json};
use smallvec::SmallVec;
use wyrmgate_engine::{Arg, Choice, Pending, RejectCode, State, Viewer, sorted_choice};

use crate::explain::Rejection;
use crate::name::{Pointing, value_from_name};
use wyrmgate_program::{BinderInfo, BinderSize, NONE, Program, Site, SiteOption, Type};

/// A value as this viewer can choose it: numbers and truths as such, seats from 1, all else by id, nothing as null.
pub fn value_to_json(
    program: &Program,
    state: &State,
    viewer: Viewer,
    value: i32,
    of: Type,
) -> Value {
    match of {
        Type::Int => json!(value),
        Type::Bool => json!(value > 0),
        _ if value < 0 => Value::Null,
        Type::Seat => json!(value + 1),
        _ => {
            let reader = viewer.into();
            let pointing = Pointing {
                program,
                state,
                reader,
            };
            json!(pointing.id(value, of))
        }
    }
}

/// The value that JSON like that of [`value_to_json`] stands for; `None` if it stands for none.
pub fn value_from_json(
    program: &Program,
    state: &State,
    viewer: Viewer,
    json: &Value,
    of: Type,
) -> Option<i32> {
    match (json, of) {
        (Value::Null, Type::Int | Type::Bool) => None,
        (Value::Null, _) => Some(NONE),
        (Value::Bool(truth), Type::Bool) => Some(i32::from(*truth)),
        (Value::Number(_), Type::Int) => whole(json),
        (Value::Number(_), Type::Seat) => {
            let seat = whole(json)?;
            (1..=program.seats as i32).contains(&seat).then(|| seat - 1)
        }
        (Value::String(name), _) if !matches!(of, Type::Int | Type::Bool | Type::Seat) => {
            value_from_name(program, state, viewer, name, of)
        }
        _ => None,
    }
}

/// Clients may write a whole number with a fraction of nothing.
fn whole(json: &Value) -> Option<i32> {
    if let Some(number) = json.as_i64() {
        return i32::try_from(number).ok();
    }
    let number = json.as_f64()?;
    let fits = number.fract() == 0.0 && number.abs() <= f64::from(i32::MAX);
    fits.then_some(number as i32)
}

/// A choice in the form that [`choice_from_json`] reads.
pub fn choice_to_json(
    program: &Program,
    state: &State,
    pending: &Pending,
    choice: &Choice,
    viewer: Viewer,
) -> Value {
    let mut object = Map::new();
    let option = program
        .sites
        .get(usize::from(pending.site))
        .and_then(|site| site.options.get(usize::from(choice.option)));
    if let Some(option) = option {
        if !option.name.is_empty() {
            object.insert("option".to_owned(), json!(option.name));
        }
        let args = args_to_json(program, state, viewer, option, &choice.args);
        object.insert("args".to_owned(), Value::Object(args));
    }
    Value::Object(object)
}

pub(crate) fn args_to_json(
    program: &Program,
    state: &State,
    viewer: Viewer,
    option: &SiteOption,
    args: &[Arg],
) -> Map<String, Value> {
    let named = option.binders.iter().zip(args);
    named
        .map(|(binder, arg)| {
            let one = |value: &i32| value_to_json(program, state, viewer, *value, binder.of);
            let json = match arg {
                Arg::One(value) => one(value),
                Arg::Many(values) => values.iter().map(one).collect(),
            };
            (binder.name.clone(), json)
        })
        .collect()
}

/// Reads `{"option": …, "args": {…}}`. The option may be left out where it
/// has no name. The members of a subset may
/// come in any order. Whether the choice is legal is another question: see [`super::is_legal`].
pub fn choice_from_json(
    program: &Program,
    state: &State,
    pending: &Pending,
    json: &Value,
) -> Result<Choice, Rejection> {
    if state.is_finished() {
        return Err(Rejection::game_over());
    }
    let site = program.sites.get(usize::from(pending.site));
    let site = site.ok_or_else(Rejection::not_owed)?;
    read(program, state, pending, site, json).map_err(|rejection| match rejection.code {
        RejectCode::IllegalChoice => rejection.or_at(site),
        _ => rejection,
    })
}

fn read(
    program: &Program,
    state: &State,
    pending: &Pending,
    site: &Site,
    json: &Value,
) -> Result<Choice, Rejection> {
    let object = json
        .as_object()
        .ok_or_else(|| malformed("a choice is an object"))?;
    if let Some(member) = object.keys().find(|key| *key != "option" && *key != "args") {
        return Err(malformed(format!("a choice has no member `{member}`")));
    }
    let (number, option) = option_from_json(site, object.get("option"))?;
    let args = args_from_json(program, state, pending, option, object.get("args"))?;
    let mut choice = Choice {
        option: number as u16,
        args,
    };
    put_in_order(program, state, pending, &mut choice);
    Ok(choice)
}

fn malformed(message: impl Into<String>) -> Rejection {
    Rejection::new(RejectCode::Malformed, message)
}

fn option_from_json<'p>(
    site: &'p Site,
    json: Option<&Value>,
) -> Result<(usize, &'p SiteOption), Rejection> {
    let found = match json {
        None | Some(Value::Null) => match site.proper_options() {
            [option] => Some((0, option)),
            _ => return Err(malformed("say which `option` is chosen")),
        },
        Some(Value::String(name)) => {
            let mut options = site.options.iter().enumerate();
            options.find(|(_, option)| option.name == *name)
        }
        Some(_) => return Err(malformed("`option` is a text")),
    };
    found.ok_or_else(|| Rejection::new(RejectCode::IllegalChoice, "there is no such option"))
}

fn args_from_json(
    program: &Program,
    state: &State,
    pending: &Pending,
    option: &SiteOption,
    json: Option<&Value>,
) -> Result<SmallVec<[Arg; 2]>, Rejection> {
    let nothing = Map::new();
    let object = match json {
        None | Some(Value::Null) => &nothing,
        Some(Value::Object(object)) => object,
        Some(_) => return Err(malformed("`args` is an object")),
    };
    let known = |key: &String| option.binders.iter().any(|binder| binder.name == *key);
    if let Some(other) = object.keys().find(|key| !known(key)) {
        return Err(malformed(format!("there is no `{other}` to choose")));
    }
    let binders = option.binders.iter();
    binders
        .map(|binder| {
            let json = object.get(&binder.name);
            let json = json.ok_or_else(|| malformed(format!("`{}` is missing", binder.name)))?;
            arg_from_json(program, state, pending, binder, json)
        })
        .collect()
}

fn arg_from_json(
    program: &Program,
    state: &State,
    pending: &Pending,
    binder: &BinderInfo,
    json: &Value,
) -> Result<Arg, Rejection> {
    let one = |json: &Value| member_from_json(program, state, pending, binder, json);
    match (binder.count, json) {
        (BinderSize::One, json) => Ok(Arg::One(one(json)?)),
        (_, Value::Array(members)) => {
            let values: Result<_, _> = members.iter().map(one).collect();
            Ok(Arg::Many(values?))
        }
        _ => Err(malformed(format!("`{}` is a list", binder.name))),
    }
}

fn member_from_json(
    program: &Program,
    state: &State,
    pending: &Pending,
    binder: &BinderInfo,
    json: &Value,
) -> Result<i32, Rejection> {
    let viewer = Viewer::Seat(pending.seat);
    let value = value_from_json(program, state, viewer, json, binder.of);
    value.ok_or_else(|| {
        let right_type = matches!(
            (json, binder.of),
            (Value::Number(_), Type::Int | Type::Seat)
                | (Value::Bool(_), Type::Bool)
                | (Value::Null, _)
        ) || json.is_string()
            && !matches!(binder.of, Type::Int | Type::Bool | Type::Seat);
        let code = if right_type {
            RejectCode::IllegalChoice
        } else {
            RejectCode::Malformed
        };
        Rejection::new(
            code,
            format!("{json} cannot be chosen as `{}`", binder.name),
        )
    })
}

/// Puts the members of subsets into the order of their domains.
fn put_in_order(program: &Program, state: &State, pending: &Pending, choice: &mut Choice) {
    let ordered = sorted_choice(program, state, pending, choice);
    // What cannot be evaluated stays as it is, and is refused later.
    if let Ok(ordered) = ordered {
        *choice = ordered;
    }
}
