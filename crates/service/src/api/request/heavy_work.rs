//! Requests that take long to compute. Each kind has its own queue and a budget of time.

use std::time::Duration;

use crate::api::shared::problem::{Problem, ProblemCode};
use wyrmgate_runtime::queue::{Queue, Unfinished, half_of_the_cores};

/// Time budget of one `imagine` request.
pub const IMAGINE_MAX: Duration = Duration::from_secs(5);
/// Time budget of one check of rules.
pub const CHECK_MAX: Duration = Duration::from_secs(20);
/// Time budget for replaying one record.
pub const REPLAY_MAX: Duration = Duration::from_secs(5);

/// Maximum number of steps in a list.
pub const STEPS_MAX: usize = 256;
/// Time budget of one list of steps.
pub const STEPS_TIME: Duration = Duration::from_secs(5);
/// Time budget of one picture or rulebook.
const DRAWING_MAX: Duration = Duration::from_secs(20);

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
    drawing: Queue,
    filming: Queue,
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
            // Most pictures take a few milliseconds, and all who watch a table ask for one after each move.
            drawing: Queue::new(half_of_the_cores(), DRAWING_MAX, "picture-time").with_room(256),
            filming: Queue::new(half_of_the_cores(), DRAWING_MAX, "film-time"),
            // A study plays on one core.
            #[cfg(feature = "pages")]
            studying: Queue::new(half_of_the_cores(), STUDY_MAX, "study-time"),
        }
    }
}

impl HeavyWork {
    pub fn queues(&self) -> Vec<&Queue> {
        vec![
            &self.imagining,
            &self.checking,
            &self.replaying,
            &self.stepping,
            &self.drawing,
            &self.filming,
            #[cfg(feature = "pages")]
            &self.studying,
        ]
    }

    /// Draws a picture or a page, once it is its turn. How long that takes depends on the load of the machine, so one that
    /// takes too long is an overload and no mistake of the rules.
    pub async fn draw<T: Send + 'static>(
        &self,
        draw: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        done(self.drawing.run(draw).await)
    }

    /// The same for many pictures at once.
    pub async fn film<T: Send + 'static>(
        &self,
        draw: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        done(self.filming.run(draw).await)
    }
}

fn done<T>(drawn: Result<Result<T, Problem>, Unfinished>) -> Result<T, Problem> {
    drawn.map_err(|unfinished| match unfinished {
        Unfinished::Spent { .. } => {
            Problem::new(ProblemCode::Overloaded).detail(unfinished.to_string())
        }
        Unfinished::Overloaded(_) | Unfinished::Broken => unfinished.into(),
    })?
}

impl From<Unfinished> for Problem {
    fn from(unfinished: Unfinished) -> Problem {
        let said = unfinished.to_string();
        match unfinished {
            Unfinished::Spent { limit, .. } => Problem::new(ProblemCode::RulesBudgetExceeded)
                .limit(limit)
                .detail(said),
            Unfinished::Overloaded(_) => Problem::new(ProblemCode::Overloaded).detail(said),
            Unfinished::Broken => Problem::new(ProblemCode::Internal),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_picture_that_takes_too_long_or_finds_no_room_is_an_overload() {
        let heavy = HeavyWork {
            drawing: Queue::new(1, Duration::from_millis(50), "picture-time").with_room(0),
            ..HeavyWork::default()
        };
        let long = heavy.draw(|| {
            std::thread::sleep(Duration::from_millis(200));
            Ok(())
        });
        let (slow, second) = tokio::join!(long, heavy.draw(|| Ok(())));
        for refused in [slow.unwrap_err(), second.unwrap_err()] {
            assert_eq!((refused.status, refused.retry_after), (503, Some(1)));
        }
    }
}
