//! A summary of a long list of choices: the possible values of each name.

use std::collections::BTreeSet;
use wyrmgate_engine::{Fault, Offer, Pending, State, Viewer, for_each_offer};

use serde::Serialize;

use crate::doc::Doc;
use crate::json::value_to_json;
use wyrmgate_engine::see::by_what_is_known;
use wyrmgate_program::{BinderSize, Program, SiteOption, Type};

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
    /// The values that occur in some choice; `None` if there are too many.
    pub values: Option<Vec<Doc<'static>>>,
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
    let empty = |option: &SiteOption| vec![BTreeSet::new(); option.binders.len()];
    let mut seen: Vec<Option<Vec<BTreeSet<i32>>>> = vec![None; site.options.len()];
    for_each_offer(program, state, pending, &mut |offer| {
        let option = site.options.get(offer.option);
        if let (Some(seen), Some(option)) = (seen.get_mut(offer.option), option) {
            note(seen.get_or_insert_with(|| empty(option)), &offer);
        }
    })?;
    let viewer = Viewer::Seat(pending.seat);
    let told = site.options.iter().zip(seen).filter_map(|(option, seen)| {
        let args = option.binders.iter().zip(seen?).map(|(binder, values)| {
            let json = |value: i32| value_to_json(program, state, viewer, value, binder.of);
            let is_told = values.len() <= VALUES_MAX;
            TemplateArg {
                name: binder.name.clone(),
                many: binder.count != BinderSize::One,
                ordered: binder.count.is_ordered(),
                repeats: binder.count.repeats(),
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

fn note(seen: &mut [BTreeSet<i32>], offer: &Offer<'_>) {
    offer.for_each_value(&mut |name, value| {
        if let Some(values) = seen.get_mut(name) {
            values.insert(value);
        }
    });
}
