//! Games that the server does not keep: steps, simulations, games as numbers.

pub(crate) mod action_space;
pub(crate) mod new_step;
pub(crate) mod simulations;
pub(crate) mod step_answer;
pub(crate) mod steps;
