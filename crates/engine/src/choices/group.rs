//! Choices that differ only in the last name. They are counted and drawn by number.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::choice::{BoundValue, Choice};
use crate::selections::{CountedSelections, Sizes};
use wyrmgate_program::{Bits, Domain, NONE, count_of};

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
    Counted(&'g Arc<CountedSelections>),
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
            Group::One(_) | Group::Bits(..) => choice.args.push(BoundValue::One(NONE)),
            Group::Many(..) | Group::Counted(_) => {
                choice.args.push(BoundValue::Many(SmallVec::new()));
            }
        }
        choice
    }

    /// Fills a blank with choice `number`.
    pub fn fill(&self, choice: &mut Choice, number: u64) {
        match (self, choice.args.last_mut()) {
            (Group::One(members), Some(BoundValue::One(value))) => *value = member(members, number),
            (Group::Bits(domain, bits), Some(BoundValue::One(value))) => {
                *value = domain.nth(*bits, number);
            }
            (Group::Many(members, sizes), Some(BoundValue::Many(values))) => {
                sizes.select(members, number, values);
            }
            (Group::Counted(selections), Some(BoundValue::Many(values))) => {
                values.clear();
                selections.select_onto(number, values);
            }
            _ => {}
        }
    }
}

fn member(members: &[i32], number: u64) -> i32 {
    let at = usize::try_from(number).ok();
    at.and_then(|at| members.get(at).copied()).unwrap_or(NONE)
}
