//! Defaults: what the rules declare for a seat that does not decide in time.

use crate::choice::{BoundValue, Choice, Pending};
use crate::choices::{Group, groups, is_legal, look};
use crate::eval::{Eval, IterationStop, settle};
use crate::fault::{Fault, Halt};
use crate::state::State;
use wyrmgate_program::{Condition, DECLINE, Program, Site, SiteOption};

/// Returns the default choice that the rules declare: the one called `default`; otherwise decline, or no. `None` if
/// they declare nothing, or only choices that are not possible now.
pub fn default_choice(program: &Program, state: &State, pending: &Pending) -> Option<Choice> {
    let site = program.site(pending.site)?;
    let declared = site.options.iter().enumerate();
    let mut declared =
        declared.filter_map(|(at, option)| Some((at, option, option.default.as_ref()?)));
    let found = declared.next().and_then(|(at, option, conditions)| {
        let wanted = WantedChoice {
            at,
            option,
            conditions,
        };
        // If the search takes too long, the answer is no.
        wanted.first(program, state, site, pending.seat).ok()?
    });
    found.or_else(|| unspoken(program, state, site, pending))
}

/// Returns the choice to decline, or no.
fn unspoken(program: &Program, state: &State, site: &Site, pending: &Pending) -> Option<Choice> {
    let silent =
        |name: &str| (site.may_decline && name == DECLINE) || (site.is_ask && name == "no");
    let option = site
        .options
        .iter()
        .rposition(|option| silent(&option.name))?;
    let choice = Choice {
        option: u16::try_from(option).ok()?,
        ..Choice::default()
    };
    let legal = is_legal(program, state, pending, &choice);
    legal.unwrap_or(false).then_some(choice)
}

/// A choice of one option that fulfills conditions.
struct WantedChoice<'p> {
    at: usize,
    option: &'p SiteOption,
    conditions: &'p [Condition],
}

impl WantedChoice<'_> {
    /// Returns the first in list order.
    fn first(
        &self,
        program: &Program,
        state: &State,
        site: &Site,
        seat: u8,
    ) -> Result<Option<Choice>, Fault> {
        let mut found = None;
        look(program, state, |eval| {
            settle(groups(eval, site, seat, &mut |eval, prefix, group| {
                if usize::from(prefix.option) != self.at {
                    return Ok(());
                }
                found = self.first_of(eval, prefix, &group)?;
                match found {
                    Some(_) => Err(IterationStop::Enough),
                    None => Ok(()),
                }
            }))
        })?;
        Ok(found)
    }

    /// Choices of a group differ in the last name only; the others are bound.
    fn first_of(
        &self,
        eval: &mut Eval<'_>,
        prefix: &Choice,
        group: &Group<'_>,
    ) -> Result<Option<Choice>, Halt> {
        let mut choice = group.blank(prefix);
        let lists = eval.scratch.lists.len();
        for number in 0..group.weight() {
            eval.scratch.spend()?;
            group.fill(&mut choice, number);
            let last: Option<&BoundValue> = choice.args.last();
            if let (Some(binder), Some(arg)) = (self.option.binders.last(), last) {
                eval.bind(binder, arg);
            }
            let fits = self.fits(eval)?;
            eval.scratch.lists.truncate(lists);
            if fits {
                return Ok(Some(choice));
            }
        }
        Ok(None)
    }

    fn fits(&self, eval: &mut Eval<'_>) -> Result<bool, Halt> {
        for condition in self.conditions {
            if !eval.truth(condition.test)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
