//! The memory of searches and marks on the native stack, and what the next one keeps.

use cranelift_codegen::ir::StackSlot;

/// In which order the members of a list are visited.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Order {
    #[default]
    AsListed,
    Any,
}

/// Memory of a search on the native stack.
#[derive(Clone, Copy)]
pub(crate) struct SearchMemory {
    pub marks: StackSlot,
    pub queue: StackSlot,
    pub parents: StackSlot,
}
