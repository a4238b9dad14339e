//! The clock of a seat: how much time it has left.
//!
//! A clock is part of the session and changes only with its changes; nothing ticks.

use serde::{Deserialize, Serialize};

use crate::content::terms::{Clock, DelayKind};

/// Time that a seat has at least after a start before which no node was there, in milliseconds. It is never more than the
/// seat had for the decision.
const START_GRACE_MS: u64 = 60_000;
/// A bot takes this part of its time for one decision.
const SHARES: u64 = 30;

/// The clock of one seat.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatClock {
    /// Time left for the whole game. Unused if that is unlimited.
    left_ms: u64,
    /// Since when the seat owes a decision, in Unix milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    since_ms: Option<u64>,
    /// Time taken for a secret answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    took_ms: Option<u64>,
    /// Time taken before the game was paused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    held_ms: Option<u64>,
    /// Periods of byo-yomi that are used up. `None` before the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    periods_used: Option<u64>,
}

/// How a change affects the clock of a seat.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Turned {
    pub moved: bool,
    /// Whether the seat has answered in secret.
    pub answered: bool,
    pub owes: bool,
}

impl SeatClock {
    pub(crate) fn full(clock: &Clock) -> SeatClock {
        SeatClock {
            left_ms: clock.game_ms.unwrap_or(0),
            ..SeatClock::default()
        }
    }

    pub(crate) fn turn(&mut self, clock: &Clock, now_ms: u64, turned: Turned) {
        let elapsed = self.since_ms.map(|since| now_ms.saturating_sub(since));
        if turned.answered {
            self.took_ms = self.took_ms.or(elapsed);
            return;
        }
        if let Some(elapsed) = elapsed.filter(|_| turned.moved || !turned.owes) {
            let took = self.took_ms.take().unwrap_or(elapsed);
            let back = self.spend(clock, took);
            if turned.moved {
                self.left_ms = self.left_ms.saturating_add(back);
            }
            self.since_ms = None;
        }
        if turned.owes && self.since_ms.is_none() {
            self.since_ms = Some(now_ms);
        }
    }

    /// Counts the time that a decision took. Returns what a seat that has decided gets back.
    fn spend(&mut self, clock: &Clock, took_ms: u64) -> u64 {
        let free_ms = took_ms.min(clock.delay_ms);
        let (counted_ms, back_ms) = match clock.delay {
            DelayKind::Simple => (took_ms - free_ms, 0),
            DelayKind::Bronstein => (took_ms, free_ms),
        };
        let over_ms = counted_ms.saturating_sub(self.left_ms);
        self.left_ms = self.left_ms.saturating_sub(counted_ms);
        let used = over_ms.checked_div(clock.period_ms).unwrap_or(0);
        if used > 0 {
            self.periods_used = Some(self.periods_used.unwrap_or(0).saturating_add(used));
        }
        back_ms.saturating_add(clock.increment_ms)
    }

    /// Stops a running clock.
    pub(crate) fn hold(&mut self, now_ms: u64) {
        if let Some(since) = self.since_ms.take() {
            self.held_ms = Some(now_ms.saturating_sub(since));
        }
    }

    /// Lets a stopped clock run again from a moment on.
    pub(crate) fn release(&mut self, from_ms: u64) {
        if let Some(held) = self.held_ms.take() {
            self.since_ms = Some(from_ms.saturating_sub(held));
        }
    }

    /// Updates the clock when a player leaves or arrives. The leaving player has used the time until now. A new player
    /// without any time left starts with a full clock.
    pub(crate) fn change_hands(&mut self, clock: &Clock, now_ms: u64, was_person: bool) {
        let since = self.since_ms.filter(|_| was_person);
        let elapsed = since.map_or(0, |since| now_ms.saturating_sub(since));
        self.left_ms = self.left_ms.saturating_sub(elapsed);
        (self.since_ms, self.took_ms, self.held_ms) = (None, None, None);
        if self.left_ms == 0 {
            *self = SeatClock::full(clock);
        }
    }

