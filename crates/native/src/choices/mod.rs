//! Decisions: records their choices, and continues with the one that is taken.

pub(crate) mod choose;
pub(crate) mod each;
pub(crate) mod groups;
pub(crate) mod kind;
pub(crate) mod named;
pub(crate) mod noting;
pub(crate) mod row;
pub(crate) mod rows;
pub(crate) mod seen;
pub(crate) mod select;
pub(crate) mod taking;
