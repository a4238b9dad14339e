//! Pauses: the clocks stand still, and no player can move.

use crate::Refusal;
use crate::changing::call::{Answered, Call};
use crate::changing::pending::PendingChange;
use crate::changing::pending::writing::Attempt;
use crate::content::log::Declaration;
use crate::content::status::Seat;
use crate::service::Service;

/// Time between the end of a pause and the moment from which the clocks run, in milliseconds.
const NOTICE_MS: u64 = 10_000;

impl Service {
    /// Asks for a pause or agrees to one, or ends it. The owner needs nobody's agreement.
    pub async fn pause(&self, call: Call<'_>, wanted: bool) -> Result<Answered, Refusal> {
        let pause = |attempt: &Attempt<'_>| {
            let permitted = attempt.permitted(|_, caller| {
                caller.needs_player_or_owner("only a seat or the owner can pause the game")?;
                Ok(caller.seat())
            });
            let (seat, mut change) = permitted?;
            change.running()?;
            if change.before.facts.terms.clock.is_none() {
                return Err(Refusal::Forbidden(
                    "this session has no clock that could stand still",
                ));
            }
            if seat.is_none() {
                change.before.is_not_contested()?;
            }
            match (wanted, change.status().pause.is_on) {
                (true, false) => change.want_pause(seat),
                (false, false) => change.decline_pause(seat),
                (false, true) => change.end_pause(seat),
                (true, true) => {}
            }
            Ok(change)
        };
        self.write(call, &pause).await
    }
}

impl PendingChange {
    fn want_pause(&mut self, seat: Option<u8>) {
        if let Some(seat) = seat {
            if self.status().pause.wanted_by.contains(&seat) {
                return;
            }
            self.status_mut().pause.wanted_by.push(seat);
            self.declare(Some(seat), Declaration::PauseWanted);
            let wanted_by = &self.status().pause.wanted_by;
            let people = (1..).zip(&self.status().seats);
            let people = people.filter(|(_, player)| matches!(player, Seat::Taken { .. }));
            let mut people = people.filter(|(number, _)| !self.before.has_resigned(*number));
            if !people.all(|(number, _)| wanted_by.contains(&number)) {
                return;
            }
        }
        let now_ms = self.entry.at_ms;
        let status = self.status_mut();
        status.pause.is_on = true;
        status.pause.wanted_by.clear();
        status
            .clocks
            .iter_mut()
            .for_each(|clock| clock.hold(now_ms));
        self.declare(seat, Declaration::Paused);
    }

    fn decline_pause(&mut self, seat: Option<u8>) {
        if !self.status().pause.wanted_by.is_empty() {
            self.status_mut().pause.wanted_by.clear();
            self.declare(seat, Declaration::PauseDeclined);
        }
    }

    fn end_pause(&mut self, seat: Option<u8>) {
        let from_ms = self.entry.at_ms.saturating_add(NOTICE_MS);
        let status = self.status_mut();
        status.pause.is_on = false;
        status
            .clocks
            .iter_mut()
            .for_each(|clock| clock.release(from_ms));
        self.declare(seat, Declaration::Unpaused);
    }
}
