//! Values that are given instead of listed: a text that a seat writes, a number of a long range.

use std::ops::ControlFlow;

use unicode_normalization::UnicodeNormalization;
use wyrmgate_base::visible::is_hidden;
use wyrmgate_engine::{
    BoundValue, Choice, Fault, Pending, RejectCode, State, for_each_choice, is_legal,
};

use crate::explain::Rejection;
use wyrmgate_program::{BinderInfo, Program, Site, text_of};

/// How many listed choices are looked at for one in which a value can be put.
const LOOKED_AT_MAX: usize = 64;

/// Returns a text in normal form (NFC) without the space around it, or refuses what readers cannot see or takes more than a
/// line.
pub(crate) fn text(name: &str, text: &str) -> Result<String, Rejection> {
    let text: String = text.trim().nfc().collect();
    let is_odd = |c: char| is_hidden(c) || c.is_whitespace() && c != ' ';
    let what = match text.chars().find(|c| is_odd(*c)) {
        Some(odd) => format!("contains the invisible character U+{:04X}", u32::from(odd)),
        None if text.is_empty() => "is empty".to_owned(),
        None => return Ok(text),
    };
    let message = format!("the text `{name}` {what}");
    Err(Rejection::new(RejectCode::Malformed, message))
}

/// Returns the texts of a choice that the seat has written.
pub fn texts_of(site: &Site, choice: &Choice) -> Vec<String> {
    let option = site.options.get(usize::from(choice.option));
    let binders = option.map_or(&[][..], |option| &option.binders);
    let given = binders.iter().zip(&choice.args);
    let texts = given.filter(|(binder, _)| binder.is_text());
    texts
        .map(|(_, arg)| text_of(arg.values().iter().copied()))
        .collect()
}

/// Returns the first choice of a decision in which a seat gives this value, as a person types it, if it is legal.
pub fn given_choice(
    program: &Program,
    state: &State,
    pending: &Pending,
    typed: &str,
) -> Result<Option<Choice>, Fault> {
    let mut candidates: Vec<Choice> = Vec::new();
    for_each_choice(program, state, pending, &mut |choice| {
        let option = program.option(pending.site, choice.option);
        let binders = option.map_or(&[][..], |option| &option.binders);
        for (at, binder) in binders.iter().enumerate() {
            let mut candidate = choice.clone();
            if let Some(value) = value_of(program, binder, typed)
                && let Some(place) = candidate.args.get_mut(at)
            {
                *place = value;
                if !candidates.contains(&candidate) {
                    candidates.push(candidate);
                }
            }
        }
        match candidates.len() < LOOKED_AT_MAX {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    })?;
    for candidate in candidates {
        if is_legal(program, state, pending, &candidate)? {
            return Ok(Some(candidate));
        }
    }
    Ok(None)
}

fn value_of(program: &Program, binder: &BinderInfo, typed: &str) -> Option<BoundValue> {
    if binder.is_text() {
        let text = text(&binder.name, typed).ok()?;
        return Some(BoundValue::Many(text.chars().map(|c| c as i32).collect()));
    }
    binder.range(program)?;
    typed.trim().parse().ok().map(BoundValue::One)
}
