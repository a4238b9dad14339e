//! What those who watch a session get to see: the view of spectators, and tickets for streams.

pub(crate) mod messages;
pub(crate) mod player;
mod spectators;
pub(crate) mod ticket;