    /// Returns the deadline of a running clock.
    pub fn deadline_ms(&self, clock: &Clock) -> Option<u64> {
        let since = self.since_ms?;
        let of_game = clock.game_ms.map(|_| self.game_limit_ms(clock));
        let limits = clock.decision_ms.into_iter().chain(of_game);
        limits.min().map(|limit| since.saturating_add(limit))
    }

    /// Returns how long a decision may take by the time for the whole game.
    fn game_limit_ms(&self, clock: &Clock) -> u64 {
        let waits_ms = match clock.delay {
            DelayKind::Simple => clock.delay_ms,
            DelayKind::Bronstein => 0,
        };
        let periods_ms = self.periods_left(clock).saturating_mul(clock.period_ms);
        let left_ms = self.left_ms.saturating_add(waits_ms);
        left_ms.saturating_add(periods_ms)
    }

    /// Returns the time left for the whole game, without what a running decision takes. In a pause, its beginning counts.
    pub(super) fn left_at_rest_ms(&self) -> u64 {
        self.left_ms.saturating_sub(self.held_ms.unwrap_or(0))
    }

    pub(super) fn periods_left(&self, clock: &Clock) -> u64 {
        clock.periods.saturating_sub(self.periods_used.unwrap_or(0))
    }

    /// Returns how long a bot should think about a decision: a share of what is left for the whole game, and what it gets
    /// back for the decision.
    pub(crate) fn share_ms(&self, clock: &Clock) -> Option<u64> {
        clock.game_ms?;
        let of_periods = if self.periods_left(clock) > 0 {
            clock.period_ms
        } else {
            0
        };
        let back = clock
            .increment_ms
            .saturating_add(clock.delay_ms)
            .saturating_add(of_periods);
        Some((self.left_ms / SHARES).saturating_add(back / 2))
    }

    /// The seat has withdrawn its secret answer: the time runs as if it had not been given.
    pub(crate) fn answers_again(&mut self) {
        self.took_ms = None;
    }

    pub(super) fn has_answered(&self) -> bool {
        self.took_ms.is_some()
    }

