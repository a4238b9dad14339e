//! Work and events, which code counts as the interpreter does.

use cranelift_frontend::Variable;

/// What has been counted, and what has not yet.
pub(crate) struct WorkCounts {
    /// The remaining work and events; the context contains them only while helpers and the driver run.
    pub fuel: Variable,
    pub events: Variable,
    /// Work and events of the current operation that have not been counted yet.
    pub work: i64,
    pub new_events: i64,
    /// How many loops have been emitted.
    pub loops: usize,
}
