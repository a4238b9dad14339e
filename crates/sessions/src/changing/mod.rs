//! How a session changes: one file for each kind of change, all of them prepared on a copy ([`pending`]).

pub(crate) mod budget;
pub(crate) mod create;
pub(crate) mod forking;
pub(crate) mod moves;
pub(crate) mod pending;
pub(crate) mod undo;
