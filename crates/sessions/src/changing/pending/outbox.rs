//! Adds outbox entries for webhooks to the commit of a change.

use crate::changing::pending::PendingChange;
use crate::content::log::Happening;
use crate::content::outbox::{Lease, OutboxEntry};
use crate::content::play::Play;
use crate::content::stage::Stage;
use crate::content::status::Seat;
use crate::trace;

impl PendingChange {
    /// Adds an outbox entry for a public change, if the session has webhooks. `lease` names the node that will deliver
    /// it, if this one can, and until when others leave it alone.
    pub(crate) fn add_outbox_entry(&mut self, lease: Option<Lease>) {
        if !self.is_public || self.status().webhooks.is_none() {
            return;
        }
        let entry = self.outbox_entry();
        let now_ms = entry.at_ms;
        if let Some(webhooks) = &mut self.status_mut().webhooks {
            webhooks.take(entry);
            if webhooks.due(now_ms).next().is_some() && !webhooks.is_leased(now_ms) {
                webhooks.lease = lease;
            }
        }
    }

    fn outbox_entry(&self) -> OutboxEntry {
        let stage = self.status().stage;
        // A session that ends while it waits has had no game.
        let was = match self.status().roster.wait.is_closed {
            true => stage,
            false => self.before.status.stage,
        };
        OutboxEntry {
            version: self.before.version().saturating_add(1),
            at_ms: self.entry.at_ms,
            stage,
            started: was == Stage::Waiting && stage != Stage::Waiting,
            finished: was != Stage::Finished && stage == Stage::Finished,
            owed_by: self.newly_owed_by(),
            after: self.entry.after.clone(),
            trace: trace::current(),
        }
    }

    /// Returns the seats of people and external programs that owe a decision which is new to their players.
    fn newly_owed_by(&self) -> Vec<u8> {
        let owing = |play: Option<&Play>| {
            play.map_or_else(Vec::new, |play| play.owing(self.program(), None))
        };
        let before = owing(self.before.play.as_deref());
        let moves = &self.entry.moves;
        let is_new = |seat: &u8| {
            let is_person = matches!(self.status().seat(*seat), Some(Seat::Taken { .. }));
            let has_moved = moves
                .iter()
                .any(|made| made.seat == *seat || made.asks_again());
            is_person && (!before.contains(seat) || has_moved || self.turns_to(*seat))
        };
        owing(self.play()).into_iter().filter(is_new).collect()
    }

    /// Returns whether the decision is new because the player changed or moves were undone.
    fn turns_to(&self, seat: u8) -> bool {
        let mut happenings = self.entry.happenings.iter();
        happenings.any(|happening| match happening {
            Happening::SeatTaken { seat: taken, .. } => *taken == seat,
            Happening::Undone { .. } | Happening::RolledBack { .. } => true,
            _ => false,
        })
    }
}
