//! The time of day, for expiry.

pub(super) use wyrmgate_runtime::surroundings::now_ms;

/// Whether a moment has come.
pub(super) fn is_past(at: Option<u64>, now: u64) -> bool {
    at.is_some_and(|at| at <= now)
}
