//! The log of a session, and what is read or replayed from it: past changes, past positions, records.

pub(crate) mod cursor;
pub(crate) mod log;
pub(crate) mod past;
pub(crate) mod playback;
pub(crate) mod reading;
pub(crate) mod recording;
