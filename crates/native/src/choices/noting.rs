//! A decision whose choices are recorded: where, and what is known of its names in advance.

use cranelift_codegen::ir::{Block, Value};

use wyrmgate_program::{SiteId, SiteOption};

/// The state of recording.
pub(crate) struct Noting<'o> {
    pub site: SiteId,
    pub number: i32,
    pub option: &'o SiteOption,
    pub seat: Value,
    pub by_interpreter: Block,
    pub into: Into,
    /// The number of members of names that were evaluated in advance.
    pub apart: Vec<Option<Value>>,
    /// The values of the name before the last one, if all rows have the same ones of both.
    pub before_last: Option<ListedMembers>,
    /// The values of the last name, if all rows have the same ones.
    pub last: Option<ListedMembers>,
}

/// Members that rows list.
#[derive(Clone, Copy)]
pub(crate) struct ListedMembers {
    pub first: Value,
    pub count: Value,
}

impl Noting<'_> {
    /// Returns whether helpers ask for the values of earlier names.
    pub(super) fn needs_prefix(&self) -> bool {
        self.into == Into::Menu || self.option.binders.iter().any(|name| name.alike)
    }
}

/// Where choices are recorded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Into {
    /// In the choice set of the runner.
    Menu,
    /// In rows of the context.
    Rows,
}
