//! The game that a runner plays, and the memory that it reuses.

use crate::fast::Fast;
use wyrmgate_engine::State;
use wyrmgate_engine::choices::Picked;
use wyrmgate_engine::game::RunnerGame;

/// Plays without observers: choices are counted and taken by number, and there are no events.
///
/// ```text
/// let mut runner = Runner::new(&program)?;
/// runner.begin(seed)?;
/// while let Some(decision) = runner.pending() {
///     let count = runner.count()?;
///     runner.take(bot.below(count))?;
/// }
/// ```
pub struct Runner<'p> {
    pub(super) game: RunnerGame<'p>,
    /// Returns a state in which nothing has happened yet.
    pub(super) blank: State,
    pub(super) picked: Picked,
    /// An earlier state, for games that must be replayed from there.
    pub(super) kept: State,
    pub(super) fast: Fast,
}
