//! Values that are evaluated once: for a loop, for a decision, for each member.

pub(crate) mod hoisted;
pub(crate) mod invariant;
pub(crate) mod once;
pub(crate) mod table;
