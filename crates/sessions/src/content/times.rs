//! Times as clients receive them.

use serde::Serialize;
use utoipa::ToSchema;

use crate::content::log::Owed;

/// Formats a time in UTC (RFC 3339), always with milliseconds.
pub fn rfc3339(unix_ms: u64) -> String {
    let ms = i64::try_from(unix_ms).unwrap_or(i64::MAX);
    let time = jiff::Timestamp::from_millisecond(ms).unwrap_or(jiff::Timestamp::MAX);
    format!("{time:.3}")
}

/// The time at which a seat runs out of time.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Deadline {
    #[schema(minimum = 1, maximum = 8)]
    pub seat: u8,
    #[schema(format = DateTime)]
    pub at: String,
}

impl Deadline {
    pub fn new(seat: u8, at_ms: u64) -> Deadline {
        let at = rfc3339(at_ms);
        Deadline { seat, at }
    }

    /// Returns `None` for a seat that has all the time.
    pub fn of(owed: Owed) -> Option<Deadline> {
        Some(Deadline::new(owed.seat, owed.deadline_ms?))
    }
}
