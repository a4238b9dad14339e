//! Adds outbox entries for webhooks to the commit of a change.

use super::{Lease, NOTES_MAX, Note, Webhooks};
use crate::session::change::Change;
use crate::session::log::Happening;
use crate::session::status::{Seat, Stage};

impl Change {
    /// Adds an outbox entry for a public change, if the session has webhooks. `lease` names the node that will deliver
    /// it, if this one can, and until when others leave it alone.
    pub(in crate::session) fn note_for_webhooks(&mut self, lease: Option<(u64, u64)>) {
        if !self.is_public() || self.status().webhooks.is_none() {
            return;
        }
        let note = self.note();
        let now_ms = note.at_ms;
        if let Some(webhooks) = &mut self.status_mut().webhooks {
            webhooks.take(note);
            let lease = lease.map(|(holder, until_ms)| Lease { holder, until_ms });
            if webhooks.due(now_ms).next().is_some() && !webhooks.is_leased(now_ms) {
                webhooks.lease = lease;
            }
        }
    }

    fn note(&self) -> Note {
        let stage = self.status().stage;
        let was = self.before().status.stage;
        Note {
            version: self.before().version().saturating_add(1),
            at_ms: self.entry().at_ms,
            stage,
            started: was == Stage::Waiting && stage != Stage::Waiting,
            finished: was != Stage::Finished && stage == Stage::Finished,
            owed_by: self.newly_owed_by(),
            trace: crate::trace::current(),
        }
    }

    /// Returns the seats of people and external programs that owe a decision which is new to their players.
    fn newly_owed_by(&self) -> Vec<u8> {
        let owing = |play: Option<&crate::session::Play>| {
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

    fn take(&mut self, note: Note) {
        if !self.all.iter().any(|webhook| webhook.wants(&note)) {
            return;
        }
        if self.notes.len() >= NOTES_MAX {
            self.drop_oldest();
        }
        for webhook in &mut self.all {
            if webhook.wants(&note) && webhook.next_at_ms.is_none() {
                webhook.next_at_ms = Some(note.at_ms);
            }
        }
        self.notes.push(note);
    }

    /// Drops the oldest entry when there are too many. Webhooks that have not received it count it as missed.
    fn drop_oldest(&mut self) {
        let oldest = self.notes.remove(0);
        for webhook in &mut self.all {
            if webhook.awaits(&oldest) {
                webhook.missed = webhook.missed.saturating_add(1);
                (webhook.told, webhook.part) = (oldest.version, 0);
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
            told: 0,
            part: 0,
            next_at_ms: None,
            attempts: 0,
            failing_since_ms: None,
            missed: 0,
            deliveries: Default::default(),
        }
    }

    fn note(version: u64) -> Note {
        Note {
            version,
            at_ms: version * 10,
            stage: Stage::Running,
            started: false,
            finished: false,
            owed_by: Vec::new(),
            trace: None,
        }
    }

    #[test]
    fn what_nobody_wants_is_not_noted() {
        let mut webhooks = Webhooks {
            all: vec![webhook(&[WebhookEvent::Finished])],
            ..Webhooks::default()
        };
        webhooks.take(note(1));
        assert!(webhooks.notes.is_empty());
        assert_eq!(webhooks.due_at_ms(), None);
        let finished = true;
        webhooks.take(Note {
            finished,
            ..note(2)
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
        for version in 1..=NOTES_MAX as u64 + 3 {
            webhooks.take(note(version));
        }
        assert_eq!(webhooks.notes.len(), NOTES_MAX);
        assert_eq!(webhooks.all[0].missed, 3);
        assert_eq!(webhooks.waiting(&webhooks.all[0]), NOTES_MAX);
        assert_eq!(webhooks.due_at_ms(), Some(10));
    }
}
