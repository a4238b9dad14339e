//! The legal choices of a decision, by their numbers.

use std::ops::ControlFlow;
use std::sync::OnceLock;

use super::{ActionNumbers, Argument};
use crate::domain::SeatPosition;
use crate::selections;
use wyrmgate_engine::{BoundValue, Choice, Fault, Pending, for_each_choice};
use wyrmgate_program::{Program, SiteId};
use wyrmgate_runner::Runner;

/// A legal choice without a number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the choice has no number: `{name}` is {value}, which is not among the values that the rules state for it"
)]
pub struct NoNumber {
    pub name: String,
    pub value: i32,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpaceError {
    #[error("the game stopped: {}", .0.kind.name())]
    Fault(Fault),
    #[error(transparent)]
    NoNumber(#[from] NoNumber),
}

impl From<Fault> for SpaceError {
    fn from(fault: Fault) -> SpaceError {
        SpaceError::Fault(fault)
    }
}

/// The legal choices of a decision, in the order of the engine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Legal {
    /// One action for each choice; in a factored space, the parts of all choices.
    numbers: Vec<u32>,
    /// In a factored space, where the parts of each choice end.
    ends: Vec<usize>,
}

impl ActionNumbers {
    /// Lists the legal choices of the first pending decision of a runner.
    pub fn list(
        &self,
        program: &Program,
        runner: &mut Runner<'_>,
        legal: &mut Legal,
    ) -> Result<(), SpaceError> {
        legal.clear();
        let Some(owed) = runner.pending() else {
            return Ok(());
        };
        let fixed = self.fixed.get(usize::from(owed.site));
        let fixed = fixed.and_then(Option::as_ref);
        if let Some(numbers) = fixed.and_then(OnceLock::get) {
            legal.numbers.extend_from_slice(numbers);
            return Ok(());
        }
        let is_open = self.open.get(usize::from(owed.site)) == Some(&true);
        if !self.is_factored && is_open {
            let mut failed = None;
            let listed = runner.each_choice(&mut |option, values| match self
                .flat(owed.site, option, values)
            {
                Ok(number) => legal.numbers.push(number),
                Err(error) => failed = Some(error),
            })?;
            if let Some(error) = failed {
                return Err(error.into());
            }
            if listed {
                return Ok(());
            }
        }
        let look = SeatPosition {
            program,
            state: runner.state(),
            seat: owed.seat,
        };
        self.list_of(look, &owed, legal)?;
        if let Some(fixed) = fixed {
            fixed.get_or_init(|| legal.numbers.clone());
        }
        Ok(())
    }

    /// Lists the legal choices of a decision.
    pub fn list_of(
        &self,
        look: SeatPosition<'_>,
        owed: &Pending,
        legal: &mut Legal,
    ) -> Result<(), SpaceError> {
        legal.clear();
        let mut failed = None;
        for_each_choice(look.program, look.state, owed, &mut |choice| match self
            .add(look, owed.site, choice, legal)
        {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        })?;
        failed.map_or(Ok(()), |error| Err(error.into()))
    }

    /// Returns whether the numbers of a decision do not depend on who looks.
    pub(super) fn is_open(&self, site: SiteId) -> bool {
        let from = self.sites.get(usize::from(site)).copied().unwrap_or(0);
        let to = self.sites.get(usize::from(site) + 1).copied();
        let options = self.options.get(from..to.unwrap_or(self.options.len()));
        let mut arguments = options
            .unwrap_or_default()
            .iter()
            .flat_map(|option| &option.arguments);
        arguments.all(|argument| argument.values.is_open())
    }

    /// Returns the number of a choice whose names stand for one value each.
    #[inline]
    fn flat(&self, site: SiteId, option: u16, values: &[i32]) -> Result<u32, NoNumber> {
        let Some(option) = self.option(site, option) else {
            return Err(no_number("", 0));
        };
        let mut number = 0;
        for (argument, value) in option.arguments.iter().zip(values) {
            let Some(at) = argument.values.number_of(*value) else {
                return Err(no_number(&argument.name, *value));
            };
            number = number * argument.values.size + u64::from(at);
        }
        Ok((option.first + number) as u32)
    }

