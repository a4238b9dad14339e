//! The complete history of a state.

use wyrmgate_engine::Choice;

/// A game so far: its seed and every choice, in order.
#[derive(Debug, Clone, Default)]
pub struct GameHistory {
    pub seed: [u8; 32],
    pub made: Vec<Made>,
}

/// A choice that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// The seat, from 0.
    pub seat: u8,
    /// Whether it was one of several simultaneous secret answers.
    pub secret: bool,
    pub choice: Choice,
}
