//! What happens when the time of a seat runs out.
//!
//! A session is listed in the index of deadlines with its earliest one. When that has passed, a node ([`crate::Duty::Clocks`]) makes the default move.
//! If two nodes try, one wins the revision and the other finds nothing overdue.

use crate::Refusal;
use crate::changing::call::Answered;
use crate::changing::pending::PendingChange;
use crate::content::budget::budget;
use crate::content::log::Happening;
use crate::content::terms::TimeEnd;
use crate::service::{Service, bot};
use wyrmgate_engine::{self as engine, Choice, EndReason, Pending};

impl Service {
    /// Plays for the seats of a session that ran out of time. Returns whether the session changed in public.
    pub async fn time_out(&self, id: &str) -> Result<bool, Refusal> {
        self.load(id).await?;
        let awake_ms = self.store.awake_since_ms().await;
        let time_out = |mut change: PendingChange| {
            let now = change.entry.at_ms;
            // Each answer is one change, as if it were given by hand.
            if let Some(seat) = change.before.reply_due(now) {
                change.carry_out_order(seat)?;
            } else {
                for seat in change.before.overdue(now) {
                    if !change.allow_for_absence(seat, awake_ms) {
                        change.time_out(seat)?;
                    }
                }
            }
            if change.before.status.has_bots() && !change.is_empty() {
                change.play_bots(&mut bot()?);
            }
            Ok(change)
        };
        let made: Answered = self.write_own(id, &time_out).await?;
        Ok(matches!(made, Answered::Fresh(made) if made.is_public))
    }
}

impl PendingChange {
    /// Moves the deadline of a seat that passed while no node was there, or shortly after; returns whether it did.
    fn allow_for_absence(&mut self, seat: u8, awake_ms: u64) -> bool {
        let (clock, of_seat) = (
            self.before.facts.terms.clock,
            self.status().clock_of(seat).copied(),
        );
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

    /// Does what the clock says: ends the game, or plays for the seat, or gives it to another player.
    fn time_out(&mut self, seat: u8) -> Result<(), Refusal> {
        if self.owed_by_seat(seat).is_none() {
            return Ok(());
        }
        self.add_event(Happening::TimedOut { seat });
        let terms = self.before.facts.terms;
        let at_end = terms.clock.and_then(|clock| clock.at_end);
        match at_end {
            Some(TimeEnd::Lose) => return self.lose(seat, EndReason::Time),
            Some(TimeEnd::Bot) => return self.seat_bot(seat, terms.endings.successor()),
            Some(TimeEnd::Free | TimeEnd::Random | TimeEnd::Default) | None => {}
        }
        // Of a decision about each member of a list, all answers are due.
        while let Some(pending) = self.owed_by_seat(seat) {
            let choice = match at_end {
                Some(TimeEnd::Free) => None,
                Some(TimeEnd::Random) => self.any_choice(&pending)?,
                Some(TimeEnd::Default | TimeEnd::Lose | TimeEnd::Bot) | None => {
                    self.play().and_then(|play| {
                        engine::default_choice(self.program(), play.state(), &pending)
                    })
                }
            };
            match choice {
                Some(choice) => self.choose(&pending, &choice, false)?,
                None => return self.leave_game(seat, EndReason::Time),
            }
            if !self.play().is_some_and(|play| play.is_amid(seat)) {
                break;
            }
        }
        Ok(())
    }

    fn any_choice(&self, pending: &Pending) -> Result<Option<Choice>, Refusal> {
        let play = self.play().ok_or(Refusal::SessionOver)?;
        let choice = bot()?.choose(self.program(), play.state(), pending);
        choice.map_err(|fault| budget(&self.before, fault))
    }
}
