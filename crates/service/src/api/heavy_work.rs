//! Requests that take long to compute: each kind has a queue of its own, and its budget in the answer.

use std::time::Duration;

use super::problem::{Code, Problem};
use wyrmgate_runtime::queue::{Queue, Unfinished, half_of_the_cores};

/// How long one request may imagine.
pub const IMAGINE_MAX: Duration = Duration::from_secs(5);
/// How long the rules of one request may be checked.
pub const CHECK_MAX: Duration = Duration::from_secs(20);
/// How long the record of one request may be played.
pub const REPLAY_MAX: Duration = Duration::from_secs(5);

/// One queue for each kind of work, so that none keeps another waiting.
pub struct HeavyWork {
    pub imagining: Queue,
    pub checking: Queue,
    pub replaying: Queue,
}

impl Default for HeavyWork {
    fn default() -> Self {
        HeavyWork {
            imagining: Queue::new(half_of_the_cores(), IMAGINE_MAX, "imagine-time"),
            // A check takes the cores that are free by itself.
            checking: Queue::new(1, CHECK_MAX, "check-time"),
            replaying: Queue::new(half_of_the_cores(), REPLAY_MAX, "replay-time"),
        }
    }
}

impl From<Unfinished> for Problem {
    fn from(unfinished: Unfinished) -> Problem {
        let said = unfinished.to_string();
        match unfinished {
            Unfinished::Spent { limit, .. } => Problem::new(Code::RulesBudgetExceeded)
                .limit(limit)
                .detail(said),
            Unfinished::Overloaded(_) => Problem::new(Code::Overloaded).detail(said),
            Unfinished::Broken => Problem::new(Code::Internal),
        }
    }
}
