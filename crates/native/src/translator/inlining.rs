//! What becomes inline code, and how much of it.

use cranelift_codegen::ir::{Block, Value};
use cranelift_frontend::Variable;
use wyrmgate_program::Local;

/// The maximum number of expression nodes per operation.
pub(crate) const ROOM: u32 = 700;

/// The maximum nesting of inlined queries.
pub(crate) const DEPTH_MAX: u32 = 12;

/// An effect whose inline code is being emitted.
pub(crate) struct Inlined {
    pub slots: Vec<Variable>,
    /// The values of the arguments that it does not change: their ranges may be known, unlike those of variables.
    pub arguments: Vec<Option<Value>>,
    /// The buffers of its lists.
    pub lists: Vec<(Local, usize)>,
    /// The block after its end.
    pub after: Block,
}
