//! A place in a world to return to.

use wyrmgate_engine::{Moment, State};

/// The point at which a step that has begun continues: before one of its random operations.
#[derive(Debug, Clone, Copy)]
pub(super) struct Begun {
    pub moment: Moment,
    /// Number of events that matched.
    pub matched: usize,
}

/// A place to return to.
#[derive(Clone)]
pub(super) struct ReturnPoint {
    pub(super) step: usize,
    pub(super) begun: Option<Begun>,
    /// Lengths of the course.
    pub(super) outcomes: usize,
    pub(super) made: usize,
    pub(super) state: Option<State>,
    pub(super) names: Vec<i32>,
}

impl ReturnPoint {
    /// Returns whether it is before this operation.
    pub fn is_before(&self, operation: usize) -> bool {
        self.outcomes <= operation
    }
}
