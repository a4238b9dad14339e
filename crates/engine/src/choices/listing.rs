//! A range of the choices of a decision, with the values that its texts show.

use super::all;
use super::groups::groups;
use super::legal::in_order;
use super::look_at;
use crate::choice::{Choice, Pending};
use crate::eval::{Eval, IterationStop, settle};
use crate::fault::{Fault, Halt};
use crate::holes;
use crate::seen::SeenValue;
use crate::state::State;
use wyrmgate_program::{Program, Site, TextId};

/// A text, and the values in its holes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filled {
    pub text: TextId,
    pub holes: Vec<Vec<SeenValue>>,
}

/// Some of the choices of a decision.
#[derive(Debug, Clone, Default)]
pub struct ChoiceListing {
    pub prompt: Option<Filled>,
    /// The total number of choices; `u64::MAX` means at least that many.
    pub count: u64,
    /// The options with choices, by number, in order.
    pub options: Vec<u16>,
    pub choices: Vec<ListedChoice>,
    /// Whether there are names that are given: the choices then are some of many.
    pub is_open: bool,
}

/// A choice with its number in the order of [`for_each_choice`](super::for_each_choice).
#[derive(Debug, Clone)]
pub struct ListedChoice {
    pub index: u64,
    pub choice: Choice,
    /// The label that the rules declare for this option.
    pub label: Option<Filled>,
}

/// Lists at most `limit` choices, from number `offset` on.
pub fn list(
    program: &Program,
    state: &State,
    pending: &Pending,
    limit: usize,
    offset: u64,
) -> Result<ChoiceListing, Fault> {
    let mut listing = ChoiceListing::default();
    look_at(program, state, pending, |eval, site| {
        eval.set_temp(site.seat_temp, i32::from(pending.seat));
        listing.prompt = filled(eval, site.prompt)?;
        listing.fill(eval, site, pending.seat, limit, offset)
    })?;
    Ok(listing)
}

/// Returns the same choice with the members of every subset in the order of its domain; unknown ones come last.
pub fn sorted_choice(
    program: &Program,
    state: &State,
    pending: &Pending,
    choice: &Choice,
) -> Result<Choice, Fault> {
    let sorted = look_at(program, state, pending, |eval, site| {
        in_order(eval, site, pending.seat, choice)
    })?;
    Ok(sorted.unwrap_or_else(|| choice.clone()))
}

impl ChoiceListing {
    fn fill(
        &mut self,
        eval: &mut Eval<'_>,
        site: &Site,
        seat: u8,
        limit: usize,
        offset: u64,
    ) -> Result<(), Halt> {
        settle(groups(eval, site, seat, &mut |eval, prefix, group| {
            let weight = group.weight();
            if weight > 0 && !self.options.contains(&prefix.option) {
                self.options.push(prefix.option);
            }
            if let Some(option) = site.options.get(usize::from(prefix.option))
                && !self.is_open
            {
                self.is_open = eval.given(option)?.iter().any(Option::is_some);
            }
            let passed = self.count;
            self.count = passed.saturating_add(weight);
            let first = offset.saturating_sub(passed);
            let room = limit.saturating_sub(self.choices.len()) as u64;
            for number in first..weight.min(first.saturating_add(room)) {
                eval.scratch.spend()?;
                let choice = group.choice(prefix, number);
                let listed = ListedChoice {
                    index: passed.saturating_add(number),
                    label: label(eval, site, &choice)?,
                    choice,
                };
                self.choices.push(listed);
            }
            Ok::<(), IterationStop>(())
        }))
    }
}

fn label(eval: &mut Eval<'_>, site: &Site, choice: &Choice) -> Result<Option<Filled>, Halt> {
    let option = site.options.get(usize::from(choice.option));
    let label = option.and_then(|option| option.label);
    Ok(written(eval, site, choice, label.into_iter())?.pop())
}

/// Fills texts of the option with the values of a choice.
fn written(
    eval: &mut Eval<'_>,
    site: &Site,
    choice: &Choice,
    texts: impl Iterator<Item = TextId>,
) -> Result<Vec<Filled>, Halt> {
    let lists = eval.scratch.lists.len();
    let option = site.options.get(usize::from(choice.option));
    let binders = option.map_or(&[][..], |option| &option.binders);
    let mut written = Vec::new();
    for text in texts {
        if written.is_empty() {
            for (binder, arg) in binders.iter().zip(&choice.args) {
                eval.bind(binder, arg);
            }
        }
        let holes = holes::evaluated(eval, text)?;
        written.push(Filled { text, holes });
    }
    eval.scratch.lists.truncate(lists);
    Ok(written)
}

fn filled(eval: &mut Eval<'_>, text: Option<TextId>) -> Result<Option<Filled>, Halt> {
    text.map(|text| {
        let holes = holes::evaluated(eval, text)?;
        Ok(Filled { text, holes })
    })
    .transpose()
}

/// Returns every choice of a decision with the forms in which the notation of the game writes it. Options without a form are
/// left out.
pub fn noted(
    program: &Program,
    state: &State,
    pending: &Pending,
) -> Result<Vec<(Choice, Vec<Filled>)>, Fault> {
    let mut noted = Vec::new();
    look_at(program, state, pending, |eval, site| {
        if site.options.iter().all(|option| option.forms.is_empty()) {
            return Ok(());
        }
        eval.set_temp(site.seat_temp, i32::from(pending.seat));
        for choice in all(eval, site, pending.seat)? {
            let option = site.options.get(usize::from(choice.option));
            let forms = option.map_or(&[][..], |option| &option.forms);
            let forms = forms.iter().map(|form| form.text);
            let forms = written(eval, site, &choice, forms)?;
            noted.push((choice, forms));
        }
        Ok(())
    })?;
    Ok(noted)
}
