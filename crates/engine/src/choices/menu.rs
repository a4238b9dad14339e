//! The choice set of one decision, counted and drawn by number, in memory that the next decision reuses.
//!
//! It stores data once per group instead of once per choice: the common prefix of the choices, and the possible values
//! of the last name.

mod picking;

use std::sync::Arc;

use super::group::Group;
use super::groups::{groups, names};
use super::look_at;
use crate::choice::{Choice, Pending};
use crate::eval::{Eval, IterationStop, settle};
use crate::fault::{Fault, Halt};
use crate::selections::{CountedSelections, Sizes};
use crate::state::State;
pub use picking::Picked;
use wyrmgate_program::{Program, Site, SiteOption};

#[derive(Debug, Default)]
pub struct ChoiceMenu {
    rows: Vec<MenuRow>,
    /// Prefixes and members of all rows.
    values: Vec<i32>,
    /// Selections of members that fulfill conditions together.
    counted: Vec<Arc<CountedSelections>>,
    count: u64,
    /// Whether there is a choice other than to decline.
    proper: bool,
    ready: bool,
}

/// One group of choices.
#[derive(Debug)]
struct MenuRow {
    option: u16,
    /// The number of choices up to the end of this group.
    end: u64,
    last: Last,
    /// Where the prefix begins in `values`: for each name the number of values, then the values.
    prefix: usize,
    members: usize,
    end_of_members: usize,
}

/// The possible values of the last name.
#[derive(Debug, Clone, Copy)]
enum Last {
    Nothing,
    One,
    /// The first member and the bits of all, low half first: half as wide as they come, so that rows stay small.
    Bits(i32, [u64; 2]),
    Many(Sizes),
    /// The selections with this number in `counted`.
    Counted(usize),
}

impl ChoiceMenu {
    /// Clears the decision.
    #[inline]
    pub fn clear(&mut self) {
        self.rows.clear();
        self.values.clear();
        self.counted.clear();
        self.count = 0;
        self.proper = false;
        self.ready = false;
    }

    /// Returns the choices of a decision that is owed.
    pub fn of(program: &Program, state: &State, owed: &Pending) -> Result<ChoiceMenu, Fault> {
        let mut menu = ChoiceMenu::default();
        look_at(program, state, owed, |eval, site| {
            menu.note(eval, site, owed.seat)
        })?;
        Ok(menu)
    }

    /// Returns the option of each group of choices, and the number of its first one.
    pub fn groups(&self) -> impl Iterator<Item = (u16, u64)> {
        let before = std::iter::once(0).chain(self.rows.iter().map(|row| row.end));
        self.rows.iter().map(|row| row.option).zip(before)
    }

    pub fn is_ready(&self) -> bool {
        self.ready
    }

    /// Returns the number of choices; `u64::MAX` means at least that many.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns whether there is a choice other than to decline. Otherwise there is no decision.
    pub fn has_proper(&self) -> bool {
        self.proper
    }

    /// Records all choices of a decision.
    pub fn note(&mut self, eval: &mut Eval<'_>, site: &Site, seat: u8) -> Result<(), Halt> {
        self.clear();
        let proper = site.proper_options().len();
        settle(groups(eval, site, seat, &mut |_, prefix, group| {
            let any = self.add(prefix, &group);
            self.proper |= any && usize::from(prefix.option) < proper;
            Ok(())
        }))?;
        self.ready = true;
        Ok(())
    }

    /// Records the first choices of a decision: group by group, up to the first choice that is more than to decline.
    /// Returns whether there is one.
    pub fn note_first(&mut self, eval: &mut Eval<'_>, site: &Site, seat: u8) -> Result<bool, Halt> {
        self.clear();
        let proper = site.proper_options().len();
        settle(groups(eval, site, seat, &mut |_, prefix, group| {
            self.proper = self.add(prefix, &group) && usize::from(prefix.option) < proper;
            if self.proper {
                Err(IterationStop::Enough)
            } else {
                Ok(())
            }
        }))?;
        if !self.proper {
            self.clear();
        }
        Ok(self.proper)
    }

    /// Notes a group of choices whose names before the last one stand for one value each.
    pub fn note_group(&mut self, option: u16, prefix: &[i32], group: &Group<'_>) {
        let weight = group.weight();
        if weight == 0 {
            return;
        }
        let first = self.values.len();
        for value in prefix {
            self.values.extend_from_slice(&[1, *value]);
        }
        self.push_row(option, first, weight, group);
    }

    /// Notes a choice whose last name stands for several values, and the names before for one each.
    pub fn note_selection(&mut self, option: u16, prefix: &[i32], last: &[i32]) {
        let first = self.values.len();
        let names = prefix.iter().flat_map(|value| [1, *value]);
        self.values.extend(names);
        self.values.push(last.len() as i32);
        self.values.extend_from_slice(last);
        self.push_row(option, first, 1, &Group::Itself);
    }

    /// Notes all choices of an option that begin with these names; returns whether there are any.
    pub fn note_rest(
        &mut self,
        eval: &mut Eval<'_>,
        seat: u8,
        option: &SiteOption,
        prefix: &mut Choice,
    ) -> Result<bool, Halt> {
        let mut any = false;
        settle(names(
            eval,
            seat,
            option,
            prefix,
            &mut |_, prefix, group| {
                any |= self.add(prefix, &group);
                Ok(())
            },
        ))?;
        Ok(any)
    }

    /// Ends recording; the choices are dropped if none of them is more than to decline.
    pub fn end_noting(&mut self, any: bool) {
        if !any {
            return self.clear();
        }
        (self.proper, self.ready) = (true, true);
    }

    /// Returns whether there are any.
    fn add(&mut self, prefix: &Choice, group: &Group<'_>) -> bool {
        let weight = group.weight();
        if weight == 0 {
            return false;
        }
        let first = self.values.len();
        for arg in &prefix.args {
            let values = arg.values();
            self.values.push(values.len() as i32);
            self.values.extend_from_slice(values);
        }
        self.push_row(prefix.option, first, weight, group);
        true
    }

    fn push_row(&mut self, option: u16, first: usize, weight: u64, group: &Group<'_>) {
        let members = self.values.len();
        let last = match *group {
            Group::Itself => Last::Nothing,
            Group::One(values) => {
                self.values.extend_from_slice(values);
                Last::One
            }
            Group::Bits(domain, bits) => {
                Last::Bits(domain.first, [bits as u64, (bits >> 64) as u64])
            }
            Group::Many(values, sizes) => {
                self.values.extend_from_slice(values);
                Last::Many(sizes)
            }
            Group::Counted(selections) => {
                self.counted.push(Arc::clone(selections));
                Last::Counted(self.counted.len() - 1)
            }
        };
        self.count = self.count.saturating_add(weight);
        self.rows.push(MenuRow {
            option,
            end: self.count,
            last,
            prefix: first,
            members,
            end_of_members: self.values.len(),
        });
    }
}
