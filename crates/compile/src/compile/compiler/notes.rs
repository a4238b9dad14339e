//! Observations during translation, for warnings.

use std::collections::BTreeSet;
use std::ops::Range;

use wyrmgate_base::diagnostic::Span;
use wyrmgate_program::*;

/// Observations during translation, for warnings.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    /// Declared names that are used.
    pub used: BTreeSet<String>,
    /// Loops without a condition: their code and their location.
    pub endless: Vec<(Range<Address>, Span)>,
    /// Effects with their code and the location of their declaration, except those that the compiler created.
    pub effects: Vec<(EffectId, Span)>,
    pub doubts: Doubts,
    /// Names in calls of functions, and whether the first argument can have an order.
    pub ordered: Vec<(Span, bool)>,
}

/// What keys can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyedThing {
    Seat,
    Zone,
    Component,
    Member,
}

/// Facts that are a mistake only if they hold in every setup.
#[derive(Debug, Default)]
pub(crate) struct Doubts {
    /// Conditions of `while`, and whether they can hold.
    pub loops: Vec<(Span, bool)>,
    /// Conditions of `while` that nothing in the loop can change.
    pub idle: Vec<Span>,
    /// Questions whether a zone exists that always does.
    pub zones_that_exist: Vec<Span>,
    /// Names of zones from which components are drawn, and of those to which components are moved; `None` for a zone
    /// that is known only in play.
    pub drawn: Vec<(String, Span)>,
    pub filled: Vec<Option<String>>,
    /// What is named by constant keys, also the seats with which `turns` begin, and whether it can exist.
    pub named: Vec<(Span, KeyedThing, bool)>,
}
