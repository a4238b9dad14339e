//! A choice: one answer to a decision, in internal values.

use smallvec::SmallVec;

use wyrmgate_program::SiteId;

/// A decision that a seat owes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pending {
    /// Its number in [`super::pending`]; what [`super::step`] takes.
    pub index: usize,
    /// Who decides, counted from 0.
    pub seat: u8,
    pub site: SiteId,
    /// One of several that are answered at once and in secret.
    pub secret: bool,
}

/// The value of one name that a choice binds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Arg {
    One(i32),
    /// A subset in the order of its domain, or a sequence.
    Many(SmallVec<[i32; 8]>),
}

impl Arg {
    pub fn values(&self) -> &[i32] {
        match self {
            Arg::One(value) => std::slice::from_ref(value),
            Arg::Many(values) => values,
        }
    }
}

/// An answer in whatever form: the option, and the values of each of its names.
pub(crate) trait Answer {
    fn option(&self) -> u16;
    fn values(&self, name: usize) -> Option<&[i32]>;
}

impl Answer for Choice {
    fn option(&self) -> u16 {
        self.option
    }

    fn values(&self, name: usize) -> Option<&[i32]> {
        self.args.get(name).map(Arg::values)
    }
}

/// One answer to a decision: which of its options, and a value for each name of that option.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Choice {
    pub option: u16,
    pub args: SmallVec<[Arg; 2]>,
}
