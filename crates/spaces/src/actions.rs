//! A number for every choice that can ever occur in a program.
//!
//! The numbers follow from the program alone: an option and a value for each of its names have the same number in every
//! position and every game. Where all of them fit below [`FLAT_MAX`], an action is a whole choice. Otherwise an action
//! is a *part*: a choice is an option, then each value after the other. A list ends with an action of its own. Parts are
//! legal if a legal choice begins with them, so masks are exact in both forms.

use std::ops::ControlFlow;
use std::sync::OnceLock;

use serde::Serialize;

use crate::bounds::Bounds;
use crate::domain::{Domain, Look};
use crate::selections;
use wyrmgate_engine::{Arg, Choice, Fault, Pending, Runner, for_each_choice};
use wyrmgate_program::{BinderInfo, BinderSize, Expr, LENGTH_MAX, Program, Set, Site, SiteId};

/// Larger spaces are factored.
const FLAT_MAX: u64 = 1 << 20;

/// The actions of a program.
#[derive(Debug, Clone)]
pub struct Actions {
    /// Where the options of each site begin.
    sites: Vec<usize>,
    options: Vec<OptionSpace>,
    domains: Vec<Domain>,
    /// Where the parts of each domain begin, in a factored space.
    parts: Vec<u64>,
    size: u64,
    is_factored: bool,
    /// By site: whether the numbers do not depend on who looks.
    open: Vec<bool>,
    /// By site: `None` if its choices depend on the position, otherwise their numbers once they are listed.
    fixed: Vec<Option<OnceLock<Vec<u32>>>>,
}

/// An option of a decision.
#[derive(Debug, Clone, Serialize)]
pub struct OptionSpace {
    /// The name of the decision in the rules.
    pub decision: String,
    /// Empty if the decision has a single option without a name.
    pub option: String,
    pub arguments: Vec<Argument>,
    /// The number of its first choice; 0 in a factored space.
    pub first: u64,
    /// How many choices it has, in a space that is not factored.
    pub size: Option<u64>,
}

/// A name of an option.
#[derive(Debug, Clone, Serialize)]
pub struct Argument {
    pub name: String,
    #[serde(skip)]
    domain: usize,
    pub values: Domain,
    /// `None`: one value. Otherwise how many at most, and whether their order matters.
    pub many: Option<Many>,
    #[serde(skip)]
    size: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Many {
    /// At least this many, if the rules state a number.
    pub least: Option<u64>,
    pub most: u64,
    pub ordered: bool,
    /// Whether a member can occur more than once.
    pub repeats: bool,
}

impl Many {
    /// Returns whether selections are numbered as sequences: others have no room for repetitions.
    const fn is_sequence(self) -> bool {
        self.ordered || self.repeats
    }
}

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

impl Actions {
    pub fn new(program: &Program) -> Actions {
        let mut actions = Actions {
            sites: Vec::new(),
            options: Vec::new(),
            domains: Vec::new(),
            parts: Vec::new(),
            size: 0,
            is_factored: false,
            open: Vec::new(),
            fixed: Vec::new(),
        };
        for site in &program.sites {
            actions.sites.push(actions.options.len());
            // Where chance decides, nobody has actions.
            if !site.name.is_empty() {
                actions.add_site(program, site);
            }
        }
        actions.open = (0..program.sites.len() as u16)
            .map(|site| actions.is_open(site))
            .collect();
        actions.number();
        let fixed = program.sites.iter().zip(&actions.open);
        let fixed = fixed.map(|(site, is_open)| {
            let is_fixed = *is_open && !actions.is_factored && has_fixed_choices(program, site);
            is_fixed.then(OnceLock::new)
        });
        actions.fixed = fixed.collect();
        actions
    }

