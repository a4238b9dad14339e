//! A decision whose choices are recorded.

use cranelift_codegen::ir::{Block, Value};

use wyrmgate_program::{BinderInfo, MaskId, Site, SiteId, SiteOption};

/// A seat that decides. If the order of components is secret, code continues in the block `by_interpreter`.
#[derive(Clone, Copy)]
pub(crate) struct NotedSite<'s> {
    pub id: SiteId,
    pub site: &'s Site,
    pub seat: Value,
    pub by_interpreter: Block,
}

/// The state of recording.
#[derive(Clone, Copy)]
pub(crate) struct Noting<'o> {
    pub of: NotedSite<'o>,
    pub number: i32,
    pub option: &'o SiteOption,
    pub into: Into,
}

impl Noting<'_> {
    /// Returns whether helpers ask for the values of earlier names.
    pub(super) fn needs_prefix(&self) -> bool {
        self.into == Into::Menu || self.option.binders.iter().any(|name| name.alike)
    }
}

/// How the possible values of a name are obtained.
#[derive(Clone, Copy)]
pub(crate) enum NameSource {
    /// All members of a mask, the lowest first.
    Mask(MaskId),
    /// The members of a mask in physical order of a zone.
    Lying(MaskId),
    /// The members of the domain that pass the filters, by inline iteration.
    Listed,
    /// The result of the interpreter.
    Asked,
}

/// A name of an option, whose values are recorded.
#[derive(Clone, Copy)]
pub(crate) struct NotedName<'o> {
    pub noting: Noting<'o>,
    pub number: usize,
    pub binder: &'o BinderInfo,
    pub source: NameSource,
}

/// Where choices are recorded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Into {
    /// In the choice set of the runner.
    Menu,
    /// In rows of the context.
    Rows,
}
