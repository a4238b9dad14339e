//! The options that a decision offers, and the possible values of their names.

use super::group::Group;
use super::groups::groups;
use super::look_at;
use super::open::OpenValue;
use crate::choice::{Choice, Pending};
use crate::eval::{members, settle};
use crate::fault::Fault;
use crate::state::State;
use wyrmgate_program::Program;

/// Choices of one option that differ only in the last name.
pub struct Offer<'o> {
    pub option: usize,
    /// The number of choices; at least one.
    pub choices: u64,
    /// By name: what is given.
    pub given: &'o [Option<OpenValue>],
    prefix: &'o Choice,
    group: &'o Group<'o>,
}

impl Offer<'_> {
    /// Visits the value of each name before the last one, and of a last one with few values: as letters, if it is a text.
    pub fn for_each_text(&self, visit: &mut dyn FnMut(usize, &[i32])) {
        for (name, arg) in self.prefix.args.iter().enumerate() {
            visit(name, arg.values());
        }
    }

    /// Visits every value that occurs, with the position of its name.
    pub fn for_each_value(&self, visit: &mut dyn FnMut(usize, i32)) {
        for (name, arg) in self.prefix.args.iter().enumerate() {
            arg.values().iter().for_each(|value| visit(name, *value));
        }
        let name = self.prefix.args.len();
        match self.group {
            Group::Itself => {}
            Group::One(values) | Group::Many(values, _) => {
                values.iter().for_each(|value| visit(name, *value));
            }
            Group::Counted(selections) => {
                selections.for_each_member(&mut |value| visit(name, value));
            }
            Group::Bits(domain, bits) => {
                members(domain.first, *bits).for_each(|value| visit(name, value));
            }
        }
    }
}

/// Visits what a decision offers, in the order of its choices.
pub fn for_each_offer(
    program: &Program,
    state: &State,
    pending: &Pending,
    visit: &mut dyn FnMut(Offer<'_>),
) -> Result<(), Fault> {
    look_at(program, state, pending, |eval, site| {
        settle(groups(
            eval,
            site,
            pending.seat,
            &mut |eval, prefix, group| {
                let choices = group.weight();
                let option = usize::from(prefix.option);
                if let Some(info) = site.options.get(option).filter(|_| choices > 0) {
                    visit(Offer {
                        option,
                        choices,
                        given: &eval.given(info)?,
                        prefix,
                        group: &group,
                    });
                }
                Ok(())
            },
        ))
    })?;
    Ok(())
}
