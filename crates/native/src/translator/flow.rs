//! Where code is entered and where it goes.

use cranelift_codegen::ir::Block;
use wyrmgate_program::{QueryId, SiteId};

/// An entry for a decision.
#[derive(Clone, Copy)]
pub(crate) struct DecisionEntry {
    pub site: SiteId,
    pub block: Block,
    pub is_made: bool,
}

/// A recursive query as a function.
#[derive(Clone, Copy)]
pub(crate) struct Recursive<F> {
    pub query: QueryId,
    pub function: F,
    /// Its number among the recursive queries.
    pub number: usize,
}