    fn add(
        &self,
        look: SeatPosition<'_>,
        site: SiteId,
        choice: &Choice,
        legal: &mut Legal,
    ) -> Result<(), NoNumber> {
        let first = self.sites.get(usize::from(site)).copied().unwrap_or(0);
        let at = first + usize::from(choice.option);
        let Some(option) = self.options.get(at) else {
            return Err(no_number("", 0));
        };
        if self.is_factored {
            legal.numbers.push(at as u32);
            for (argument, arg) in option.arguments.iter().zip(&choice.args) {
                let from = self.parts.get(argument.domain).copied().unwrap_or(0);
                let members = argument.members(look, arg)?;
                legal
                    .numbers
                    .extend(members.iter().map(|member| from as u32 + member));
                legal
                    .numbers
                    .extend(argument.many.map(|_| self.size as u32 - 1));
            }
            legal.ends.push(legal.numbers.len());
            return Ok(());
        }
        let mut number = 0;
        for (argument, arg) in option.arguments.iter().zip(&choice.args) {
            let members = argument.members(look, arg)?;
            let at = match (argument.many, members.as_slice()) {
                (None, [one]) => Some(u64::from(*one)),
                (None, _) => None,
                (Some(many), members) => {
                    selections::number(argument.values.size, members, many.is_sequence())
                }
            };
            let at = at.filter(|at| argument.size.is_some_and(|size| *at < size));
            let at = at.ok_or_else(|| no_number(&argument.name, members.len() as i32))?;
            number = number * argument.size.unwrap_or(1) + at;
        }
        legal.numbers.push((option.first + number) as u32);
        Ok(())
    }
}

impl Argument {
    /// Returns the numbers of the members; those of a subset ascend.
    pub(super) fn members(
        &self,
        look: SeatPosition<'_>,
        arg: &BoundValue,
    ) -> Result<Vec<u32>, NoNumber> {
        let numbers = arg.values().iter().map(|value| {
            let number = self.values.number(look, *value);
            number.ok_or_else(|| no_number(&self.name, *value))
        });
        let mut numbers = numbers.collect::<Result<Vec<u32>, NoNumber>>()?;
        if self.many.is_some_and(|many| !many.ordered) {
            numbers.sort_unstable();
        }
        Ok(numbers)
    }
}

impl Legal {
    pub fn clear(&mut self) {
        self.numbers.clear();
        self.ends.clear();
    }

    /// Returns the number of choices.
    pub fn choices(&self) -> usize {
        match self.ends.len() {
            0 => self.numbers.len(),
            choices => choices,
        }
    }

    /// Returns the action of each choice of a space that is not factored.
    pub fn flat(&self) -> &[u32] {
        &self.numbers
    }

    /// Returns the action of a choice; in a factored space, its parts.
    pub fn of_choice(&self, number: usize) -> Option<&[u32]> {
        match self.ends.is_empty() {
            true => self.numbers.get(number..=number),
            false => self.parts().nth(number),
        }
    }

    pub(super) fn parts(&self) -> impl Iterator<Item = &[u32]> {
        let mut first = 0;
        self.ends.iter().filter_map(move |end| {
            let parts = self.numbers.get(first..*end);
            first = *end;
            parts
        })
    }

    /// Visits the legal actions after these parts of a choice, each once in a flat space, and perhaps more often in a
    /// factored one.
    pub fn each(&self, begun: &[u32], visit: &mut dyn FnMut(u32)) {
        if self.ends.is_empty() {
            return self.numbers.iter().for_each(|number| visit(*number));
        }
        for parts in self.parts() {
            if let Some(rest) = parts.strip_prefix(begun)
                && let Some(next) = rest.first()
            {
                visit(*next);
            }
        }
    }

    /// Returns the numbers with which a choice that has begun with `begun` can go on: each once, in rising order.
    pub fn next(&self, begun: &[u32]) -> Vec<u32> {
        let mut next = Vec::new();
        self.each(begun, &mut |number| next.push(number));
        next.sort_unstable();
        next.dedup();
        next
    }

    /// Returns whether a choice that has begun with `begun` can go on with this number.
    pub fn can_go_on(&self, begun: &[u32], number: u32) -> bool {
        let mut can_go_on = false;
        self.each(begun, &mut |next| can_go_on |= next == number);
        can_go_on
    }

    /// Writes 1 at the numbers with which a choice that has begun with `begun` can go on, and 0 elsewhere.
    pub fn write_mask(&self, begun: &[u32], mask: &mut [i8]) {
        mask.fill(0);
        self.each(begun, &mut |number| {
            if let Some(place) = mask.get_mut(number as usize) {
                *place = 1;
            }
        });
    }

    /// Returns the number of the choice that an action completes, among all of the decision.
    pub fn choice(&self, begun: &[u32], action: u32) -> Option<usize> {
        if self.ends.is_empty() {
            return self.numbers.iter().position(|number| *number == action);
        }
        self.parts().position(|parts| {
            let rest = parts.strip_prefix(begun);
            rest.is_some_and(|rest| rest == [action])
        })
    }
}

fn no_number(name: &str, value: i32) -> NoNumber {
    NoNumber {
        name: name.to_owned(),
        value,
    }
}
