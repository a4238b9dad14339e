//! The choices of a decision: counted, listed, drawn and validated without building a list.

mod alike;
mod domain;
mod group;
mod groups;
mod hidden;
mod legal;
mod listing;
mod menu;
mod offers;
mod open;
mod route;
mod tested;

use std::ops::ControlFlow;

use crate::choice::{Choice, Pending};
use crate::eval::{Eval, IterationStop, Scratch, settle};
use crate::fault::{Fault, FaultKind, Halt};
use crate::layout::header;
use crate::limit::FUEL_PER_ENUMERATION;
use crate::owed::first_owed;
use crate::state::State;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_program::{Program, Site};

pub use alike::{groups_alike, listed_alike};
pub use group::Group;
pub use groups::groups;
use groups::groups_of;
pub use hidden::hidden_last;
pub use legal::{IllegalChoice, in_order, refusal};
pub use listing::{
    ChoiceListing, ChoiceTexts, ListedChoice, list, sorted_choice, untold, with_texts,
};
pub use menu::{ChoiceMenu, Picked};
pub use offers::{Offer, for_each_offer};
pub use open::OpenValue;
pub use tested::{Test, Tested, tested};

pub use crate::selections::{Alike, MemberOrder, Sizes};

/// Evaluates in the suspended frame, on the budget for observation.
pub fn look<T>(
    program: &Program,
    state: &State,
    look: impl FnOnce(&mut Eval<'_>) -> Result<T, Halt>,
) -> Result<T, Fault> {
    let mut scratch = Scratch::new(FUEL_PER_ENUMERATION, FaultKind::Enumeration);
    look_with(program, state, &mut scratch, look)
        .map_err(|Halt| scratch.take_fault().or_at(asked_at(program, state)))
}

/// Returns where the rules ask for the pending decision of a state.
pub fn asked_at(program: &Program, state: &State) -> Option<Span> {
    let owed = first_owed(state)?;
    site_of(program, &owed).map(|site| site.span)
}

/// Evaluates in the suspended frame.
pub fn look_with<T>(
    program: &Program,
    state: &State,
    scratch: &mut Scratch,
    look: impl FnOnce(&mut Eval<'_>) -> Result<T, Halt>,
) -> Result<T, Halt> {
    scratch.memo.turn_on();
    let base = state.head(header::BASE).max(0) as usize;
    look(&mut Eval::new(program, state, scratch, base))
}

/// Evaluates the site of a decision in the suspended frame; `None` if the program has no such site.
fn look_at<'p, T>(
    program: &'p Program,
    state: &State,
    pending: &Pending,
    look_at: impl FnOnce(&mut Eval<'_>, &'p Site) -> Result<T, Halt>,
) -> Result<Option<T>, Fault> {
    let site = site_of(program, pending);
    site.map(|site| look(program, state, |eval| look_at(eval, site)))
        .transpose()
}

fn site_of<'p>(program: &'p Program, pending: &Pending) -> Option<&'p Site> {
    program.site(pending.site)
}

/// Visits every choice of a decision in a defined order that depends only on what the deciding seat may see.
pub fn for_each_choice(
    program: &Program,
    state: &State,
    pending: &Pending,
    visit: &mut dyn FnMut(&Choice) -> ControlFlow<()>,
) -> Result<(), Fault> {
    look_at(program, state, pending, |eval, site| {
        let visit = &mut |eval: &mut Eval<'_>, prefix: &Choice, group: Group<'_>| {
            let mut choice = group.blank(prefix);
            for number in 0..group.weight() {
                eval.scratch.spend()?;
                group.fill(&mut choice, number);
                if visit(&choice).is_break() {
                    return Err(IterationStop::Enough);
                }
            }
            Ok(())
        };
        settle(groups(eval, site, pending.seat, visit))
    })?;
    Ok(())
}

