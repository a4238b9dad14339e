//! Games and their rules: what can be played, and what clients upload.

pub(crate) mod arguments;
pub(crate) mod checking;
pub(crate) mod games;
pub(crate) mod rulebooks;
pub(crate) mod rulesets;
pub(crate) mod schemas;
pub(crate) mod uploads;
