//! The time of day, for the log.

pub(super) use crate::surroundings::now_ms;
