//! The terms of a session in the API: settings agreed on when it is created.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::shared::problem::Problem;
use wyrmgate_sessions as session;
use wyrmgate_sessions::{Clock, Deadline, MessagePolicy, Replies, SeatTime};

/// Maximum delay for spectators: one day, or this many changes.
const DELAY_MS_MAX: u64 = 86_400_000;
const DELAY_VERSIONS_MAX: u64 = 10_000;
const CLOCK_MS_MIN: u64 = 100;
const CLOCK_MS_MAX: u64 = 30 * 86_400_000;
const PERIODS_MAX: u64 = 60;

/// The view of spectators: `nothing` before the game is over, the public view (`live`), or the public view with a delay in
/// changes or in time (`delayed`).
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Spectators {
    #[serde(default)]
    policy: SpectatorPolicy,
    /// With `delayed`: spectators receive a change after this many further changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 10_000)]
    delay_versions: Option<u64>,
    /// With `delayed`: spectators receive a change after this time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 86_400_000)]
    delay_ms: Option<u64>,
}

/// The time of a seat for the whole game.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TimeLeft {
    #[schema(minimum = 1, maximum = 8)]
    seat: u8,
    /// What is left of it, without what a running decision takes.
    left_ms: u64,
    /// The periods of byo-yomi that are left after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    periods_left: Option<u64>,
}

/// What the seats want of each other, and whether they have a pause.
#[derive(Default, Serialize, ToSchema)]
pub struct TableRequests {
    /// The seats that want a draw, the one that offered it first.
    draw_offer: Vec<u8>,
    /// Whether the clocks stand still and nobody can move.
    paused: bool,
    /// The seats that want a pause, the one that asked first.
    pause_wanted_by: Vec<u8>,
    /// The seats that want those replaced who owe a decision, by `POST …/claims`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    absence_votes: Vec<u8>,
    /// Whether the people at the table can write to each other.
    messages: MessagePolicy,
}

impl TableRequests {
    pub fn of(live: &session::Live) -> TableRequests {
        TableRequests {
            draw_offer: live.status.draw_offer.clone(),
            paused: live.status.pause.is_on,
            pause_wanted_by: live.status.pause.wanted_by.clone(),
            absence_votes: live.status.roster.absence_votes.clone(),
            messages: live.facts.terms.messages,
        }
    }
}

/// The times of the seats, as far as a viewer may know them.
#[derive(Default, Serialize, ToSchema)]
pub struct SessionTimes {
    /// Deadlines of owed decisions, if the session has a clock.
    deadlines: Vec<Deadline>,
    /// The time that each seat has left for the whole game, if that is limited.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    times: Vec<TimeLeft>,
}

impl SessionTimes {
    pub fn of(live: &session::Live, viewer: Option<u8>) -> SessionTimes {
        SessionTimes {
            deadlines: deadlines(live, viewer),
            times: times(&live.times()),
        }
    }
}

/// Returns the times of the seats, seat 1 first, with their numbers.
pub fn times(left: &[SeatTime]) -> Vec<TimeLeft> {
    let times = (1..).zip(left).map(|(seat, left)| TimeLeft {
        seat,
        left_ms: left.left_ms,
        periods_left: left.periods_left,
    });
    times.collect()
}

/// Returns the deadlines of seats that owe a decision, as far as this viewer may know them.
pub fn deadlines(live: &session::Live, viewer: Option<u8>) -> Vec<Deadline> {
    let deadlines = live.deadlines(viewer).into_iter();
    deadlines
        .map(|(seat, at_ms)| Deadline::new(seat, at_ms))
        .collect()
}

const REPLY_MS_MAX: u64 = 60_000;

/// Refuses a range of delays that is none.
pub fn checked_replies(of: Replies) -> Result<Replies, Problem> {
    if of.least_ms > of.most_ms || of.most_ms > REPLY_MS_MAX {
        let wanted =
            "`least_ms` must not exceed `most_ms`, and `most_ms` must be at most one minute";
        return Err(Problem::unprocessable("/replies", wanted));
    }
    Ok(of)
}

/// Refuses a clock without limits, and limits out of range or without effect.
pub fn checked_clock(of: Clock, seats: usize) -> Result<Clock, Problem> {
    let wrong = |wanted: &str| Err(Problem::unprocessable("/clock", wanted));
    let in_range = |ms: &u64| (CLOCK_MS_MIN..=CLOCK_MS_MAX).contains(ms);
    let limits = [of.decision_ms, of.game_ms];
    let are_right = limits.iter().flatten().all(in_range) && limits != [None, None];
    if !are_right || of.increment_ms > CLOCK_MS_MAX || of.delay_ms > CLOCK_MS_MAX {
        return wrong("a clock needs `decision_ms`, `game_ms` or both, between 100 ms and 30 days");
    }
    let adds = of.increment_ms > 0 || of.delay_ms > 0;
    let has_periods = of.periods > 0 || of.period_ms > 0;
    if of.game_ms.is_none() && (adds || has_periods) {
        return wrong("`increment_ms`, `delay_ms` and `periods` need `game_ms`");
    }
    let are_periods = (1..=PERIODS_MAX).contains(&of.periods) && in_range(&of.period_ms);
    if has_periods && (!are_periods || adds) {
        return wrong(
            "1 to 60 `periods` need `period_ms` between 100 ms and 30 days, and neither `increment_ms` nor `delay_ms`",
        );
    }
    Ok(of.completed(seats))
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SpectatorPolicy {
    Nothing,
    #[default]
    Live,
    Delayed,
}

impl Spectators {
    pub fn of(self) -> Result<session::SpectatorView, Problem> {
        let wrong = |what: &str| Err(Problem::unprocessable("/spectators", what));
        let in_range = |value: u64, most: u64| (1..=most).contains(&value);
        match (self.policy, self.delay_versions, self.delay_ms) {
            (SpectatorPolicy::Nothing, None, None) => Ok(session::SpectatorView::Nothing),
            (SpectatorPolicy::Live, None, None) => Ok(session::SpectatorView::Live),
            (SpectatorPolicy::Delayed, Some(versions), None)
                if in_range(versions, DELAY_VERSIONS_MAX) =>
            {
                Ok(session::SpectatorView::Behind { versions })
            }
            (SpectatorPolicy::Delayed, None, Some(ms)) if in_range(ms, DELAY_MS_MAX) => {
                Ok(session::SpectatorView::Later { ms })
            }
            (SpectatorPolicy::Delayed, ..) => wrong(
                "`delayed` needs either `delay_versions` (1 to 10,000) or `delay_ms` (at most one day)",
            ),
            _ => wrong("a delay requires `delayed`; remove it or choose `delayed`"),
        }
    }
}

impl From<session::SpectatorView> for Spectators {
    fn from(of: session::SpectatorView) -> Spectators {
        let (policy, delay_versions, delay_ms) = match of {
            session::SpectatorView::Nothing => (SpectatorPolicy::Nothing, None, None),
            session::SpectatorView::Live => (SpectatorPolicy::Live, None, None),
            session::SpectatorView::Behind { versions } => {
                (SpectatorPolicy::Delayed, Some(versions), None)
            }
            session::SpectatorView::Later { ms } => (SpectatorPolicy::Delayed, None, Some(ms)),
        };
        Spectators {
            policy,
            delay_versions,
            delay_ms,
        }
    }
}
