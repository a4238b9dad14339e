//! The setup of a session: the number of seats and the options.

use std::collections::BTreeMap;

/// Seats and option values (booleans as 0/1, named values by ordinal). Missing options have their default.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Setup {
    pub seats: usize,
    pub options: BTreeMap<String, i32>,
}
