//! Everything that led to a state.

use wyrmgate_engine::Choice;

/// A game so far: its seed and every choice, in the order made.
#[derive(Debug, Clone, Default)]
pub struct History {
    pub seed: [u8; 32],
    pub made: Vec<Made>,
}

/// One choice that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// From 0.
    pub seat: u8,
    /// One of several that were answered at once and in secret.
    pub secret: bool,
    pub choice: Choice,
}