    fn add_site(&mut self, program: &Program, site: &Site) {
        for option in &site.options {
            let mut bounds = Bounds {
                program,
                names: Vec::new(),
            };
            let mut arguments = Vec::new();
            for binder in &option.binders {
                let values = Domain::of(binder, &mut bounds);
                if binder.count == BinderSize::One {
                    bounds
                        .names
                        .extend(values.range().map(|range| (binder.temp, range)));
                }
                arguments.push(self.argument(program, binder, values));
            }
            let mut sizes = arguments.iter().map(|argument| argument.size);
            let size = sizes.try_fold(1u64, |all, one| all.checked_mul(one?));
            self.options.push(OptionSpace {
                decision: site.name.clone(),
                option: option.name.clone(),
                arguments,
                first: 0,
                size,
            });
        }
    }

    fn argument(&mut self, program: &Program, binder: &BinderInfo, values: Domain) -> Argument {
        let known = self.domains.iter().position(|domain| *domain == values);
        let domain = known.unwrap_or_else(|| {
            self.domains.push(values.clone());
            self.domains.len() - 1
        });
        let all = values.size;
        let many = match binder.count {
            BinderSize::One => None,
            BinderSize::Many {
                least,
                most,
                ordered,
            } => Some(Many {
                least: constant(program, least),
                most: constant(program, most).map_or(all, |most| most.min(all)),
                ordered,
                repeats: false,
            }),
            BinderSize::Any => Some(Many {
                least: Some(0),
                most: all,
                ordered: false,
                repeats: false,
            }),
            BinderSize::Permutation => Some(Many {
                least: None,
                most: all,
                ordered: true,
                repeats: false,
            }),
            BinderSize::Repeated { least, most } => Some(Many {
                least: constant(program, least),
                most: constant(program, most).unwrap_or(LENGTH_MAX as u64),
                ordered: false,
                repeats: true,
            }),
            BinderSize::Path { lengths } => Some(Many {
                least: lengths.map_or(Some(1), |(least, _)| constant(program, least)),
                most: lengths
                    .and_then(|(_, most)| constant(program, most))
                    .unwrap_or(LENGTH_MAX as u64),
                ordered: true,
                repeats: true,
            }),
        };
        let size = match many {
            None => Some(all),
            Some(many) => selections::count(all, many.most, many.is_sequence()),
        };
        Argument {
            name: binder.name.clone(),
            domain,
            values,
            many,
            size,
        }
    }

    /// Numbers the choices, or their parts if there are too many choices.
    fn number(&mut self) {
        let mut sizes = self.options.iter().map(|option| option.size);
        let total = sizes.try_fold(0u64, |sum, size| sum.checked_add(size?));
        if let Some(total) = total.filter(|total| *total <= FLAT_MAX) {
            let mut first = 0;
            for option in &mut self.options {
                option.first = first;
                first += option.size.unwrap_or(0);
            }
            self.size = total;
            return;
        }
        self.is_factored = true;
        let mut first = self.options.len() as u64;
        for domain in &self.domains {
            self.parts.push(first);
            first += domain.size;
        }
        // The last part ends a list.
        self.size = first + 1;
        for option in &mut self.options {
            option.size = None;
        }
    }

    /// Returns how many actions there are.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Returns whether an action is a part of a choice.
    pub fn is_factored(&self) -> bool {
        self.is_factored
    }

    pub fn options(&self) -> &[OptionSpace] {
        &self.options
    }

    /// Returns the number of an argument's first value, where its values are actions of their own.
    pub fn first_part(&self, argument: &Argument) -> Option<u64> {
        self.parts.get(argument.domain).copied()
    }

    /// Returns the maximum number of actions in one choice; `None` if a list has no known maximum.
    pub fn most_parts(&self) -> u64 {
        if !self.is_factored {
            return 1;
        }
        let parts = self.options.iter().map(|option| {
            let of = |argument: &Argument| argument.many.map_or(1, |many| many.most + 1);
            1 + option.arguments.iter().map(of).sum::<u64>()
        });
        parts.max().unwrap_or(1)
    }

