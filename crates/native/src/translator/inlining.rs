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

/// How much becomes inline code, and what has.
#[derive(Default)]
pub(crate) struct Inlining {
    /// The remaining number of nodes to inline; the interpreter evaluates further ones.
    pub room: u32,
    /// Whether something was left to the interpreter because there was no room for more nodes.
    pub lacks_room: bool,
    /// The nesting of inlined queries.
    pub depth: u32,
    /// Whether effects of what-ifs become inline code, how many have, and whether one of them turned out to need the
    /// interpreter.
    pub is_on: bool,
    pub count: u32,
    pub fails: bool,
    /// The effects whose inline code is being emitted, the innermost last.
    pub effects: Vec<Inlined>,
}

impl Inlining {
    /// Returns whether the code of an inline effect is being emitted.
    pub fn is_inside(&self) -> bool {
        !self.effects.is_empty()
    }

    /// Returns the variable of a slot, if the running effect is inline.
    pub fn slot(&self, local: Local) -> Option<Variable> {
        self.effects.last()?.slots.get(usize::from(local)).copied()
    }

    /// Returns the value of a slot, if the running effect is inline and this is an argument that does not change.
    pub fn argument(&self, local: Local) -> Option<Value> {
        let arguments = &self.effects.last()?.arguments;
        arguments.get(usize::from(local)).copied().flatten()
    }
}
