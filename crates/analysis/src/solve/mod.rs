//! Solves small games for two seats exactly, through the engine's public interface, to check rules against published
//! values.
//!
//! The games are zero-sum. If every game ends with a ranking by one number, and the numbers of the two seats always add
//! up to zero, the payoff of a seat is its number. Otherwise it is 1 for a win, 0 for a draw and −1 for a loss.

mod payoff;
mod regret;
mod tree;
mod values;

use serde::Serialize;

use crate::explore::ExploreError;
use wyrmgate_program::Program;

/// The solution method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Counterfactual regret minimization over the whole tree, for games with hidden information.
    Regret,
    /// Value iteration over all positions, for games with perfect information, including those with cycles.
    Values,
}

/// The result.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "method", rename_all = "lowercase")]
pub enum Solution {
    Regret(regret::Equilibrium),
    Values(values::Value),
}

impl Solution {
    pub fn text(&self) -> String {
        match self {
            Solution::Regret(found) => found.text(),
            Solution::Values(found) => found.text(),
        }
    }
}

/// Solves the game from its start. Calls `watch` with messages about the progress.
pub fn solve(
    program: &Program,
    method: Method,
    iterations: u32,
    watch: &mut dyn FnMut(String),
) -> Result<Solution, ExploreError> {
    if program.seats != 2 {
        let message = format!("solving requires two seats, not {}", program.seats);
        return Err(ExploreError::Limit(message));
    }
    match method {
        Method::Regret => regret::solve(program, iterations, watch).map(Solution::Regret),
        Method::Values => values::solve(program, watch).map(Solution::Values),
    }
}
