//! Choices in groups: all that differ only in the last name. A group is counted and drawn from by number.

use super::selection::Sizes;
use crate::engine::choice::{Arg, Choice};
use crate::engine::eval::{Eval, Values, Walk};
use crate::engine::fault::Halt;
use crate::program::{BinderInfo, Condition, Site, SiteOption};

/// The choices that begin with the same option and names.
pub(crate) enum Group<'g> {
    /// An option without names: itself.
    Itself,
    /// One of the members.
    One(&'g [i32]),
    /// So many of the members.
    Many(&'g [i32], Sizes),
}

impl Group<'_> {
    /// How many choices there are.
    pub fn weight(&self) -> u64 {
        match self {
            Group::Itself => 1,
            Group::One(members) => members.len() as u64,
            Group::Many(members, sizes) => sizes.count(members.len()),
        }
    }

    /// Choice `number`, of less than the weight.
    pub fn choice(&self, prefix: &Choice, number: u64) -> Choice {
        let mut choice = prefix.clone();
        match self {
            Group::Itself => {}
            Group::One(members) => {
                let member = members.get(number as usize).copied();
                choice.args.push(Arg::One(member.unwrap_or_default()));
            }
            Group::Many(members, sizes) => choice.args.push(selected(members, *sizes, number)),
        }
        choice
    }
}

fn selected(members: &[i32], sizes: Sizes, number: u64) -> Arg {
    let positions = sizes.nth(members.len(), number);
    let values = positions.iter().filter_map(|&at| members.get(at).copied());
    Arg::Many(values.collect())
}

/// What is done with each group.
type Visit<'v, 'a> = &'v mut dyn FnMut(&mut Eval<'a>, &Choice, Group<'_>) -> Walk;

/// Visits the choices of a decision, group by group.
pub(crate) fn groups<'a>(eval: &mut Eval<'a>, site: &Site, seat: u8, visit: Visit<'_, 'a>) -> Walk {
    let mut prefix = Choice::default();
    for (number, option) in site.options.iter().enumerate() {
        eval.scratch.spend()?;
        eval.set_temp(site.seat_temp, i32::from(seat));
        if closed_by(eval, option)?.is_some() {
            continue;
        }
        prefix.option = number as u16;
        names(eval, seat, &option.binders, &mut prefix, visit)?;
    }
    Ok(())
}

/// The first condition of an option that does not hold.
pub(super) fn closed_by<'o>(
    eval: &mut Eval<'_>,
    option: &'o SiteOption,
) -> Result<Option<&'o Condition>, Halt> {
    for condition in &option.conditions {
        if !eval.truth(condition.test)? {
            return Ok(Some(condition));
        }
    }
    Ok(None)
}

/// Goes through the values of the first name, and for each through the rest.
fn names<'a>(
    eval: &mut Eval<'a>,
    seat: u8,
    binders: &[BinderInfo],
    prefix: &mut Choice,
    visit: Visit<'_, 'a>,
) -> Walk {
    let Some((binder, rest)) = binders.split_first() else {
        return visit(eval, prefix, Group::Itself);
    };
    let members = eval.domain(seat, binder)?;
    let sizes = eval.sizes(binder, members.len())?;
    let group = match sizes {
        None => Group::One(&members),
        Some(sizes) => Group::Many(&members, sizes),
    };
    if rest.is_empty() {
        return visit(eval, prefix, group);
    }
    each_value(eval, seat, binder, rest, &members, sizes, prefix, visit)
}

#[expect(
    clippy::too_many_arguments,
    reason = "one step of a recursion over names"
)]
fn each_value<'a>(
    eval: &mut Eval<'a>,
    seat: u8,
    binder: &BinderInfo,
    rest: &[BinderInfo],
    members: &Values,
    sizes: Option<Sizes>,
    prefix: &mut Choice,
    visit: Visit<'_, 'a>,
) -> Walk {
    let lists = eval.scratch.lists.len();
    let count = sizes.map_or(members.len() as u64, |sizes| sizes.count(members.len()));
    for number in 0..count {
        eval.scratch.spend()?;
        let arg = match sizes {
            None => Arg::One(members.get(number as usize).copied().unwrap_or_default()),
            Some(sizes) => selected(members, sizes, number),
        };
        eval.bind(binder, &arg);
        prefix.args.push(arg);
        let walk = names(eval, seat, rest, prefix, visit);
        prefix.args.pop();
        eval.scratch.lists.truncate(lists);
        walk?;
    }
    Ok(())
}
