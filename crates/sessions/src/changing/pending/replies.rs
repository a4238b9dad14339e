//! Scheduling of standing orders. Each change that leads to a decision records which order is due; nodes find due
//! orders as they find expired clocks.

use crate::Refusal;
use crate::changing::pending::PendingChange;
use crate::changing::pending::matching::OwedDecision;
use crate::content::log::LogEntry;
use crate::content::standing::{DueOrder, Standing};
use crate::content::status::Seat;
use crate::service::bot;

impl PendingChange {
    /// Replaces the orders of a seat. `opened_by` is the change that led to the current version.
    pub(crate) fn order(
        &mut self,
        seat: u8,
        mut standing: Standing,
        opened_by: &LogEntry,
    ) -> Result<(), Refusal> {
        standing.due = self.reply_of(seat, &standing, Some(opened_by))?;
        let seats = usize::from(self.before.facts.seats);
        let all = &mut self.status_mut().standing;
        all.resize(seats, Standing::default());
        if let Some(of_seat) = all.get_mut(usize::from(seat).saturating_sub(1)) {
            *of_seat = standing;
        }
        Ok(())
    }

    /// Records which orders answer the decisions owed after this change. While others see the same position, existing
    /// entries stay, except for seats that owe nothing any more.
    pub(crate) fn schedule_replies(&mut self) -> Result<(), Refusal> {
        let nobody_has_any = self.status().standing.iter().all(|of| of.orders.is_empty());
        if nobody_has_any || self.play.is_none() {
            return Ok(());
        }
        let mut standing = self.status().standing.clone();
        for (seat, of_seat) in (1..).zip(&mut standing) {
            if self.is_public {
                of_seat.due = self.reply_of(seat, of_seat, Some(&self.entry))?;
            } else if self.owed_by_seat(seat).is_none() {
                of_seat.due = None;
            }
        }
        if standing != self.status().standing {
            self.status_mut().standing = standing;
        }
        Ok(())
    }

    /// Returns which of these orders answers the decision of a seat, and when.
    fn reply_of(
        &self,
        seat: u8,
        standing: &Standing,
        opened_by: Option<&LogEntry>,
    ) -> Result<Option<DueOrder>, Refusal> {
        let is_person = matches!(self.status().seat(seat), Some(Seat::Taken { .. }));
        let pending = self.owed_by_seat(seat).filter(|_| is_person);
        let (Some(pending), Some(play)) = (pending, self.play()) else {
            return Ok(None);
        };
        let asked = OwedDecision {
            program: self.program(),
            state: play.state(),
            pending: &pending,
            opened_by,
        };
        let Some(order) = asked.answered_by(&standing.orders) else {
            return Ok(None);
        };
        let replies = self.before.facts.terms.replies;
        let room = replies.most_ms.saturating_sub(replies.least_ms);
        let waits = replies.least_ms + bot()?.below(room.saturating_add(1));
        let at_ms = self.entry.at_ms.saturating_add(waits);
        let deadline = self.deadline_of(seat).unwrap_or(u64::MAX);
        let at_ms = at_ms.min(deadline);
        Ok(Some(DueOrder { at_ms, order }))
    }

    /// Carries out the due order of a seat. If this is no longer possible, the seat decides as if it had no order.
    pub(crate) fn carry_out_order(&mut self, seat: u8) -> Result<(), Refusal> {
        let at = usize::from(seat).saturating_sub(1);
        let of_seat = self.status_mut().standing.get_mut(at);
        let Some(of_seat) = of_seat else {
            return Ok(());
        };
        let Some(due) = of_seat.due.take() else {
            return Ok(());
        };
        let Some(order) = of_seat.orders.get(due.order).cloned() else {
            return Ok(());
        };
        if order.once {
            of_seat.orders.remove(due.order);
        }
        while let Some((pending, play)) = self.owed_by_seat(seat).zip(self.play()) {
            let asked = OwedDecision {
                program: self.program(),
                state: play.state(),
                pending: &pending,
                opened_by: None,
            };
            let Some(choice) = asked.choice(&order.answer) else {
                break;
            };
            self.choose(&pending, &choice, false)?;
            // Of a decision about each member of a list, it answers for all.
            if order.once || !self.play().is_some_and(|play| play.is_amid(seat)) {
                break;
            }
        }
        Ok(())
    }
}
