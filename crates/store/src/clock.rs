//! Wall-clock time, for expiry.

pub(super) use wyrmgate_runtime::surroundings::now_ms;

/// Returns whether a moment has passed.
pub(super) fn is_past(at: Option<u64>, now: u64) -> bool {
    at.is_some_and(|at| at <= now)
}
