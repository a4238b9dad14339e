//! A range of the choices of a decision, with the values that its texts show.

use super::all;
use super::groups::groups;
use super::legal::in_order;
use super::{look_at, site_of};
use crate::choice::{Choice, Pending};
use crate::eval::{Eval, IterationStop, settle};
use crate::fault::{Fault, FaultKind, Halt};
use crate::holes::{Filled, filled_within};
use crate::limit::FUEL_PER_ENUMERATION;
use crate::state::State;
use wyrmgate_program::{Program, Site, TextId};

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
        // Texts have a budget of their own, so that none of them hides the choices.
        let mut work = FUEL_PER_ENUMERATION;
        listing.prompt = site
            .prompt
            .map(|prompt| filled_within(eval, prompt, &mut work));
        listing.fill(eval, pending, limit, offset, &mut work)
    })?;
    Ok(listing)
}

/// Returns the first text of a decision that cannot be made: the prompt, or a label of one of the first choices.
pub fn untold(
    program: &Program,
    state: &State,
    pending: &Pending,
    limit: usize,
) -> Result<Option<Fault>, Fault> {
    let listing = list(program, state, pending, limit, 0)?;
    Ok(listing.untold().map(|kind| Fault {
        kind,
        span: program.site(pending.site).map(|site| site.span),
    }))
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
    /// Returns why the first text that cannot be made cannot.
    pub fn untold(&self) -> Option<FaultKind> {
        let labels = self
            .choices
            .iter()
            .filter_map(|listed| listed.label.as_ref());
        let mut texts = self.prompt.iter().chain(labels);
        texts.find_map(|filled| filled.fault)
    }

    fn fill(
        &mut self,
        eval: &mut Eval<'_>,
        pending: &Pending,
        limit: usize,
        offset: u64,
        work: &mut u32,
    ) -> Result<(), Halt> {
        let Some(site) = site_of(eval.program, pending) else {
            return Ok(());
        };
        settle(groups(
            eval,
            site,
            pending.seat,
            &mut |eval, prefix, group| {
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
                        label: label(eval, site, &choice, work),
                        choice,
                    };
                    self.choices.push(listed);
                }
                Ok::<(), IterationStop>(())
            },
        ))
    }
}

fn label(eval: &mut Eval<'_>, site: &Site, choice: &Choice, work: &mut u32) -> Option<Filled> {
    let option = site.options.get(usize::from(choice.option));
    let label = option.and_then(|option| option.label);
    written(eval, site, choice, label.into_iter(), work).pop()
}

/// Fills texts of the option with the values of a choice.
fn written(
    eval: &mut Eval<'_>,
    site: &Site,
    choice: &Choice,
    texts: impl Iterator<Item = TextId>,
    work: &mut u32,
) -> Vec<Filled> {
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
        written.push(filled_within(eval, text, work));
    }
    eval.scratch.lists.truncate(lists);
    written
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
        let mut work = FUEL_PER_ENUMERATION;
        for choice in all(eval, site, pending.seat)? {
            let option = site.options.get(usize::from(choice.option));
            let forms = option.map_or(&[][..], |option| &option.forms);
            let forms = forms.iter().map(|form| form.text);
            let forms = written(eval, site, &choice, forms, &mut work);
            if let Some(kind) = forms.iter().find_map(|form| form.fault) {
                return Err(eval.scratch.halt(kind));
            }
            noted.push((choice, forms));
        }
        Ok(())
    })?;
    Ok(noted)
}
