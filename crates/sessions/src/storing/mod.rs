//! Data that is stored besides the session itself (stored responses, lists), and the cache of sessions in memory.

pub(crate) mod answering;
pub(crate) mod cache;
pub(crate) mod listing;
pub(crate) mod tolerant;
