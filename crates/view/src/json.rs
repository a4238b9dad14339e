//! Values and choices as JSON, as clients send and receive them.

use smallvec::SmallVec;
use wyrmgate_engine::{BoundValue, Choice, Pending, RejectCode, State, Viewer, sorted_choice};

use crate::doc::{Doc, Members};
use crate::explain::Rejection;
use crate::given;
use crate::name::{Pointing, value_from_name};
use wyrmgate_program::{
    BinderInfo, BinderSize, EnumId, NONE, Program, Site, SiteOption, Type, text_of,
};

/// Returns a value as this viewer can choose it: numbers and truth values as such, seats from 1, everything else by id,
/// `none` as null.
pub fn value_to_json(
    program: &Program,
    state: &State,
    viewer: Viewer,
    value: i32,
    of: Type,
) -> Doc<'static> {
    Pointing::of(program, state, viewer).value(value, of)
}

/// Returns a value as JSON; `named` provides the id of values that have one.
pub(crate) fn value_doc<'d>(value: i32, of: Type, named: impl FnOnce() -> Doc<'d>) -> Doc<'d> {
    match of {
        Type::Int | Type::Row(_) | Type::Record(_) | Type::Amounts(_) => Doc::from(value),
        Type::Bool => Doc::from(value > 0),
        Type::Letter => Doc::from(text_of([value])),
        _ if value < 0 => Doc::Null,
        Type::Seat => Doc::from(value + 1),
        Type::Enum(_) | Type::Component(_) | Type::Zone(_) | Type::Cell | Type::Side => named(),
    }
}

/// Returns the amounts of a bundle by the names of their values: `{"wood": 2, "ore": 1}`.
pub(crate) fn amounts_doc(program: &Program, of: EnumId, amounts: &[i32]) -> Doc<'static> {
    let names = program.enums.get(usize::from(of));
    let names = names.map_or(&[][..], |info| &info.values);
    let named = names.iter().zip(amounts);
    Doc::object(named.map(|(name, amount)| (name.clone(), Doc::from(*amount))))
}

/// Returns the value for JSON in the form of [`value_to_json`]; `None` if there is none.
pub fn value_from_json(
    program: &Program,
    state: &State,
    viewer: Viewer,
    json: &Doc<'_>,
    of: Type,
) -> Option<i32> {
    match (json, of) {
        (Doc::Null, Type::Int | Type::Bool) => None,
        (Doc::Null, _) => Some(NONE),
        (Doc::Bool(truth), Type::Bool) => Some(i32::from(*truth)),
        (Doc::Int(_) | Doc::Real(_), Type::Int) => whole(json),
        (Doc::Int(_) | Doc::Real(_), Type::Seat) => {
            let seat = whole(json)?;
            (1..=program.seats as i32).contains(&seat).then(|| seat - 1)
        }
        (Doc::Text(name), _) if !matches!(of, Type::Int | Type::Bool | Type::Seat) => {
            value_from_name(program, state, viewer, name, of)
        }
        _ => None,
    }
}

fn whole(json: &Doc<'_>) -> Option<i32> {
    i32::try_from(json.as_whole()?).ok()
}

/// Returns a choice in the form that [`choice_from_json`] reads.
pub fn choice_to_json(
    program: &Program,
    state: &State,
    pending: &Pending,
    choice: &Choice,
    viewer: Viewer,
) -> Doc<'static> {
    let mut object = Members::default();
    let option = program.option(pending.site, choice.option);
    if let Some(option) = option {
        if !option.name.is_empty() {
            object.insert("option", Doc::from(option.name.clone()));
        }
        let args = Pointing::of(program, state, viewer).args(option, &choice.args);
        object.insert("args", Doc::Object(args));
    }
    Doc::Object(object)
}

