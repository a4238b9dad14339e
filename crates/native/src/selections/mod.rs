//! Selections: several members with conditions on all of them together.

pub(crate) mod conditions;
pub(crate) mod questions;
pub(crate) mod selection_helper;
pub(crate) mod together;
