//! Standing orders: preset answers of a seat.
//!
//! An order is carried out as a separate change, exactly like an answer by hand: the same log entry, one version, and
//! not before a time that a person might take (see [`Replies`](crate::content::terms::Replies)). The status of the session
//! stores the orders and which of them is due; only the seat itself can see them.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Maximum number of orders of a seat.
pub const ORDERS_MAX: usize = 16;
/// Maximum number of conditions of an order.
pub const CONDITIONS_MAX: usize = 8;

/// A preset answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PresetAnswer {
    /// The name of the decision that it answers. Any decision if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<String>,
    /// An event that must be part of the change that brought the decision, as the seat received it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<EventTest>,
    /// Conditions on the seat's view.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Comparison>,
    pub answer: StandingAnswer,
    /// Whether the order is removed once it has been carried out.
    #[serde(default)]
    pub once: bool,
}

/// An event of this type with these members.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EventTest {
    pub of: String,
    pub members: Map<String, Value>,
}

/// A comparison with a value of the seat's view.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// A JSON Pointer into the state as the seat sees it.
    pub at: String,
    pub is: ValueRelation,
    pub value: Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ValueRelation {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    More,
    MoreOrEqual,
}

/// The answer to give.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StandingAnswer {
    /// The only choice, if there is exactly one.
    Only,
    /// The first listed choice with this option and these arguments.
    Choice {
        option: Option<String>,
        args: Map<String, Value>,
    },
}

/// The orders of a seat, and the one that is due next.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    pub orders: Vec<PresetAnswer>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) due: Option<DueOrder>,
}

/// An order to be carried out unless the seat answers first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DueOrder {
    /// The time in Unix milliseconds.
    pub at_ms: u64,
    /// Index of the order, from 0.
    pub order: usize,
}