    /// Moves the deadline of a clock that ran before nodes were there to accept moves; returns whether there was a reason
    /// to. The time in between does not count.
    pub(crate) fn allow_for_absence(&mut self, clock: &Clock, awake_ms: u64) -> bool {
        let (Some(since), Some(deadline)) = (self.since_ms, self.deadline_ms(clock)) else {
            return false;
        };
        let grace = deadline.saturating_sub(since).min(START_GRACE_MS);
        let least = awake_ms.saturating_add(grace);
        let is_moved = since < awake_ms && deadline < least;
        if is_moved {
            self.since_ms = Some(since.saturating_add(least - deadline));
        }
        is_moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOCK: Clock = Clock {
        decision_ms: Some(1_000),
        game_ms: Some(5_000),
        increment_ms: 100,
        delay_ms: 0,
        delay: DelayKind::Simple,
        periods: 0,
        period_ms: 0,
        at_end: None,
    };

    fn turned(moved: bool, owes: bool) -> Turned {
        Turned {
            moved,
            answered: false,
            owes,
        }
    }

    #[test]
    fn the_nearer_limit_counts_and_time_comes_back_with_each_decision() {
        let mut of = SeatClock::full(&CLOCK);
        assert_eq!(of.deadline_ms(&CLOCK), None);
        of.turn(&CLOCK, 10_000, turned(false, true));
        assert_eq!(of.deadline_ms(&CLOCK), Some(11_000));
        of.turn(&CLOCK, 10_600, turned(true, false));
        assert_eq!((of.left_ms, of.deadline_ms(&CLOCK)), (4_500, None));
        for at in 1..=5 {
            of.turn(&CLOCK, 20_000 + at * 900, turned(true, true));
        }
        // After four decisions of 900 ms, the time for the whole game is the one that runs out.
        assert_eq!(of.left_ms, 4_500 - 4 * 800);
        assert_eq!(of.deadline_ms(&CLOCK), Some(24_500 + 1_000));
    }

    #[test]
    fn a_clock_that_ran_while_no_node_was_there_ends_a_while_after_the_start() {
        let mut of = SeatClock::full(&CLOCK);
        of.turn(&CLOCK, 10_000, turned(false, true));
        assert!(!of.allow_for_absence(&CLOCK, 10_000), "nodes were there");
        assert!(of.allow_for_absence(&CLOCK, 25_000));
        assert_eq!(of.deadline_ms(&CLOCK), Some(26_000));
        assert!(!of.allow_for_absence(&CLOCK, 25_000), "only once");
        of.turn(&CLOCK, 25_400, turned(true, false));
        assert_eq!(of.left_ms, 5_000 - 400 + 100);
        let days = Clock {
            decision_ms: Some(3 * 86_400_000),
            ..CLOCK
        };
        let days = Clock {
            game_ms: None,
            ..days
        };
        let (mut of, passed) = (SeatClock::full(&days), 10_000 + 3 * 86_400_000);
        of.turn(&days, 10_000, turned(false, true));
        assert!(of.allow_for_absence(&days, passed + 5));
        assert_eq!(of.deadline_ms(&days), Some(passed + 5 + START_GRACE_MS));
        assert!(!of.allow_for_absence(&days, passed + 5), "only once");
    }

    /// Makes a decision of this length and returns the time that is left for the game.
    fn after(of: &mut SeatClock, clock: &Clock, took_ms: u64) -> u64 {
        of.turn(clock, 0, turned(false, true));
        of.turn(clock, took_ms, turned(true, false));
        of.left_ms
    }

    #[test]
    fn a_delay_costs_nothing_in_either_way() {
        let clock = |delay| Clock {
            decision_ms: None,
            increment_ms: 0,
            delay_ms: 300,
            delay,
            ..CLOCK
        };
        for (delay, limit) in [(DelayKind::Simple, 5_300), (DelayKind::Bronstein, 5_000)] {
            let clock = clock(delay);
            let mut of = SeatClock::full(&clock);
            assert_eq!(after(&mut of, &clock, 200), 5_000, "{delay:?}");
            of.turn(&clock, 0, turned(false, true));
            assert_eq!(of.deadline_ms(&clock), Some(limit), "{delay:?}");
            of.turn(&clock, 1_300, turned(true, false));
            assert_eq!(of.left_ms, 4_000, "{delay:?}");
        }
    }

    #[test]
    fn a_period_lasts_until_a_decision_takes_all_of_it() {
        let clock = Clock {
            decision_ms: None,
            game_ms: Some(1_000),
            increment_ms: 0,
            periods: 3,
            period_ms: 500,
            ..CLOCK
        };
        let mut of = SeatClock::full(&clock);
        assert_eq!(after(&mut of, &clock, 900), 100);
        assert_eq!(after(&mut of, &clock, 400), 0);
        assert_eq!(of.periods_left(&clock), 3);
        after(&mut of, &clock, 499);
        assert_eq!(of.periods_left(&clock), 3);
        after(&mut of, &clock, 1_001);
        assert_eq!(of.periods_left(&clock), 1);
        of.turn(&clock, 0, turned(false, true));
        assert_eq!(of.deadline_ms(&clock), Some(500));
    }

    #[test]
    fn a_clock_stands_still_in_a_pause() {
        let mut of = SeatClock::full(&CLOCK);
        of.turn(&CLOCK, 1_000, turned(false, true));
        of.hold(1_400);
        assert_eq!(of.deadline_ms(&CLOCK), None);
        assert_eq!(of.left_at_rest_ms(), 4_600);
        of.release(90_000);
        assert_eq!(of.deadline_ms(&CLOCK), Some(90_600));
    }

    #[test]
    fn a_secret_answer_stops_the_clock_and_does_not_show() {
        let mut of = SeatClock::full(&CLOCK);
        of.turn(&CLOCK, 0, turned(false, true));
        let answered = Turned {
            moved: false,
            answered: true,
            owes: false,
        };
        of.turn(&CLOCK, 300, answered);
        assert_eq!(of.deadline_ms(&CLOCK), Some(1_000));
        assert!(of.has_answered());
        of.turn(&CLOCK, 900, turned(true, false));
        assert_eq!(of.left_ms, 4_800);
    }
}
