//! A summary of a long list of choices: the possible values of each name.

use std::collections::BTreeSet;
use wyrmgate_engine::{Fault, Offer, OpenValue, Pending, State, Viewer, for_each_offer};

use serde::Serialize;

use crate::doc::Doc;
use crate::json::value_to_json;
use wyrmgate_engine::see::by_what_is_known;
use wyrmgate_program::{BinderSize, Program, SiteOption, Type, text_of};

/// The maximum number of values listed for a name.
const VALUES_MAX: usize = 1_000;

/// One option of a decision.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TemplateOption {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub option: Option<String>,
    pub args: Vec<TemplateArg>,
}

/// One name that a choice of the option binds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TemplateArg {
    pub name: String,
    /// Whether a list of values is chosen.
    pub many: bool,
    /// Whether the order of the list matters.
    pub ordered: bool,
    /// Whether a value can occur more than once in the list.
    pub repeats: bool,
    /// What is given, if it is: `values` are then examples.
    #[serde(flatten)]
    pub given: Option<GivenRange>,
    /// The values that occur in some choice; `None` if there are too many.
    pub values: Option<Vec<Doc<'static>>>,
}

/// What a seat can give for a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum GivenRange {
    /// A number, both ends included.
    Number { minimum: i32, maximum: i32 },
    /// A text of up to so many characters.
    Text { max_length: i32 },
}

impl GivenRange {
    fn of(given: OpenValue) -> GivenRange {
        match given {
            OpenValue::Number(minimum, maximum) => GivenRange::Number { minimum, maximum },
            OpenValue::Text(max_length) => GivenRange::Text { max_length },
        }
    }

    /// Returns what covers both.
    fn with(self, other: GivenRange) -> GivenRange {
        match (self, other) {
            (
                GivenRange::Number { minimum, maximum },
                GivenRange::Number {
                    minimum: low,
                    maximum: high,
                },
            ) => GivenRange::Number {
                minimum: minimum.min(low),
                maximum: maximum.max(high),
            },
            (GivenRange::Text { max_length }, GivenRange::Text { max_length: other }) => {
                GivenRange::Text {
                    max_length: max_length.max(other),
                }
            }
            (one, _) => one,
        }
    }
}

/// The values of a name that occur in some choice.
#[derive(Default, Clone)]
struct SeenValues {
    values: BTreeSet<i32>,
    texts: BTreeSet<String>,
    given: Option<GivenRange>,
}

/// Returns the values that occur in the choices of a decision, option by option. Not every combination need be a
/// choice.
pub fn template(
    program: &Program,
    state: &State,
    pending: &Pending,
) -> Result<Vec<TemplateOption>, Fault> {
    let Some(site) = program.site(pending.site) else {
        return Ok(Vec::new());
    };
    let empty = |option: &SiteOption| vec![SeenValues::default(); option.binders.len()];
    let mut seen: Vec<Option<Vec<SeenValues>>> = vec![None; site.options.len()];
    for_each_offer(program, state, pending, &mut |offer| {
        let option = site.options.get(offer.option);
        if let (Some(seen), Some(option)) = (seen.get_mut(offer.option), option) {
            note(seen.get_or_insert_with(|| empty(option)), &offer);
        }
    })?;
    let viewer = Viewer::Seat(pending.seat);
    let told = site.options.iter().zip(seen).filter_map(|(option, seen)| {
        let args = option.binders.iter().zip(seen?).map(|(binder, seen)| {
            let SeenValues {
                values,
                texts,
                given,
            } = seen;
            if binder.is_text() {
                return TemplateArg {
                    name: binder.name.clone(),
                    many: false,
                    ordered: false,
                    repeats: false,
                    given,
                    values: Some(texts.into_iter().map(Doc::from).collect()),
                };
            }
            let json = |value: i32| value_to_json(program, state, viewer, value, binder.of);
            let is_told = values.len() <= VALUES_MAX;
            TemplateArg {
                name: binder.name.clone(),
                many: binder.count != BinderSize::One,
                ordered: binder.count.is_ordered(),
                repeats: binder.count.repeats(),
                given,
                values: is_told.then(|| {
                    let values = in_order(program, state, viewer, values, binder.of);
                    values.into_iter().map(json).collect()
                }),
            }
        });
        Some(TemplateOption {
            option: (!option.name.is_empty()).then(|| option.name.clone()),
            args: args.collect(),
        })
    });
    Ok(told.collect())
}

/// Components that the viewer cannot identify come last, in physical order, because their numbers would reveal what
/// they are.
fn in_order(
    program: &Program,
    state: &State,
    viewer: Viewer,
    values: BTreeSet<i32>,
    of: Type,
) -> Vec<i32> {
    let mut values: Vec<i32> = values.into_iter().collect();
    values.sort_by_cached_key(|value| by_what_is_known(program, state, viewer, *value, of));
    values
}

fn note(seen: &mut [SeenValues], offer: &Offer<'_>) {
    offer.for_each_value(&mut |name, value| {
        if let Some(seen) = seen.get_mut(name) {
            seen.values.insert(value);
        }
    });
    offer.for_each_text(&mut |name, letters| {
        if let Some(seen) = seen.get_mut(name) {
            seen.texts.insert(text_of(letters.iter().copied()));
        }
    });
    for (seen, given) in seen.iter_mut().zip(offer.given) {
        if let Some(given) = given.map(GivenRange::of) {
            seen.given = Some(seen.given.map_or(given, |before| before.with(given)));
        }
    }
}
