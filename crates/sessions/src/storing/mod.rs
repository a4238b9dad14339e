//! Sessions as the store has them, and data that is stored besides: stored responses, lists.

pub(crate) mod answering;
pub(crate) mod listing;
mod loading;
pub(crate) mod messages;
pub(crate) mod players;
pub(crate) mod records;
pub(crate) mod seeks;
pub(crate) mod tournaments;
