//! What is stored besides the session itself, and what is kept of it in memory: stored responses, lists, the cache.

pub(crate) mod answering;
pub(crate) mod cache;
pub(crate) mod listing;
