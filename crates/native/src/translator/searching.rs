//! The memory of searches and marks on the native stack, and what the next one keeps.

use std::collections::HashMap;

use cranelift_codegen::ir::StackSlot;

/// In which order the members of a list are visited.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum VisitOrder {
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

/// Memory on the native stack, and what the next list or search does.
#[derive(Default)]
pub(crate) struct Searches {
    /// Memory of searches, by their nesting and the number of marks; searches that are running.
    pub memory: HashMap<(usize, u32), SearchMemory>,
    pub running: usize,
    /// The number of questions that follow kept paths, and the number of the path that the next search keeps.
    pub paths: usize,
    pub keeps_path: Option<usize>,
    /// In which order the members of the next list are visited.
    pub order: VisitOrder,
}
