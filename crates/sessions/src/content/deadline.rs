//! When the server has to act for a seat: its time is up, or its standing order is due.

use std::time::Duration;

use crate::content::clock::SeatClock;
use crate::content::live::Live;
use crate::content::log::SeatTime;
use crate::content::stage::Stage;
use crate::content::status::{Seat, Status};
use crate::content::terms::Clock;

/// Grace period after the published deadline, for answers in transit and for nodes whose clocks differ a little.
pub(crate) const GRACE: Duration = Duration::from_millis(GRACE_MS);
const GRACE_MS: u64 = 250;

impl Live {
    /// Returns the seats that owe a decision as far as this viewer may know, with their deadlines.
    pub fn deadlines(&self, viewer: Option<u8>) -> Vec<(u8, u64)> {
        let Some(clock) = &self.facts.terms.clock else {
            return Vec::new();
        };
        let owing = self.owing(viewer).into_iter();
        let deadline = |seat: u8| self.status.deadline_ms(seat, clock);
        owing
            .filter_map(|seat| Some((seat, deadline(seat)?)))
            .collect()
    }

    /// Returns what the seats have left for the whole game, seat 1 first, if that is limited.
    pub fn times(&self) -> Vec<SeatTime> {
        let clock = self.facts.terms.clock;
        let Some(clock) = clock.filter(|clock| clock.game_ms.is_some()) else {
            return Vec::new();
        };
        let left = |of: &SeatClock| SeatTime {
            left_ms: of.left_at_rest_ms(),
            periods_left: (clock.periods > 0).then(|| of.periods_left(&clock)),
        };
        self.status.clocks.iter().map(left).collect()
    }

    /// Returns when something is due while the session waits for players: to look for others, to resume a move, or to end.
    pub(crate) fn wait_due(&self) -> Option<u64> {
        let wait = &self.status.roster.wait;
        if self.stage() != Stage::Waiting {
            return None;
        }
        // Who is moving is looked after there, whenever that is settled.
        let until = self.facts.waits.until_ms.filter(|_| !wait.is_moving());
        wait.look_at_ms.into_iter().chain(until).min()
    }

    pub(crate) fn overdue(&self, now_ms: u64) -> Vec<u8> {
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

    /// Returns the seat whose order is due now.
    pub(crate) fn reply_due(&self, now_ms: u64) -> Option<u8> {
        let seats = (1..).zip(&self.status.standing);
        let mut late = seats.filter(|(_, of)| of.due.is_some_and(|due| due.at_ms <= now_ms));
        late.next().map(|(seat, _)| seat)
    }
}

/// Returns the position in the index of deadlines for a time without a grace period.
pub(crate) fn punctual(at_ms: u64) -> u64 {
    at_ms.saturating_sub(GRACE_MS)
}

/// Returns the earliest deadline of a person.
pub(crate) fn earliest(clock: &Clock, status: &Status) -> Option<u64> {
    if status.stage != Stage::Running {
        return None;
    }
    let seats = (1..).zip(&status.seats);
    let people = seats.filter(|(_, seat)| matches!(seat, Seat::Taken { .. }));
    let clocks = people.filter_map(|(number, _)| status.clock_of(number));
    let running = clocks.filter(|of| !of.has_answered());
    running.filter_map(|of| of.deadline_ms(clock)).min()
}

/// Returns the earliest time at which an order is due.
pub(crate) fn earliest_reply(status: &Status) -> Option<u64> {
    if status.stage != Stage::Running {
        return None;
    }
    let due = status.standing.iter().filter_map(|of_seat| of_seat.due);
    due.map(|due| due.at_ms).min()
}
