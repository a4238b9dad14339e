//! Standing orders: answers that a seat gives in advance.
//!
//! An order is carried out as a change of its own, exactly like an answer by hand: the same log entry, one version, and
//! not before a time that a person might take (see [`Replies`](super::terms::Replies)). That somebody has orders, and
//! whether one is about to be carried out, lies in the status of the session and is told to nobody but the seat.
//!
//! `fitting`: which order answers a decision. `keeping`: when, and by whom. `asking`: what the seat asks of us.

mod asking;
mod fitting;
mod keeping;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub(super) use keeping::earliest_reply;

/// The most orders of a seat.
pub const ORDERS_MAX: usize = 16;
/// The most conditions of an order.
pub const CONDITIONS_MAX: usize = 8;

/// An answer in advance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StandingOrder {
    /// The decision it answers, by name; any, if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<String>,
    /// What must have happened, as far as the seat was told, in the change that the decision came with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<EventTest>,
    /// What must hold of what the seat sees.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Comparison>,
    pub answer: StandingAnswer,
    /// It is forgotten once it has been carried out.
    #[serde(default)]
    pub once: bool,
}

/// An event of this type, in which these members are so.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EventTest {
    pub of: String,
    pub members: Map<String, Value>,
}

/// A value of the seat's view, compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// A JSON Pointer into the game as the seat sees it.
    pub at: String,
    pub is: Relation,
    pub value: Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    More,
    MoreOrEqual,
}

/// What is answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StandingAnswer {
    /// The only choice, where there is but one.
    Only,
    /// The first listed choice of this option with these arguments.
    Choice {
        option: Option<String>,
        args: Map<String, Value>,
    },
}

/// The orders of a seat, and which of them is about to be carried out.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    pub orders: Vec<StandingOrder>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) due: Option<Due>,
}

/// An order to be carried out, unless the seat answers by hand before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Due {
    /// In Unix milliseconds.
    pub at_ms: u64,
    /// Which of the orders, from 0.
    pub order: usize,
}