impl Pointing<'_> {
    fn value(&self, value: i32, of: Type) -> Doc<'static> {
        value_doc(value, of, || Doc::from(self.id(value, of)))
    }

    /// Returns the values of the names of an option.
    pub(crate) fn args(&self, option: &SiteOption, args: &[BoundValue]) -> Members<'static> {
        let named = option.binders.iter().zip(args).map(|(binder, arg)| {
            let one = |value: &i32| self.value(*value, binder.of);
            let json = match arg {
                BoundValue::One(value) => one(value),
                BoundValue::Many(values) if binder.is_text() => {
                    Doc::from(text_of(values.iter().copied()))
                }
                BoundValue::Many(values) => values.iter().map(one).collect(),
            };
            (binder, json)
        });
        gathered(named)
    }
}

/// Returns values by name, in which the amounts of a bundle are the members of one object.
pub(crate) fn gathered<'b, 'd>(
    values: impl Iterator<Item = (&'b BinderInfo, Doc<'d>)>,
) -> Members<'d> {
    let mut all = Members::default();
    for (binder, value) in values {
        match binder.amount_in() {
            None => all.insert(binder.name.clone(), value),
            Some((whole, part)) => {
                let known = all.get(whole).and_then(Doc::as_object);
                let mut amounts = known.cloned().unwrap_or_default();
                amounts.insert(part.to_owned(), value);
                all.insert(whole.to_owned(), Doc::Object(amounts))
            }
        };
    }
    all
}

/// Reads `{"option": …, "args": {…}}`. The option may be omitted if it has no name. The members of a subset may have
/// any order. Legality is checked separately: see [`super::is_legal`].
pub fn choice_from_json<'j>(
    program: &Program,
    state: &State,
    pending: &Pending,
    json: impl Into<Doc<'j>>,
) -> Result<Choice, Rejection> {
    if state.is_finished() {
        return Err(Rejection::game_over());
    }
    let site = program.site(pending.site);
    let site = site.ok_or_else(Rejection::not_owed)?;
    let reading = ChoiceReader {
        program,
        state,
        pending,
    };
    reading.choice(site, &json.into()).map_err(|rejection| {
        if rejection.code == RejectCode::IllegalChoice {
            rejection.or_at(site)
        } else {
            rejection
        }
    })
}

/// Reads what the seat that owes a decision has sent.
struct ChoiceReader<'a> {
    program: &'a Program,
    state: &'a State,
    pending: &'a Pending,
}

