//! Conditions on whole domains: one bit for each member.

pub(crate) mod bits;
pub(crate) mod kept;
pub(crate) mod mask;
pub(crate) mod members;
pub(crate) mod words;
