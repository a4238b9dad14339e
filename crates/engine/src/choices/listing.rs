//! A range of the choices of a decision, and the values that the texts of its choices show.

use super::legal::in_order;
use super::{ChoiceMenu, look_at};
use crate::choice::{Choice, Pending};
use crate::eval::Eval;
use crate::fault::{Fault, FaultKind, Halt};
use crate::holes::{Filled, filled_within, values_in};
use crate::limit::FUEL_PER_ENUMERATION;
use crate::seen::SeenValue;
use crate::state::State;
use wyrmgate_program::{BinderInfo, Hole, Program, Site, TextId};

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

/// Lists at most `limit` choices of this decision's set, from number `offset` on.
pub fn list(
    program: &Program,
    state: &State,
    pending: &Pending,
    menu: &ChoiceMenu,
    limit: usize,
    offset: u64,
) -> Result<ChoiceListing, Fault> {
    let listing = with_texts(program, state, pending, |texts| {
        let mut listing = ChoiceListing {
            prompt: texts.site.prompt.map(|prompt| texts.filled(prompt)),
            count: menu.count(),
            ..ChoiceListing::default()
        };
        for (option, first) in menu.groups() {
            if !listing.options.contains(&option) {
                listing.options.push(option);
            }
            listing.is_open = listing.is_open || texts.is_open(menu, option, first)?;
        }
        let end = offset.saturating_add(limit as u64).min(menu.count());
        for index in offset..end {
            texts.eval.scratch.spend()?;
            let Some(choice) = menu.choice(texts.site, index) else {
                break;
            };
            let label = texts.label(&choice);
            listing.choices.push(ListedChoice {
                index,
                choice,
                label,
            });
        }
        Ok(listing)
    })?;
    Ok(listing.unwrap_or_default())
}

/// Returns the first text of a decision that cannot be made: the prompt, or a label of one of the first choices.
pub fn untold(
    program: &Program,
    state: &State,
    pending: &Pending,
    limit: usize,
) -> Result<Option<Fault>, Fault> {
    let menu = ChoiceMenu::of(program, state, pending)?;
    let listing = list(program, state, pending, &menu, limit, 0)?;
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
}

/// The texts of the choices of a decision. They have a budget of their own, so that none of them hides the choices.
pub struct ChoiceTexts<'t, 'p> {
    eval: &'t mut Eval<'p>,
    site: &'t Site,
    work: u32,
    /// The length of the evaluation's lists without those of a choice.
    lists: usize,
}

/// Looks at texts of choices of a decision; `None` if the program has no such decision.
pub fn with_texts<T>(
    program: &Program,
    state: &State,
    pending: &Pending,
    look: impl FnOnce(&mut ChoiceTexts<'_, '_>) -> Result<T, Halt>,
) -> Result<Option<T>, Fault> {
    look_at(program, state, pending, |eval, site| {
        eval.set_temp(site.seat_temp, i32::from(pending.seat));
        let lists = eval.scratch.lists.len();
        look(&mut ChoiceTexts {
            eval,
            site,
            work: FUEL_PER_ENUMERATION,
            lists,
        })
    })
}

impl ChoiceTexts<'_, '_> {
    /// Turns to the texts of this choice.
    pub fn turn_to(&mut self, choice: &Choice) {
        self.eval.scratch.lists.truncate(self.lists);
        let option = self.site.options.get(usize::from(choice.option));
        let binders = option.map_or(&[][..], |option| &option.binders);
        for (binder, arg) in binders.iter().zip(&choice.args) {
            self.eval.bind(binder, arg);
        }
    }

    /// Returns the values in a hole of a text.
    pub fn hole(&mut self, hole: Hole) -> Result<Vec<SeenValue>, Halt> {
        let values = (self.eval).attempt(&mut self.work, |eval| values_in(eval, hole));
        values.map_err(|fault| self.eval.scratch.halt(fault.kind))
    }

    fn filled(&mut self, text: TextId) -> Filled {
        filled_within(self.eval, text, &mut self.work)
    }

    fn label(&mut self, choice: &Choice) -> Option<Filled> {
        let label = self.site.options.get(usize::from(choice.option))?.label?;
        self.turn_to(choice);
        Some(self.filled(label))
    }

    /// Returns whether names of a choice of this option are given.
    fn is_open(&mut self, menu: &ChoiceMenu, option: u16, number: u64) -> Result<bool, Halt> {
        let program = self.eval.program;
        let may_be_given = |binder: &BinderInfo| binder.may_be_given(program);
        let option = self.site.options.get(usize::from(option));
        let option = option.filter(|option| option.binders.iter().any(may_be_given));
        let Some((option, choice)) = option.zip(menu.choice(self.site, number)) else {
            return Ok(false);
        };
        self.turn_to(&choice);
        Ok(self.eval.given(option)?.iter().any(Option::is_some))
    }
}
