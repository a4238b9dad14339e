//! The outcome of a game.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameOutcome {
    /// Seats from 0; empty for a drawn game.
    pub winners: Vec<u8>,
    pub drawn: bool,
    /// All seats, the best first; seats that share a place are in seat order.
    pub ranking: Vec<Ranked>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ranked {
    /// Counted from 0.
    pub seat: u8,
    /// From 1; seats with equal keys share one.
    pub place: u8,
    /// The compared numbers, most important first.
    pub keys: Vec<i32>,
}
