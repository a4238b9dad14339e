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
    with_texts(program, state, pending, menu, |texts| {
        let mut listing = ChoiceListing {
            prompt: texts.site.prompt.map(|prompt| texts.filled(prompt)),
            count: menu.count(),
            ..ChoiceListing::default()
        };
        for (option, first) in menu.groups() {
            if !listing.options.contains(&option) {
                listing.options.push(option);
            }
            listing.is_open = listing.is_open || texts.is_open(option, first)?;
        }
        let end = offset.saturating_add(limit as u64).min(menu.count());
        for index in offset..end {
            let choice = texts.turn_to(index)?;
            let option = texts.site.options.get(usize::from(choice.option));
            let label = option.and_then(|option| option.label);
            listing.choices.push(ListedChoice {
                index,
                choice,
                label: label.map(|label| texts.filled(label)),
            });
        }
        Ok(listing)
    })
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
    menu: &'t ChoiceMenu,
    work: u32,
    /// The length of the evaluation's lists without those of a choice.
    lists: usize,
}

/// Looks at texts of the choices of a decision. The default if the program has no such decision.
pub fn with_texts<T: Default>(
    program: &Program,
    state: &State,
    pending: &Pending,
    menu: &ChoiceMenu,
    look: impl FnOnce(&mut ChoiceTexts<'_, '_>) -> Result<T, Halt>,
) -> Result<T, Fault> {
    let found = look_at(program, state, pending, |eval, site| {
        eval.set_temp(site.seat_temp, i32::from(pending.seat));
        look(&mut ChoiceTexts {
            lists: eval.scratch.lists.len(),
            eval,
            site,
            menu,
            work: FUEL_PER_ENUMERATION,
        })
    })?;
    Ok(found.unwrap_or_default())
}

impl ChoiceTexts<'_, '_> {
    /// Turns to the texts of choice `number`, which is below the count, and returns it.
    pub fn turn_to(&mut self, number: u64) -> Result<Choice, Halt> {
        self.eval.scratch.spend()?;
        self.eval.scratch.lists.truncate(self.lists);
        let choice = self.menu.choice(self.site, number);
        let choice = choice.ok_or_else(|| self.eval.scratch.halt(FaultKind::Program))?;
        let option = self.site.options.get(usize::from(choice.option));
        let binders = option.map_or(&[][..], |option| &option.binders);
        for (binder, arg) in binders.iter().zip(&choice.args) {
            self.eval.bind(binder, arg);
        }
        Ok(choice)
    }

    /// Returns the values in a hole of a text.
    pub fn hole(&mut self, hole: Hole) -> Result<Vec<SeenValue>, Halt> {
        let values = (self.eval).attempt(&mut self.work, |eval| values_in(eval, hole));
        values.map_err(|fault| self.eval.scratch.halt(fault.kind))
    }

    fn filled(&mut self, text: TextId) -> Filled {
        filled_within(self.eval, text, &mut self.work)
    }

    /// Returns whether names of the choices of an option are given, of which this is one.
    fn is_open(&mut self, option: u16, number: u64) -> Result<bool, Halt> {
        let program = self.eval.program;
        let may_be_given = |binder: &BinderInfo| binder.may_be_given(program);
        match self.site.options.get(usize::from(option)) {
            Some(option) if option.binders.iter().any(may_be_given) => {
                self.turn_to(number)?;
                Ok(self.eval.given(option)?.iter().any(Option::is_some))
            }
            Some(_) | None => Ok(false),
        }
    }
}
