//! The translator of one function: its parts, and the primitives of which everything else is made.

pub(crate) mod counts;
pub(crate) mod cycle;
pub(crate) mod emit;
pub(crate) mod flow;
pub(crate) mod helper;
pub(crate) mod inlining;
pub(crate) mod known;
pub(crate) mod notes;
pub(crate) mod position;
pub(crate) mod regions;
pub(crate) mod searching;