/// Returns the number of choices of a decision; `u64::MAX` means at least that many.
pub fn count_choices(program: &Program, state: &State, pending: &Pending) -> Result<u64, Fault> {
    let count = look_at(program, state, pending, |eval, site| {
        count(eval, site, pending.seat)
    })?;
    Ok(count.unwrap_or(0))
}

pub fn count(eval: &mut Eval<'_>, site: &Site, seat: u8) -> Result<u64, Halt> {
    let mut count = 0u64;
    settle(groups(eval, site, seat, &mut |_, _, group| {
        count = count.saturating_add(group.weight());
        Ok(())
    }))?;
    Ok(count)
}

/// Returns the number of choices of one option of a decision; `u64::MAX` means at least that many.
pub fn count_choices_of(
    program: &Program,
    state: &State,
    pending: &Pending,
    option: usize,
) -> Result<u64, Fault> {
    let count = look_at(program, state, pending, |eval, site| {
        let mut count = 0u64;
        settle(groups_of(
            eval,
            site,
            option,
            pending.seat,
            &mut |_, _, group| {
                count = count.saturating_add(group.weight());
                Ok(())
            },
        ))?;
        Ok(count)
    })?;
    Ok(count.unwrap_or(0))
}

/// Returns whether there is a choice other than to decline. Otherwise there is no decision.
pub fn any(eval: &mut Eval<'_>, site: &Site, seat: u8) -> Result<bool, Halt> {
    let mut any = false;
    let proper = site.proper_options().len();
    settle(groups(eval, site, seat, &mut |_, prefix, group| {
        any = group.weight() > 0 && usize::from(prefix.option) < proper;
        if any {
            Err(IterationStop::Enough)
        } else {
            Ok(())
        }
    }))?;
    Ok(any)
}

/// Returns choice number `n` in the order of [`for_each_choice`], from 0.
pub fn nth_choice(
    program: &Program,
    state: &State,
    pending: &Pending,
    n: u64,
) -> Result<Option<Choice>, Fault> {
    let nth = look_at(program, state, pending, |eval, site| {
        nth(eval, site, pending.seat, n)
    })?;
    Ok(nth.flatten())
}

pub fn nth(eval: &mut Eval<'_>, site: &Site, seat: u8, n: u64) -> Result<Option<Choice>, Halt> {
    let mut left = n;
    let mut found = None;
    settle(groups(eval, site, seat, &mut |_, prefix, group| {
        let weight = group.weight();
        if left >= weight {
            left -= weight;
            return Ok(());
        }
        found = Some(group.choice(prefix, left));
        Err(IterationStop::Enough)
    }))?;
    Ok(found)
}

/// Returns a choice, all equally likely, in a single pass: `draw(n)` returns a number in `0..n`. Each group of choices
/// replaces the one kept so far with the probability that makes all choices equally likely.
pub fn random_choice(
    program: &Program,
    state: &State,
    pending: &Pending,
    draw: &mut dyn FnMut(u64) -> u64,
) -> Result<Option<Choice>, Fault> {
    let drawn = look_at(program, state, pending, |eval, site| {
        let mut total = 0u64;
        let mut kept = None;
        settle(groups(eval, site, pending.seat, &mut |_, prefix, group| {
            let weight = group.weight();
            if weight == 0 {
                return Ok(());
            }
            total = total.saturating_add(weight);
            let number = if total == 1 { 0 } else { draw(total) };
            if number < weight {
                kept = Some(group.choice(prefix, number));
            }
            Ok(())
        }))?;
        Ok(kept)
    })?;
    Ok(drawn.flatten())
}

/// Returns whether this is one of the choices. As exact as the list: a subset must be in the order of its domain.
pub fn is_legal(
    program: &Program,
    state: &State,
    pending: &Pending,
    choice: &Choice,
) -> Result<bool, Fault> {
    let refused = look_at(program, state, pending, |eval, site| {
        refusal(eval, site, pending.seat, choice)
    })?;
    Ok(matches!(refused, Some(None)))
}
