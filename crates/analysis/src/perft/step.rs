//! The destination of one step of a walk: its ply, and the plies that it passes.

use std::ops::RangeInclusive;

use super::Plan;
use crate::explore::ExploreError;
use wyrmgate_engine::State;
use wyrmgate_program::VAR_TURN;

/// The plies that a step brought to an end; none within a turn.
pub(super) type Passed = RangeInclusive<u32>;

impl Plan {
    /// Checks that a game counts turns, from the beginning on.
    pub(super) fn begin(&self, start: &State) -> Result<(), ExploreError> {
        if self.by_turns && turn_of(start) == 0 && start.outcome().is_none() {
            let message = "the game begins outside of any turn, so turns cannot be counted";
            return Err(ExploreError::Limit(message.into()));
        }
        Ok(())
    }

    /// Returns the plies that a step from this ply counts for, up to the last one that is of interest.
    pub(super) fn passed(&self, ply: u32, before: &State, after: &State) -> Passed {
        let ended = match self.by_turns {
            false => 1,
            true => {
                let turns = turn_of(after).saturating_sub(turn_of(before));
                let turns = u32::try_from(turns).unwrap_or(0);
                turns.max(u32::from(after.outcome().is_some()))
            }
        };
        ply + 1..=ply.saturating_add(ended).min(self.depth.max(ply))
    }
}

fn turn_of(state: &State) -> i32 {
    state.built_in(VAR_TURN)
}
