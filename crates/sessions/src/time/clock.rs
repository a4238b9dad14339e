//! Wall-clock time for the log.

pub(crate) use wyrmgate_runtime::surroundings::now_ms;
