//! The time of day, for the log.

use std::time::{SystemTime, UNIX_EPOCH};

/// Unix milliseconds; 0 on a machine whose clock stands before 1970.
pub(super) fn now_ms() -> u64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