impl ChoiceReader<'_> {
    fn choice(&self, site: &Site, json: &Doc<'_>) -> Result<Choice, Rejection> {
        let object = json.as_object();
        let object = object.ok_or_else(|| malformed("a choice is an object"))?;
        let mut names = object.iter().map(|(name, _)| name);
        if let Some(member) = names.find(|name| !["option", "args"].contains(name)) {
            return Err(malformed(format!("a choice has no member `{member}`")));
        }
        let (number, option) = option_from_json(site, object.get("option"))?;
        let choice = Choice {
            option: number as u16,
            args: self.args(option, object.get("args"))?,
        };
        // The members of subsets get the order of their domains. A value that cannot be evaluated stays unchanged, and is
        // refused later.
        let ordered = sorted_choice(self.program, self.state, self.pending, &choice);
        Ok(ordered.unwrap_or(choice))
    }

    fn args(
        &self,
        option: &SiteOption,
        json: Option<&Doc<'_>>,
    ) -> Result<SmallVec<[BoundValue; 2]>, Rejection> {
        let nothing = Members::default();
        let object = match json {
            None | Some(Doc::Null) => &nothing,
            Some(Doc::Object(object)) => object,
            Some(_) => return Err(malformed("`args` is an object")),
        };
        let known = |key: &str| {
            let mut binders = option.binders.iter();
            binders.any(|binder| binder.whole_name() == key)
        };
        let mut names = object.iter().map(|(name, _)| name);
        if let Some(other) = names.find(|name| !known(name)) {
            return Err(malformed(format!("there is no `{other}` to choose")));
        }
        for (name, bundle) in object.iter() {
            no_other_amount(option, name, bundle)?;
        }
        let arg = |binder: &BinderInfo| {
            if let Some((whole, part)) = binder.amount_in() {
                let bundle = object.get(whole);
                let bundle = bundle.ok_or_else(|| malformed(format!("`{whole}` is missing")))?;
                return self.arg(binder, bundle.get(part).unwrap_or(&Doc::Int(0)));
            }
            let json = object.get(&binder.name);
            let json = json.ok_or_else(|| malformed(format!("`{}` is missing", binder.name)))?;
            self.arg(binder, json)
        };
        option.binders.iter().map(arg).collect()
    }

    fn arg(&self, binder: &BinderInfo, json: &Doc<'_>) -> Result<BoundValue, Rejection> {
        let one = |json: &Doc<'_>| self.member(binder, json);
        match (binder.count, json) {
            (BinderSize::One, json) => Ok(BoundValue::One(one(json)?)),
            (BinderSize::Text { .. }, Doc::Text(text)) => {
                let text = given::text(&binder.name, text)?;
                Ok(BoundValue::Many(text.chars().map(|c| c as i32).collect()))
            }
            (BinderSize::Text { .. }, _) => Err(malformed(format!("`{}` is a text", binder.name))),
            (_, Doc::List(members)) => {
                let values: Result<_, _> = members.iter().map(one).collect();
                Ok(BoundValue::Many(values?))
            }
            _ => Err(malformed(format!("`{}` is a list", binder.name))),
        }
    }

    fn member(&self, binder: &BinderInfo, json: &Doc<'_>) -> Result<i32, Rejection> {
        let viewer = Viewer::Seat(self.pending.seat);
        let value = value_from_json(self.program, self.state, viewer, json, binder.of);
        value.ok_or_else(|| {
            let right_type = matches!(
                (json, binder.of),
                (Doc::Int(_) | Doc::Real(_), Type::Int | Type::Seat)
                    | (Doc::Bool(_), Type::Bool)
                    | (Doc::Null, _)
            ) || json.as_str().is_some()
                && !matches!(binder.of, Type::Int | Type::Bool | Type::Seat);
            let code = if right_type {
                RejectCode::IllegalChoice
            } else {
                RejectCode::Malformed
            };
            let message = format!("{json} cannot be chosen as `{}`", binder.name);
            Rejection::new(code, message)
        })
    }
}

/// Refuses a bundle that is no object, or that has a member besides the values of its type.
fn no_other_amount(option: &SiteOption, name: &str, bundle: &Doc<'_>) -> Result<(), Rejection> {
    let amounts = option.binders.iter().filter_map(BinderInfo::amount_in);
    let parts = amounts.filter(|(whole, _)| *whole == name);
    let parts: Vec<&str> = parts.map(|(_, part)| part).collect();
    if parts.is_empty() {
        return Ok(());
    }
    let Some(given) = bundle.as_object() else {
        return Err(malformed(format!("`{name}` is an object of numbers")));
    };
    let mut names = given.iter().map(|(name, _)| name);
    match names.find(|other| !parts.contains(other)) {
        Some(other) => Err(malformed(format!("`{name}` has no `{other}`"))),
        None => Ok(()),
    }
}

fn malformed(message: impl Into<String>) -> Rejection {
    Rejection::new(RejectCode::Malformed, message)
}

fn option_from_json<'p>(
    site: &'p Site,
    json: Option<&Doc<'_>>,
) -> Result<(usize, &'p SiteOption), Rejection> {
    let found = match json {
        None | Some(Doc::Null) => match site.proper_options() {
            [option] => Some((0, option)),
            _ => return Err(malformed("say which `option` is chosen")),
        },
        Some(Doc::Text(name)) => {
            let mut options = site.options.iter().enumerate();
            options.find(|(_, option)| option.name == *name)
        }
        Some(_) => return Err(malformed("`option` is a text")),
    };
    found.ok_or_else(|| Rejection::new(RejectCode::IllegalChoice, "there is no such option"))
}
