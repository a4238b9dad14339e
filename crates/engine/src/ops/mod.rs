//! The implementations of operations, one family per file.

pub(crate) mod control;
pub(crate) mod course;
pub(crate) mod deciding;
pub(crate) mod finish;
pub(crate) mod moving;
pub(crate) mod random;
pub(crate) mod showing;
pub(crate) mod values;
