//! The time of day, for expiry.

use std::time::{SystemTime, UNIX_EPOCH};

/// Unix milliseconds; 0 on a machine whose clock stands before 1970.
pub(super) fn now_ms() -> u64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Whether a moment has come.
pub(super) fn is_past(at: Option<u64>, now: u64) -> bool {
    at.is_some_and(|at| at <= now)
}
