//! The outcome of a game.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// Seats counted from 0; empty for a drawn game.
    pub winners: Vec<u8>,
    pub drawn: bool,
    /// All seats, the best first; seats that share a place in seat order.
    pub ranking: Vec<Ranked>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ranked {
    /// Counted from 0.
    pub seat: u8,
    /// From 1; seats with equal keys share one.
    pub place: u8,
    /// What the ranking was by, most important first.
    pub keys: Vec<i32>,
}
