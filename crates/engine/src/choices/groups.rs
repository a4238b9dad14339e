//! Groups of choices that differ only in the last name. Choices of a group are counted and drawn by number.

use std::sync::Arc;

use smallvec::SmallVec;

use super::alike::Alike;
use super::path::each_path;
use super::selection::{Form, Sizes};
use crate::choice::{Arg, Choice};
use crate::eval::{Eval, Scratch, Values, Walk};
use crate::fault::Halt;
use crate::selections::{Counted, Selections, Wanted, tests_of};
use wyrmgate_program::{BinderInfo, Bits, Condition, Domain, NONE, Site, SiteOption, count_of};

/// The choices that share the option and the first names.
pub enum Group<'g> {
    /// An option without names: itself.
    Itself,
    /// One of the members.
    One(&'g [i32]),
    /// One of the members of a mask, the lowest first.
    Bits(Domain, Bits),
    /// This many of the members.
    Many(&'g [i32], Sizes),
    /// Selections of the members that fulfill conditions together.
    Counted(&'g Arc<Counted>),
}

impl Group<'_> {
    /// Returns the number of choices.
    pub fn weight(&self) -> u64 {
        match self {
            Group::Itself => 1,
            Group::One(members) => members.len() as u64,
            Group::Bits(_, bits) => u64::from(count_of(*bits)),
            Group::Many(members, sizes) => sizes.count(members.len()),
            Group::Counted(selections) => selections.weight(),
        }
    }

    /// Returns choice `number`, which is below the weight.
    pub fn choice(&self, prefix: &Choice, number: u64) -> Choice {
        let mut choice = self.blank(prefix);
        self.fill(&mut choice, number);
        choice
    }

    /// Returns a choice of this group to be filled repeatedly.
    pub fn blank(&self, prefix: &Choice) -> Choice {
        let mut choice = prefix.clone();
        match self {
            Group::Itself => {}
            Group::One(_) | Group::Bits(..) => choice.args.push(Arg::One(NONE)),
            Group::Many(..) | Group::Counted(_) => {
                choice.args.push(Arg::Many(SmallVec::new()));
            }
        }
        choice
    }

    /// Fills a blank with choice `number`.
    pub fn fill(&self, choice: &mut Choice, number: u64) {
        match (self, choice.args.last_mut()) {
            (Group::One(members), Some(Arg::One(value))) => *value = member(members, number),
            (Group::Bits(domain, bits), Some(Arg::One(value))) => {
                *value = domain.nth(*bits, number);
            }
            (Group::Many(members, sizes), Some(Arg::Many(values))) => {
                sizes.select(members, number, values);
            }
            (Group::Counted(selections), Some(Arg::Many(values))) => {
                values.clear();
                selections.select_onto(number, values);
            }
            _ => {}
        }
    }
}

fn selected(members: &[i32], sizes: Sizes, number: u64) -> Arg {
    let mut values = SmallVec::new();
    sizes.select(members, number, &mut values);
    Arg::Many(values)
}

/// Called for each group.
pub(super) type Visit<'v, 'a> = &'v mut dyn FnMut(&mut Eval<'a>, &Choice, Group<'_>) -> Walk;

/// Visits the choices of a decision, group by group.
pub fn groups<'a>(eval: &mut Eval<'a>, site: &Site, seat: u8, visit: Visit<'_, 'a>) -> Walk {
    eval.scratch.apart.clear();
    (0..site.options.len()).try_for_each(|number| groups_of(eval, site, number, seat, visit))
}

/// Visits the choices of one option, group by group.
pub(super) fn groups_of<'a>(
    eval: &mut Eval<'a>,
    site: &Site,
    number: usize,
    seat: u8,
    visit: Visit<'_, 'a>,
) -> Walk {
    let Some(option) = site.options.get(number) else {
        return Ok(());
    };
    eval.scratch.spend()?;
    eval.set_temp(site.seat_temp, i32::from(seat));
    if closed_by(eval, option)?.is_some() {
        return Ok(());
    }
    let mut prefix = Choice {
        option: number as u16,
        ..Choice::default()
    };
    names(eval, seat, option, &mut prefix, visit)
}

/// Returns the first condition of an option that does not hold.
pub(super) fn closed_by<'o>(
    eval: &mut Eval<'_>,
    option: &'o SiteOption,
) -> Result<Option<&'o Condition>, Halt> {
    first_failing(eval, &option.conditions)
}

/// Returns the first condition that does not hold.
pub(super) fn first_failing<'o>(
    eval: &mut Eval<'_>,
    conditions: &'o [Condition],
) -> Result<Option<&'o Condition>, Halt> {
    for condition in conditions {
        if !eval.truth(condition.test)? {
            return Ok(Some(condition));
        }
    }
    Ok(None)
}

