//! Goes through the names of options, and visits the groups of choices that differ only in the last name.

use smallvec::SmallVec;

use super::group::Group;
use super::route::SoughtPath;
use crate::choice::{BoundValue, Choice};
use crate::eval::{Eval, ValueList, Walk};
use crate::selections::{Alike, MemberOrder, Selections, Sizes, WantedSelection, tests_of};
use wyrmgate_program::{BinderInfo, NONE, Site, SiteOption};

/// Called for each group.
type Visit<'v, 'a> = &'v mut dyn FnMut(&mut Eval<'a>, &Choice, Group<'_>) -> Walk;

/// Visits the choices of a decision, group by group.
pub fn groups<'a>(eval: &mut Eval<'a>, site: &Site, seat: u8, visit: Visit<'_, 'a>) -> Walk {
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
    if eval.first_failing(&option.conditions)?.is_some() {
        return Ok(());
    }
    let mut prefix = Choice {
        option: number as u16,
        ..Choice::default()
    };
    names(eval, seat, option, &mut prefix, visit)
}

/// Visits the choices of an option that begin with these names, group by group.
pub(super) fn names<'a>(
    eval: &mut Eval<'a>,
    seat: u8,
    option: &SiteOption,
    prefix: &mut Choice,
    visit: Visit<'_, 'a>,
) -> Walk {
    let mut names = OptionNames {
        seat,
        option,
        prefix,
        visit,
    };
    names.next(eval)
}

/// The names of an option, of which the first ones have values.
struct OptionNames<'n, 'a> {
    seat: u8,
    option: &'n SiteOption,
    prefix: &'n mut Choice,
    visit: Visit<'n, 'a>,
}

