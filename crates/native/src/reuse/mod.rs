//! Values that are evaluated once: for a loop, for each member.

pub(crate) mod invariant;
