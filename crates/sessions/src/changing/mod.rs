//! How a session changes: one file for each kind of change, all of them prepared on a copy ([`pending`]).

pub(crate) mod call;
mod closing;
pub(crate) mod create;
mod endings;
pub(crate) mod forking;
pub(crate) mod free_text;
pub(crate) mod moves;
mod moving;
mod orders;
mod pausing;
pub(crate) mod pending;
mod players;
pub(crate) mod rated;
pub(crate) mod reach;
pub(crate) mod seats;
pub(crate) mod seeker;
pub(crate) mod seeking;
mod tokens;
pub(crate) mod tournaments;
pub(crate) mod undo;
mod webhooks;
