//! A choice: one answer to a decision, in internal values.

use smallvec::SmallVec;

use wyrmgate_program::{BinderInfo, SiteId, Type};

/// A decision that a seat owes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pending {
    /// Its index in [`super::pending`], which [`super::step`] takes.
    pub index: usize,
    /// The deciding seat, from 0.
    pub seat: u8,
    pub site: SiteId,
    /// Whether several are answered at the same time and in secret.
    pub secret: bool,
}

/// The value of one name that a choice binds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum BoundValue {
    One(i32),
    /// A subset in the order of its domain, or a sequence.
    Many(SmallVec<[i32; 8]>),
}

impl BoundValue {
    pub fn values(&self) -> &[i32] {
        match self {
            BoundValue::One(value) => std::slice::from_ref(value),
            BoundValue::Many(values) => values,
        }
    }
}

/// An answer in any form: the option, and the values of each of its names.
pub trait Answer {
    fn option(&self) -> u16;
    fn values(&self, name: usize) -> Option<&[i32]>;
}

impl Answer for Choice {
    fn option(&self) -> u16 {
        self.option
    }

    fn values(&self, name: usize) -> Option<&[i32]> {
        self.args.get(name).map(BoundValue::values)
    }
}

/// An answer to a decision: one of its options, and a value for each name of that option.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Choice {
    pub option: u16,
    pub args: SmallVec<[BoundValue; 2]>,
}

impl Choice {
    /// A seat resigns, in a game whose rules say what follows. It answers no decision: its index is the number of the seat.
    pub fn resigning() -> Choice {
        Choice {
            option: RESIGNING,
            ..Choice::default()
        }
    }

    pub fn is_resigning(&self) -> bool {
        self.option == RESIGNING
    }
}

/// The number of no option.
const RESIGNING: u16 = u16::MAX;

/// A name of a choice, and the type of its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChoiceName {
    pub name: String,
    pub of: Type,
}

impl From<&BinderInfo> for ChoiceName {
    fn from(binder: &BinderInfo) -> ChoiceName {
        ChoiceName {
            name: binder.name.clone(),
            of: binder.of,
        }
    }
}
