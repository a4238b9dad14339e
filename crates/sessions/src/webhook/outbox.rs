//! Adds outbox entries for webhooks to the commit of a change.

use super::{Lease, OUTBOX_MAX, OutboxEntry, Webhooks};
use crate::changing::pending::Change;
use crate::content::status::{Seat, Stage};
use crate::history::log::Happening;

impl Change {
    /// Adds an outbox entry for a public change, if the session has webhooks. `lease` names the node that will deliver
    /// it, if this one can, and until when others leave it alone.
    pub(crate) fn add_outbox_entry(&mut self, lease: Option<(u64, u64)>) {
        if !self.is_public() || self.status().webhooks.is_none() {
            return;
        }
        let entry = self.outbox_entry();
        let now_ms = entry.at_ms;
        if let Some(webhooks) = &mut self.status_mut().webhooks {
            webhooks.take(entry);
            let lease = lease.map(|(holder, until_ms)| Lease { holder, until_ms });
            if webhooks.due(now_ms).next().is_some() && !webhooks.is_leased(now_ms) {
                webhooks.lease = lease;
            }
        }
    }

    fn outbox_entry(&self) -> OutboxEntry {
        let stage = self.status().stage;
        let was = self.before().status.stage;
        OutboxEntry {
            version: self.before().version().saturating_add(1),
            at_ms: self.entry().at_ms,
            stage,
            started: was == Stage::Waiting && stage != Stage::Waiting,
            finished: was != Stage::Finished && stage == Stage::Finished,
            owed_by: self.newly_owed_by(),
            after: self.entry().after.clone(),
            trace: crate::trace::current(),
        }
    }

    /// Returns the seats of people and external programs that owe a decision which is new to their players.
    fn newly_owed_by(&self) -> Vec<u8> {
        let owing = |play: Option<&crate::Play>| {
            play.map_or_else(Vec::new, |play| play.owing(self.program(), None))
        };
        let before = owing(self.before().play.as_deref());
        let moves = &self.entry().moves;
        let is_new = |seat: &u8| {
            let is_person = matches!(self.status().seat(*seat), Some(Seat::Taken { .. }));
            let has_moved = moves.iter().any(|made| made.seat == *seat);
            is_person && (!before.contains(seat) || has_moved || self.turns_to(*seat))
        };
        owing(self.play()).into_iter().filter(is_new).collect()
    }

    /// Returns whether the decision is new because the player changed or moves were undone.
    fn turns_to(&self, seat: u8) -> bool {
        self.entry()
            .happenings
            .iter()
            .any(|happening| match happening {
                Happening::SeatTaken { seat: taken, .. } => *taken == seat,
                Happening::Undone { .. } => true,
                _ => false,
            })
    }
}

impl Webhooks {
    fn is_leased(&self, now_ms: u64) -> bool {
        self.lease.is_some_and(|lease| lease.until_ms > now_ms)
    }

    fn take(&mut self, entry: OutboxEntry) {
        if !self.all.iter().any(|webhook| webhook.wants(&entry)) {
            return;
        }
        if self.outbox.len() >= OUTBOX_MAX {
            self.drop_oldest();
        }
        for webhook in &mut self.all {
            if webhook.wants(&entry) && webhook.next_at_ms.is_none() {
                webhook.next_at_ms = Some(entry.at_ms);
            }
        }
        self.outbox.push(entry);
    }

    /// Drops the oldest entry when there are too many. Webhooks that have not received it count it as missed.
    fn drop_oldest(&mut self) {
        let oldest = self.outbox.remove(0);
        for webhook in &mut self.all {
            if webhook.awaits(&oldest) {
                webhook.missed = webhook.missed.saturating_add(1);
                (webhook.delivered_version, webhook.part) = (oldest.version, 0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Webhook, WebhookEvent};
    use super::*;

    fn webhook(events: &[WebhookEvent]) -> Webhook {
        Webhook {
            id: "a".into(),
            url: String::new(),
            events: events.to_vec(),
            created_at_ms: 0,
            secret_number: 1,
            previous_until_ms: None,
            disabled: None,
            delivered_version: 0,
            part: 0,
            next_at_ms: None,
            attempts: 0,
            failing_since_ms: None,
            missed: 0,
            deliveries: Default::default(),
        }
    }

    fn entry(version: u64) -> OutboxEntry {
        OutboxEntry {
            version,
            at_ms: version * 10,
            stage: Stage::Running,
            started: false,
            finished: false,
            owed_by: Vec::new(),
            after: None,
            trace: None,
        }
    }

    #[test]
    fn what_nobody_wants_is_not_noted() {
        let mut webhooks = Webhooks {
            all: vec![webhook(&[WebhookEvent::Finished])],
            ..Webhooks::default()
        };
        webhooks.take(entry(1));
        assert!(webhooks.outbox.is_empty());
        assert_eq!(webhooks.due_at_ms(), None);
        let finished = true;
        webhooks.take(OutboxEntry {
            finished,
            ..entry(2)
        });
        assert_eq!(webhooks.due_at_ms(), Some(20));
        assert_eq!(webhooks.waiting(&webhooks.all[0]), 1);
    }

    #[test]
    fn of_too_many_the_oldest_are_counted_and_dropped() {
        let mut webhooks = Webhooks {
            all: vec![webhook(&[WebhookEvent::Changed])],
            ..Webhooks::default()
        };
        for version in 1..=OUTBOX_MAX as u64 + 3 {
            webhooks.take(entry(version));
        }
        assert_eq!(webhooks.outbox.len(), OUTBOX_MAX);
        assert_eq!(webhooks.all[0].missed, 3);
        assert_eq!(webhooks.waiting(&webhooks.all[0]), OUTBOX_MAX);
        assert_eq!(webhooks.due_at_ms(), Some(10));
    }
}
