//! Solving small games of two seats exactly, over the engine's public interface: a way to check rules against values
//! that others have published.
//!
//! What one seat wins the other loses. If every game ends with a ranking by one number, and the numbers of the two seats
//! always add up to zero, a seat's payoff is its number; otherwise it is 1 for a win, 0 for a draw, −1 for a loss.

mod payoff;
mod regret;
mod tree;
mod values;

use serde::Serialize;

use crate::explore::ExploreError;
use wyrmgate_program::Program;

/// How to solve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Method {
    /// Counterfactual regret minimisation over the whole tree, for games with hidden things.
    Regret,
    /// Value iteration over all positions, for games where everybody knows everything; they may go in circles.
    Values,
}

/// What was found.
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

/// Solves the game from its start; `watch` is told what is being done.
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
