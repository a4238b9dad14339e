//! Clocks: how much time each seat has left, and what happens when it runs out.
//!
//! A clock is part of the session and changes only with its changes; nothing ticks. The session is listed in the index
//! of deadlines with its earliest one. When that has passed, a node ([`crate::Duty::Clocks`]) makes the default move.
//! If two nodes try, one wins the revision and the other finds nothing overdue.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::Refusal;
use crate::changing::pending::Change;
use crate::content::live::Live;
use crate::content::status::{Seat, Stage};
use crate::content::terms::Clock;
use crate::history::log::Happening;
use crate::service::{Answered, Made, Service};
use wyrmgate_engine as engine;

/// Grace period after the published deadline, for answers in transit and for nodes whose clocks differ a little.
pub(crate) const GRACE: Duration = Duration::from_millis(GRACE_MS);
const GRACE_MS: u64 = 250;

/// Time that a seat has at least after a start before which no node was there, in milliseconds. It is never more than the
/// seat had for the decision.
const START_GRACE_MS: u64 = 60_000;

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
            let increment = if turned.moved { clock.increment_ms } else { 0 };
            self.left_ms = self.left_ms.saturating_sub(took).saturating_add(increment);
            self.since_ms = None;
        }
        if turned.owes && self.since_ms.is_none() {
            self.since_ms = Some(now_ms);
        }
    }

    /// Updates the clock when a player leaves or arrives. The leaving player has used the time until now. A new player
    /// without any time left starts with a full clock.
    pub(crate) fn change_hands(&mut self, clock: &Clock, now_ms: u64, was_person: bool) {
        let since = self.since_ms.filter(|_| was_person);
        let elapsed = since.map_or(0, |since| now_ms.saturating_sub(since));
        self.left_ms = self.left_ms.saturating_sub(elapsed);
        (self.since_ms, self.took_ms) = (None, None);
        if self.left_ms == 0 {
            *self = SeatClock::full(clock);
        }
    }

    /// Returns the deadline of a running clock.
    pub fn deadline_ms(&self, clock: &Clock) -> Option<u64> {
        let since = self.since_ms?;
        let of_game = clock.game_ms.map(|_| self.left_ms);
        let limits = clock.decision_ms.into_iter().chain(of_game);
        limits.min().map(|limit| since.saturating_add(limit))
    }

    fn has_answered(&self) -> bool {
        self.took_ms.is_some()
    }

    /// Moves the deadline of a clock that ran before nodes were there to accept moves; returns whether there was a reason
    /// to. The time in between does not count.
    fn allow_for_absence(&mut self, clock: &Clock, awake_ms: u64) -> bool {
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

impl Live {
    /// Returns the seats that owe a decision as far as this viewer may know, with their deadlines.
    pub fn deadlines(&self, viewer: Option<u8>) -> Vec<(u8, u64)> {
        let Some(clock) = &self.facts.terms.clock else {
            return Vec::new();
        };
        let owing = self.owing(viewer).into_iter();
        let deadline = |seat: u8| self.status.clock_of(seat)?.deadline_ms(clock);
        owing
            .filter_map(|seat| Some((seat, deadline(seat)?)))
            .collect()
    }

    /// Returns the time that a seat has left for the whole game, without what its running decision takes.
    pub fn left_ms(&self, seat: u8) -> Option<u64> {
        self.facts.terms.clock?.game_ms?;
        Some(self.status.clock_of(seat)?.left_ms)
    }

    fn overdue(&self, now_ms: u64) -> Vec<u8> {
        let Some(clock) = &self.facts.terms.clock else {
            return Vec::new();
        };
        let is_late = |seat: &u8| {
            let of_seat = self.status.clock_of(*seat).filter(|of| !of.has_answered());
            let deadline = of_seat.and_then(|of| of.deadline_ms(clock));
            deadline.is_some_and(|deadline| deadline.saturating_add(GRACE_MS) <= now_ms)
        };
        let is_person = |seat: &u8| matches!(self.status.seat(*seat), Some(Seat::Taken { .. }));
        (1..=self.facts.seats)
            .filter(is_person)
            .filter(is_late)
            .collect()
    }
}

/// Returns the position in the index of deadlines for a time without a grace period.
pub(crate) fn punctual(at_ms: u64) -> u64 {
    at_ms.saturating_sub(GRACE_MS)
}

/// Returns the earliest deadline of a person.
pub(crate) fn earliest(clock: &Clock, status: &crate::content::status::Status) -> Option<u64> {
    if status.stage != Stage::Running {
        return None;
    }
    let seats = (1..).zip(&status.seats);
    let people = seats.filter(|(_, seat)| matches!(seat, Seat::Taken { .. }));
    let clocks = people.filter_map(|(number, _)| status.clock_of(number));
    let running = clocks.filter(|of| !of.has_answered());
    running.filter_map(|of| of.deadline_ms(clock)).min()
}

impl Service {
    /// Plays for the seats of a session that ran out of time. Returns whether the session changed in public.
    pub async fn time_out(&self, id: &str) -> Result<bool, Refusal> {
        self.load(id).await?;
        let awake_ms = self.store.awake_since_ms().await;
        let time_out = |mut change: Change| {
            let now = change.entry().at_ms;
            // Each answer is one change, as if it were given by hand.
            if let Some(seat) = change.before().reply_due(now) {
                change.carry_out_order(seat)?;
            } else {
                for seat in change.before().overdue(now) {
                    if !change.allow_for_absence(seat, awake_ms) {
                        change.time_out(seat)?;
                    }
                }
            }
            if change.before().status.has_bots() && !change.is_empty() {
                change.play_bots(&mut crate::service::bot()?);
            }
            Ok(change)
        };
        let made: Answered<Made> = self.write_own(id, &time_out).await?;
        Ok(matches!(made, Answered::Fresh(made) if made.is_public))
    }
}

impl Change {
    /// Moves the deadline of a seat that passed while no node was there, or shortly after; returns whether it did.
    fn allow_for_absence(&mut self, seat: u8, awake_ms: u64) -> bool {
        let (clock, of_seat) = (self.terms().clock, self.status().clock_of(seat).copied());
        let (Some(clock), Some(mut of_seat)) = (clock, of_seat) else {
            return false;
        };
        if !of_seat.allow_for_absence(&clock, awake_ms) {
            return false;
        }
        if let Some(place) = self.status_mut().clock_of_mut(seat) {
            *place = of_seat;
        }
        true
    }

    /// Plays the default of the rules. If they declare none, the seat becomes open.
    fn time_out(&mut self, seat: u8) -> Result<(), Refusal> {
        let Some(pending) = self.owed_by_seat(seat) else {
            return Ok(());
        };
        let default = self
            .play()
            .and_then(|play| engine::default_choice(self.program(), play.state(), &pending));
        self.add_event(Happening::TimedOut { seat });
        match default {
            Some(choice) => self.choose(&pending, &choice, false),
            None => {
                self.put_on_seat(seat, Seat::Open);
                self.add_event(Happening::SeatLeft { seat });
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOCK: Clock = Clock {
        decision_ms: Some(1_000),
        game_ms: Some(5_000),
        increment_ms: 100,
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
