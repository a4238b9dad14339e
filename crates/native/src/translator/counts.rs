//! Work and events, which code counts as the interpreter does.

use cranelift_frontend::Variable;

/// The position that has just been recorded, whose number is still known: a variable for it, and one for the work that
/// numbering it took. Rules often ask at once how often they have recorded it.
#[derive(Clone, Copy)]
pub(crate) struct Numbered {
    pub position: Variable,
    pub work: Variable,
}

/// What has been counted, and what has not yet.
pub(crate) struct WorkCounts {
    /// The remaining work and events; the context contains them only while helpers and the driver run.
    pub fuel: Variable,
    pub events: Variable,
    /// Work and events of the current operation that have not been counted yet.
    pub work: i64,
    pub new_events: i64,
    pub numbered: Numbered,
    /// How many loops have been emitted.
    pub loops: usize,
}
