//! Wall-clock time for the log.

pub(super) use wyrmgate_runtime::surroundings::now_ms;
