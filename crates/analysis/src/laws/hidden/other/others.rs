//! The other worlds of a game.

use wyrmgate_engine::Choice;

/// The decisions that differ in the other world.
#[derive(Debug, Clone, Default)]
pub(crate) struct Others {
    /// The differing secret answers of others, with the rest at which each was owed.
    pub answers: Vec<(usize, Choice)>,
    /// Whether a random choice has the result that the plan states.
    pub is_redrawn: bool,
    /// The rests at which answers may show.
    pub(super) shows_at: Vec<usize>,
    /// The rests at which decisions with differing answers are complete.
    pub(super) completed_at: Vec<usize>,
}
