//! A decision whose choices are recorded.

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
