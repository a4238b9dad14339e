//! A choice: one answer to a decision, in internal values.

use smallvec::{SmallVec, smallvec};

use crate::outcome::EndReason;
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
    /// A seat leaves the game, for whatever reason, and the rules say what follows. It answers no decision: its index is the
    /// number of the seat.
    pub fn resigning(reason: EndReason) -> Choice {
        Choice {
            option: RESIGNING,
            args: smallvec![BoundValue::One(reason as i32)],
        }
    }

    /// Returns why a seat leaves the game. Earlier versions did not note it.
    pub fn reason(&self) -> EndReason {
        let number = self.values(0).and_then(<[i32]>::first);
        let number = number.and_then(|number| usize::try_from(*number).ok());
        let reason = number.and_then(|number| EndReason::ALL.get(number));
        reason.copied().unwrap_or_default()
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
