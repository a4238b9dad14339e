//! The outbox of a session: the public changes that some webhook has not received yet.

use serde::{Deserialize, Serialize};

use crate::content::log::After;
use crate::content::stage::Stage;
use crate::content::webhook::{Webhook, WebhookEvent};

/// Maximum number of outbox entries.
const OUTBOX_MAX: usize = 128;

/// The webhooks of a session and their outbox.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Webhooks {
    pub all: Vec<Webhook>,
    /// The outbox, oldest entry first.
    #[serde(default, rename = "notes", skip_serializing_if = "Vec::is_empty")]
    pub(crate) outbox: Vec<OutboxEntry>,
    /// The lease of the node that delivers now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) lease: Option<Lease>,
}

/// An outbox entry: a public change that some webhook has not received yet.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct OutboxEntry {
    pub version: u64,
    pub at_ms: u64,
    pub stage: Stage,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub started: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub finished: bool,
    /// The seats that owe a new decision after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub owed_by: Vec<u8>,
    /// The state after it. `None` in entries of servers that did not note it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<After>,
    /// The trace that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
}

/// The exclusive right of a node to deliver these webhooks.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Lease {
    pub holder: u64,
    pub until_ms: u64,
}

impl OutboxEntry {
    /// Returns the events of the entry, in order.
    pub fn events(&self) -> impl Iterator<Item = WebhookEvent> {
        let events = [
            (self.started, WebhookEvent::Started),
            (true, WebhookEvent::Changed),
            (!self.owed_by.is_empty(), WebhookEvent::Owed),
            (self.finished, WebhookEvent::Finished),
        ];
        events
            .into_iter()
            .filter_map(|(is, event)| is.then_some(event))
    }
}

impl Webhook {
    pub(crate) fn wants(&self, entry: &OutboxEntry) -> bool {
        self.is_active() && self.events_of(entry).next().is_some()
    }

    /// Returns the events of an entry that it is to be told.
    pub(crate) fn events_of(&self, entry: &OutboxEntry) -> impl Iterator<Item = WebhookEvent> {
        let hook = self.addressee.player.as_ref();
        let is_meant = hook.is_none_or(|hook| {
            hook.seats.is_empty() || hook.seats.iter().any(|seat| entry.owed_by.contains(seat))
        });
        entry.events().filter(move |event| {
            self.events.contains(event) && (is_meant || *event != WebhookEvent::Owed)
        })
    }

    /// Returns whether this entry is still pending for the webhook.
    pub(crate) fn awaits(&self, entry: &OutboxEntry) -> bool {
        entry.version > self.delivered_version && self.wants(entry)
    }
}

impl Webhooks {
    pub fn find(&self, id: &str) -> Option<&Webhook> {
        self.all.iter().find(|webhook| webhook.id == id)
    }

    /// Returns the webhooks of the session itself, which its owner manages.
    pub fn owned(&self) -> impl Iterator<Item = &Webhook> {
        self.all.iter().filter(|webhook| webhook.player().is_none())
    }

    /// Returns the number of pending changes of this webhook.
    pub fn waiting(&self, webhook: &Webhook) -> usize {
        let entries = self.outbox.iter();
        entries.filter(|entry| webhook.awaits(entry)).count()
    }

    /// Returns when delivery is due, which is the session's position in the index of webhooks.
    pub fn due_at_ms(&self) -> Option<u64> {
        let next = self.all.iter().filter_map(Webhook::next_at_ms).min()?;
        Some(self.lease.map_or(next, |lease| lease.until_ms.max(next)))
    }

    /// Returns the webhooks with a due message.
    pub(crate) fn due(&self, now_ms: u64) -> impl Iterator<Item = &Webhook> {
        let is_due = move |webhook: &&Webhook| webhook.next_at_ms().is_some_and(|at| at <= now_ms);
        self.all.iter().filter(is_due)
    }

    /// Removes outbox entries that every webhook has received.
    pub(crate) fn tidy(&mut self) {
        let all = &self.all;
        self.outbox
            .retain(|entry| all.iter().any(|webhook| webhook.awaits(entry)));
    }

    pub(crate) fn is_leased(&self, now_ms: u64) -> bool {
        self.lease.is_some_and(|lease| lease.until_ms > now_ms)
    }

    pub(crate) fn take(&mut self, entry: OutboxEntry) {
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
    use super::*;

    fn webhook(events: &[WebhookEvent]) -> Webhook {
        Webhook {
            id: "a".into(),
            url: String::new(),
            events: events.to_vec(),
            addressee: Default::default(),
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
