//! Values that are evaluated once for a loop.

pub(crate) mod invariant;