/// Iterates over the values of the next name, and recursively over the rest.
pub(super) fn names<'a>(
    eval: &mut Eval<'a>,
    seat: u8,
    option: &SiteOption,
    prefix: &mut Choice,
    visit: Visit<'_, 'a>,
) -> Walk {
    let Some(binder) = option.binders.get(prefix.args.len()) else {
        return visit(eval, prefix, Group::Itself);
    };
    if binder.path.is_some() {
        return each_path(eval, seat, option, binder, prefix, visit);
    }
    let is_last = prefix.args.len() + 1 == option.binders.len();
    let is_free = is_last && binder.together.is_empty();
    if is_free && let Some(mask) = eval.mask_in_order(binder) {
        let (domain, bits) = eval.members_of(mask)?;
        return visit(eval, prefix, Group::Bits(domain, bits));
    }
    if is_free && !binder.parts.is_empty() {
        for part in &binder.parts {
            let (domain, bits) = eval.members_of(*part)?;
            if bits != 0 {
                visit(eval, prefix, Group::Bits(domain, bits))?;
            }
        }
        return Ok(());
    }
    let name = (prefix.option, prefix.args.len());
    let members = match eval.scratch.members_apart(name) {
        Some(known) => known,
        None => eval.domain(seat, binder)?,
    };
    among(eval, seat, (option, binder), &members, prefix, visit)?;
    if binder.apart {
        eval.scratch.apart.push((name, members));
    }
    Ok(())
}

/// Iterates over the values of a name among the members of its list, and recursively over the rest.
fn among<'a>(
    eval: &mut Eval<'a>,
    seat: u8,
    (option, binder): (&SiteOption, &BinderInfo),
    members: &Values,
    prefix: &mut Choice,
    visit: Visit<'_, 'a>,
) -> Walk {
    let is_last = prefix.args.len() + 1 == option.binders.len();
    let is_free = is_last && binder.together.is_empty();
    let sizes = eval.sizes(binder, members.len())?;
    let before = (option.binders.as_slice(), prefix.args.as_slice());
    match (sizes, eval.alike(seat, (binder, before), members)) {
        (None, alike) => {
            let firsts = alike.map(|alike| alike.firsts());
            let members = firsts.as_ref().unwrap_or(members);
            match is_free {
                true => visit(eval, prefix, Group::One(members)),
                false => each_member(eval, seat, option, (binder, members), prefix, visit),
            }
        }
        (Some(sizes), Some(alike)) if sizes.form == Form::Subset => {
            let among = (binder, members.as_slice(), sizes, Some(&alike));
            each_together(eval, seat, option, among, prefix, visit)
        }
        (Some(sizes), _) if is_free => visit(eval, prefix, Group::Many(members, sizes)),
        (Some(sizes), _) if !binder.together.is_empty() => {
            let among = (binder, members.as_slice(), sizes, None);
            each_together(eval, seat, option, among, prefix, visit)
        }
        (Some(sizes), _) => {
            each_selection(eval, seat, option, (binder, members, sizes), prefix, visit)
        }
    }
}

impl Scratch {
    /// Returns the members of a name, if they have been looked for and do not depend on other names.
    fn members_apart(&mut self, name: (u16, usize)) -> Option<Values> {
        let at = self.apart.iter().position(|(known, _)| *known == name)?;
        Some(self.apart.swap_remove(at).1)
    }
}

/// Goes through the rest for each member.
fn each_member<'a>(
    eval: &mut Eval<'a>,
    seat: u8,
    option: &SiteOption,
    (binder, members): (&BinderInfo, &[i32]),
    prefix: &mut Choice,
    visit: Visit<'_, 'a>,
) -> Walk {
    let name = prefix.args.len();
    prefix.args.push(Arg::One(NONE));
    for member in members {
        eval.scratch.spend()?;
        eval.set_temp(binder.temp, *member);
        if let Some(arg) = prefix.args.get_mut(name) {
            *arg = Arg::One(*member);
        }
        names(eval, seat, option, prefix, visit)?;
    }
    prefix.args.truncate(name);
    Ok(())
}

/// Goes through the rest for each selection of members.
fn each_selection<'a>(
    eval: &mut Eval<'a>,
    seat: u8,
    option: &SiteOption,
    (binder, members, sizes): (&BinderInfo, &[i32], Sizes),
    prefix: &mut Choice,
    visit: Visit<'_, 'a>,
) -> Walk {
    let lists = eval.scratch.lists.len();
    for number in 0..sizes.count(members.len()) {
        eval.scratch.spend()?;
        let arg = selected(members, sizes, number);
        eval.bind(binder, &arg);
        prefix.args.push(arg);
        let walk = names(eval, seat, option, prefix, visit);
        prefix.args.pop();
        eval.scratch.lists.truncate(lists);
        walk?;
    }
    Ok(())
}

/// Goes through the rest for each selection that fulfills its conditions; of several that are alike, for one.
fn each_together<'a>(
    eval: &mut Eval<'a>,
    seat: u8,
    option: &SiteOption,
    (binder, members, sizes, alike): (&BinderInfo, &[i32], Sizes, Option<&Alike>),
    prefix: &mut Choice,
    visit: Visit<'_, 'a>,
) -> Walk {
    let tests = tests_of(&binder.together);
    let wanted = Wanted {
        list: binder.temp,
        tests: &tests,
        members,
        sizes,
        alike,
    };
    let is_last = prefix.args.len() + 1 == option.binders.len();
    let searched = match is_last {
        true => match eval.selections(wanted)? {
            Selections::Counted(counted) => {
                return visit(eval, prefix, Group::Counted(&counted));
            }
            Selections::Searched(searched) => searched,
        },
        false => eval.searched(wanted)?,
    };
    eval.each_selection(wanted, searched, &mut |eval, values| {
        prefix.args.push(Arg::Many(SmallVec::from_slice(values)));
        let walk = names(eval, seat, option, prefix, visit);
        prefix.args.pop();
        walk
    })
}

fn member(members: &[i32], number: u64) -> i32 {
    let at = usize::try_from(number).ok();
    at.and_then(|at| members.get(at).copied()).unwrap_or(NONE)
}