    /// Returns an option of a decision, by their numbers in the program.
    pub fn option(&self, site: SiteId, option: u16) -> Option<&OptionSpace> {
        let first = self.sites.get(usize::from(site))?;
        self.options.get(first + usize::from(option))
    }

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
        let look = Look {
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
        look: Look<'_>,
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
    fn is_open(&self, site: SiteId) -> bool {
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
        look: Look<'_>,
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

    /// Returns an action in words: `move c=piece-3`, `c=card-7`, `end of the list`.
    pub fn describe(&self, program: &Program, action: u64) -> Option<String> {
        if action >= self.size {
            return None;
        }
        if !self.is_factored {
            let at = self
                .options
                .partition_point(|option| option.first <= action);
            let option = self.options.get(at.checked_sub(1)?)?;
            return Some(option.describe(program, action - option.first));
        }
        if let Some(option) = self.options.get(action as usize) {
            return Some(option.title());
        }
        let at = self
            .parts
            .partition_point(|first| *first <= action)
            .checked_sub(1)?;
        if action == self.size - 1 {
            return Some("end of the list".to_owned());
        }
        let number = action - self.parts.get(at)?;
        Some(self.domains.get(at)?.describe(program, number as u32))
    }
}

impl Argument {
    /// Returns the numbers of the members; those of a subset ascend.
    fn members(&self, look: Look<'_>, arg: &Arg) -> Result<Vec<u32>, NoNumber> {
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

impl OptionSpace {
    /// Returns the option, or the decision if it has only one.
    fn title(&self) -> String {
        match self.option.as_str() {
            "" => self.decision.clone(),
            option => format!("{}: {option}", self.decision),
        }
    }

    fn describe(&self, program: &Program, number: u64) -> String {
        let mut words = Vec::new();
        let mut left = number;
        for argument in self.arguments.iter().rev() {
            let size = argument.size.unwrap_or(1).max(1);
            let at = left % size;
            left /= size;
            let members = match argument.many {
                None => vec![at as u32],
                Some(many) => selections::members(argument.values.size, at, many.is_sequence())
                    .unwrap_or_default(),
            };
            let names: Vec<String> = members
                .iter()
                .map(|member| argument.values.describe(program, *member))
                .collect();
            let names = match argument.many {
                None => names.concat(),
                Some(_) => format!("[{}]", names.join(", ")),
            };
            words.push(format!("{}={names}", argument.name));
        }
        words.push(self.title());
        words.reverse();
        words.join(" ")
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

    fn parts(&self) -> impl Iterator<Item = &[u32]> {
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

/// Returns whether a decision always has the same choices: members of a constant list, without conditions.
fn has_fixed_choices(program: &Program, site: &Site) -> bool {
    let ([option], false) = (site.options.as_slice(), site.may_decline) else {
        return false;
    };
    let [binder] = option.binders.as_slice() else {
        return false;
    };
    let is_constant = |expr: u32| constant(program, expr).is_some();
    let of_constants = match program.sets.get(binder.domain as usize) {
        Some(Set::Table(_)) => true,
        Some(Set::Range(low, high)) => is_constant(*low) && is_constant(*high),
        _ => false,
    };
    let is_sized = match binder.count {
        BinderSize::Many { least, most, .. } => is_constant(least) && is_constant(most),
        BinderSize::Repeated { least, most } => is_constant(least) && is_constant(most),
        BinderSize::One | BinderSize::Any | BinderSize::Permutation => true,
        BinderSize::Path { .. } => false,
    };
    let has_conditions = !option.conditions.is_empty() || binder.all_conditions().next().is_some();
    of_constants && is_sized && !has_conditions && binder.mask.is_none()
}

fn no_number(name: &str, value: i32) -> NoNumber {
    NoNumber {
        name: name.to_owned(),
        value,
    }
}

fn constant(program: &Program, expr: u32) -> Option<u64> {
    match program.exprs.get(expr as usize) {
        Some(Expr::Const(value)) => u64::try_from(*value).ok(),
        _ => None,
    }
}
