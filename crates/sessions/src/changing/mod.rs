//! How a session changes: one file for each kind of change, all of them prepared on a copy ([`pending`]).

pub(crate) mod call;
pub(crate) mod create;
mod endings;
pub(crate) mod forking;
pub(crate) mod moves;
mod orders;
mod pausing;
pub(crate) mod pending;
mod players;
pub(crate) mod rated;
pub(crate) mod reach;
pub(crate) mod seats;
mod tokens;
pub(crate) mod tournaments;
pub(crate) mod undo;
mod webhooks;
