//! Time limits of calls.

use std::time::Duration;

/// Time limit for one response of a connected server.
pub(super) const RESPONSE: Duration = Duration::from_secs(2);

pub(super) const CONNECT: Duration = Duration::from_secs(1);

/// Time limit for a whole call, with reconnection and redirections.
pub(super) const CALL: Duration = Duration::from_secs(3);