impl<'a> OptionNames<'_, 'a> {
    /// Iterates over the values of the next name, and recursively over the rest.
    fn next(&mut self, eval: &mut Eval<'a>) -> Walk {
        let option = self.option;
        let Some(binder) = option.binders.get(self.prefix.args.len()) else {
            return (self.visit)(eval, self.prefix, Group::Itself);
        };
        if binder.path.is_some() {
            let route = SoughtPath::of(eval, binder)?;
            return self.each_path(eval, &route, &mut ValueList::new());
        }
        if binder.is_text() {
            return self.each_text(eval, binder);
        }
        let is_free = self.is_last() && binder.together.is_empty();
        if is_free && let Some(mask) = eval.mask_in_order(binder) {
            let (domain, bits) = eval.members_of(mask)?;
            return (self.visit)(eval, self.prefix, Group::Bits(domain, bits));
        }
        let members = eval.domain(self.seat, binder)?;
        self.among(eval, binder, &members)
    }

    fn is_last(&self) -> bool {
        self.prefix.args.len() + 1 == self.option.binders.len()
    }

    /// Iterates over the values of a name among the members of its list, and recursively over the rest.
    fn among(&mut self, eval: &mut Eval<'a>, binder: &BinderInfo, members: &ValueList) -> Walk {
        let is_free = self.is_last() && binder.together.is_empty();
        let sizes = eval.sizes(binder, members.len())?;
        let before = (self.option.binders.as_slice(), self.prefix.args.as_slice());
        match (sizes, eval.alike(self.seat, binder, before, members)) {
            (None, alike) => {
                let firsts = alike.map(|alike| alike.firsts());
                let members = firsts.as_ref().unwrap_or(members);
                match is_free {
                    true => (self.visit)(eval, self.prefix, Group::One(members)),
                    false => self.each_member(eval, binder, members),
                }
            }
            (Some(sizes), Some(alike)) if sizes.form == MemberOrder::Subset => {
                self.each_together(eval, binder, members, sizes, Some(&alike))
            }
            (Some(sizes), _) if is_free => {
                (self.visit)(eval, self.prefix, Group::Many(members, sizes))
            }
            (Some(sizes), _) if !binder.together.is_empty() => {
                self.each_together(eval, binder, members, sizes, None)
            }
            (Some(sizes), _) => self.each_selection(eval, binder, members, sizes),
        }
    }

    /// Goes through the rest for each member.
    fn each_member(&mut self, eval: &mut Eval<'a>, binder: &BinderInfo, members: &[i32]) -> Walk {
        let name = self.prefix.args.len();
        self.prefix.args.push(BoundValue::One(NONE));
        for member in members {
            eval.scratch.spend()?;
            eval.set_temp(binder.temp, *member);
            if let Some(arg) = self.prefix.args.get_mut(name) {
                *arg = BoundValue::One(*member);
            }
            self.next(eval)?;
        }
        self.prefix.args.truncate(name);
        Ok(())
    }

    /// Goes through the rest for each selection of members.
    fn each_selection(
        &mut self,
        eval: &mut Eval<'a>,
        binder: &BinderInfo,
        members: &[i32],
        sizes: Sizes,
    ) -> Walk {
        let lists = eval.scratch.lists.len();
        for number in 0..sizes.count(members.len()) {
            eval.scratch.spend()?;
            let mut values = SmallVec::new();
            sizes.select(members, number, &mut values);
            let arg = BoundValue::Many(values);
            eval.bind(binder, &arg);
            let walk = self.with(eval, arg);
            eval.scratch.lists.truncate(lists);
            walk?;
        }
        Ok(())
    }

    /// Goes through the rest for each of the proposed texts.
    fn each_text(&mut self, eval: &mut Eval<'a>, binder: &BinderInfo) -> Walk {
        let lists = eval.scratch.lists.len();
        for text in eval.proposed_texts(binder)? {
            eval.scratch.spend()?;
            eval.bind(binder, &text);
            let walk = self.with(eval, text);
            eval.scratch.lists.truncate(lists);
            walk?;
        }
        Ok(())
    }

    /// Goes through the rest for one value of the next name.
    fn with(&mut self, eval: &mut Eval<'a>, arg: BoundValue) -> Walk {
        self.prefix.args.push(arg);
        let walk = self.next(eval);
        self.prefix.args.pop();
        walk
    }

    /// Goes through the rest for each selection that fulfills its conditions; of several that are alike, for one.
    fn each_together(
        &mut self,
        eval: &mut Eval<'a>,
        binder: &BinderInfo,
        members: &[i32],
        sizes: Sizes,
        alike: Option<&Alike>,
    ) -> Walk {
        let tests = tests_of(&binder.together);
        let wanted = WantedSelection {
            list: binder.temp,
            tests: &tests,
            members,
            sizes,
            alike,
        };
        let searched = match self.is_last() {
            true => match eval.selections(wanted)? {
                Selections::Counted(counted) => {
                    return (self.visit)(eval, self.prefix, Group::Counted(&counted));
                }
                Selections::Searched(searched) => searched,
            },
            false => eval.searched(wanted)?,
        };
        eval.each_selection(wanted, searched, &mut |eval, values| {
            self.with(eval, BoundValue::Many(SmallVec::from_slice(values)))
        })
    }

    /// Goes through the rest for each path that begins with these members, one after the other; a path that fails a
    /// condition is not followed.
    fn each_path(
        &mut self,
        eval: &mut Eval<'a>,
        route: &SoughtPath<'_>,
        so_far: &mut ValueList,
    ) -> Walk {
        eval.scratch.spend()?;
        let lists = eval.scratch.lists.len();
        let next = route.next(eval, self.seat, so_far)?;
        let is_whole = match route.to_the_end {
            true => next.is_empty() && !so_far.is_empty(),
            false => so_far.len() >= route.least,
        };
        if is_whole {
            let arg = BoundValue::Many(SmallVec::from_slice(so_far));
            eval.bind(route.binder, &arg);
            if eval.first_failing(&route.binder.together)?.is_none() {
                self.with(eval, arg)?;
            }
        }
        eval.scratch.lists.truncate(lists);
        for member in next {
            so_far.push(member);
            self.each_path(eval, route, so_far)?;
            so_far.pop();
        }
        Ok(())
    }
}
