//! Moves of built-in players.

pub(crate) mod minds;
pub(crate) mod thinking;
