//! An option of a session: its values, its default, and what is wrong with a value.

use std::collections::BTreeMap;
use std::fmt;

use wyrmgate_program::Localized;

/// An option as a client sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct OptionFact {
    pub name: String,
    pub title: Localized,
    pub text: Localized,
    /// The values in words, if they have names.
    pub titles: Vec<Localized>,
    pub shape: Shape,
    pub default: i32,
    /// The default for numbers of seats with a different one.
    pub default_with: BTreeMap<usize, i32>,
    /// Conditions as written, all of which must hold to change the option from its default.
    pub requires: Vec<String>,
    /// Conditions as written, none of which may hold then.
    pub excludes: Vec<String>,
    /// The query whose value at the end is that of the option in a rematch.
    pub campaign: Option<String>,
}

impl OptionFact {
    /// Returns the default in a game with this many seats.
    pub fn default_for(&self, seats: usize) -> i32 {
        self.default_with
            .get(&seats)
            .copied()
            .unwrap_or(self.default)
    }
}

/// The values of an option; they are numbers: 0/1 for truth values, ordinals for names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    Bool,
    Range { low: i32, high: i32, step: i32 },
    OneOf(Vec<String>),
}

impl Shape {
    /// Returns the lowest and the highest value, and the distance between values.
    fn range(&self) -> (i32, i32, i32) {
        match self {
            Shape::Bool => (0, 1, 1),
            Shape::Range { low, high, step } => (*low, *high, (*step).max(1)),
            Shape::OneOf(names) => (0, names.len() as i32 - 1, 1),
        }
    }

    pub fn allows(&self, value: i32) -> bool {
        let (low, high, step) = self.range();
        (low..=high).contains(&value) && (value - low) % step == 0
    }

    /// Returns the number of values.
    pub fn count(&self) -> i64 {
        let (low, high, step) = self.range();
        let width = i64::from(high) - i64::from(low);
        if width < 0 {
            return 0;
        }
        width / i64::from(step) + 1
    }

    /// Returns value number `n` in ascending order, from 0.
    pub fn nth(&self, n: i64) -> i32 {
        let (low, _, step) = self.range();
        (i64::from(low) + n * i64::from(step)) as i32
    }

    /// Formats a value for people.
    pub fn show(&self, value: i32) -> String {
        match self {
            Shape::Bool => (value == 1).to_string(),
            Shape::Range { .. } => value.to_string(),
            Shape::OneOf(names) => names.get(value as usize).cloned().unwrap_or_default(),
        }
    }

    pub fn describe(&self) -> String {
        match self {
            Shape::Bool => "true or false".into(),
            Shape::Range { low, high, step: 1 } => format!("a number from {low} to {high}"),
            Shape::Range { low, high, step } => {
                format!("a number from {low} to {high} in steps of {step}")
            }
            Shape::OneOf(names) => format!("one of {}", names.join(", ")),
        }
    }

    /// Parses a value that a person wrote.
    pub fn parse(&self, text: &str) -> Option<i32> {
        let value = match self {
            Shape::Bool => text.parse::<bool>().ok()? as i32,
            Shape::Range { .. } => text.parse().ok()?,
            Shape::OneOf(names) => names.iter().position(|name| name == text)? as i32,
        };
        self.allows(value).then_some(value)
    }
}

/// Why a setup is refused: the option (or `seats`), a sentence, and the ids of the clauses that forbid it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionProblem {
    pub option: String,
    pub message: String,
    pub clauses: Vec<String>,
}

impl OptionProblem {
    pub fn new(option: impl Into<String>, message: impl Into<String>) -> OptionProblem {
        OptionProblem {
            option: option.into(),
            message: message.into(),
            clauses: Vec::new(),
        }
    }
}

/// `six seats: the game is for 2, 3, 4 [ABC-01]`
impl fmt::Display for OptionProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if self.clauses.is_empty() {
            return Ok(());
        }
        write!(f, " [{}]", self.clauses.join(" "))
    }
}
