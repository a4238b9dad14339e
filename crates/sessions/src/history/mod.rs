//! What is read or replayed from the log of a session: past changes, past positions, records.

pub(crate) mod past;
pub(crate) mod playback;
pub(crate) mod reading;
mod recording;
