//! A number for every choice that can ever occur in a program.
//!
//! The numbers follow from the program alone: an option and a value for each of its names have the same number in every
//! position and every game. Where all of them fit below [`FLAT_MAX`], an action is a whole choice. Otherwise an action
//! is a *part*: a choice is an option, then each value after the other. A list ends with an action of its own. Parts are
//! legal if a legal choice begins with them, so masks are exact in both forms.

mod legal;

use std::sync::OnceLock;

use serde::Serialize;

use crate::domain::NameDomain;
use crate::selections;
pub use legal::{Legal, NoNumber, SpaceError};
use wyrmgate_program::{
    BinderInfo, BinderSize, Expr, LENGTH_MAX, LISTED_MAX, Program, Set, Site, SiteId,
};

/// Larger spaces are factored.
const FLAT_MAX: u64 = 1 << 20;

/// The actions of a program.
#[derive(Debug, Clone)]
pub struct ActionNumbers {
    /// Where the options of each site begin.
    sites: Vec<usize>,
    options: Vec<OptionSpace>,
    domains: Vec<NameDomain>,
    /// Where the parts of each domain begin, in a factored space.
    parts: Vec<u64>,
    size: u64,
    is_factored: bool,
    /// By site: whether the numbers are the same for every viewer.
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
    pub values: NameDomain,
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

impl ActionNumbers {
    pub fn new(program: &Program) -> ActionNumbers {
        let mut actions = ActionNumbers {
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
            let mut ranges = Vec::new();
            let mut arguments = Vec::new();
            for binder in &option.binders {
                let values = NameDomain::of(program, binder, &ranges);
                if binder.count == BinderSize::One {
                    let range = values.range();
                    ranges.extend(range.map(|(low, high)| (binder.temp, low, high)));
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

    fn argument(&mut self, program: &Program, binder: &BinderInfo, values: NameDomain) -> Argument {
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
            BinderSize::Text { most, .. } => Some(Many {
                least: Some(1),
                most: constant(program, most).unwrap_or(LENGTH_MAX as u64),
                ordered: true,
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
        // Of a longer range, the choices are examples, which differ from position to position.
        Some(Set::Range(low, high)) => {
            let ends = constant(program, *low).zip(constant(program, *high));
            ends.is_some_and(|(low, high)| high.saturating_sub(low) < LISTED_MAX.unsigned_abs())
        }
        _ => false,
    };
    let is_sized = match binder.count {
        BinderSize::Many { least, most, .. } => is_constant(least) && is_constant(most),
        BinderSize::Repeated { least, most } => is_constant(least) && is_constant(most),
        BinderSize::One | BinderSize::Any | BinderSize::Permutation => true,
        BinderSize::Path { .. } | BinderSize::Text { .. } => false,
    };
    let has_conditions = !option.conditions.is_empty() || binder.all_conditions().next().is_some();
    of_constants && is_sized && !has_conditions && binder.mask.is_none()
}

fn constant(program: &Program, expr: u32) -> Option<u64> {
    match program.exprs.get(expr as usize) {
        Some(Expr::Const(value)) => u64::try_from(*value).ok(),
        _ => None,
    }
}
