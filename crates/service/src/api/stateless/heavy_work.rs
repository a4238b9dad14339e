//! Requests that take long to compute. Each kind has its own queue and a budget of time.

use std::time::Duration;

use crate::api::response::problem::{Code, Problem};
use wyrmgate_runtime::queue::{Queue, Unfinished, half_of_the_cores};

/// Time budget of one `imagine` request.
pub const IMAGINE_MAX: Duration = Duration::from_secs(5);
/// Time budget of one check of rules.
pub const CHECK_MAX: Duration = Duration::from_secs(20);
/// Time budget for replaying one record.
pub const REPLAY_MAX: Duration = Duration::from_secs(5);

/// Time budget of one list of steps.
pub const STEPS_TIME: Duration = Duration::from_secs(5);
/// Time budget of one picture in pixels.
const PIXELS_TIME: Duration = Duration::from_secs(5);

/// Time after which a study of rules ends with the games played so far, and the budget in which it must have ended.
#[cfg(feature = "pages")]
pub const STUDY_TIME: Duration = Duration::from_secs(20);
#[cfg(feature = "pages")]
const STUDY_MAX: Duration = Duration::from_secs(40);

/// The queues, one for each kind of work, so that one kind does not block another.
pub struct HeavyWork {
    pub imagining: Queue,
    pub checking: Queue,
    pub replaying: Queue,
    pub stepping: Queue,
    pub painting: Queue,
    #[cfg(feature = "pages")]
    pub studying: Queue,
}

impl Default for HeavyWork {
    fn default() -> Self {
        HeavyWork {
            imagining: Queue::new(half_of_the_cores(), IMAGINE_MAX, "imagine-time"),
            // A check uses the free cores by itself.
            checking: Queue::new(1, CHECK_MAX, "check-time"),
            replaying: Queue::new(half_of_the_cores(), REPLAY_MAX, "replay-time"),
            stepping: Queue::new(half_of_the_cores(), STEPS_TIME, "step-time"),
            painting: Queue::new(half_of_the_cores(), PIXELS_TIME, "picture-time"),
            // A study plays on one core.
            #[cfg(feature = "pages")]
            studying: Queue::new(half_of_the_cores(), STUDY_MAX, "study-time"),
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
