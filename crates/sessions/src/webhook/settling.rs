//! Updates a webhook after an attempt.

use crate::content::outbox::{OutboxEntry, Webhooks};
use crate::content::webhook::{
    Delivery, DeliveryOutcome, Disabled, Webhook, WebhookEvent, WebhookOrder,
};
use crate::webhook::schedule::Schedule;

/// If the receiver already has its maximum of concurrent calls, the webhook waits as long as after this many failures.
const PUT_OFF: u32 = 2;

/// The result of calling one webhook.
pub(crate) struct WebhookAttempt {
    pub webhook: String,
    pub url: String,
    pub events: Vec<WebhookEvent>,
    /// How much of each entry was delivered, in order.
    pub progress: Vec<DeliveryProgress>,
    pub deliveries: Vec<Delivery>,
    pub retry_after_ms: Option<u64>,
    /// Whether the receiver was not called because too many others call it.
    pub is_put_off: bool,
    pub ended_ms: u64,
}

/// How much of an outbox entry was delivered. The time is part of its identity, because a store that lost its last second may
/// assign the version again, to another entry.
pub(crate) struct DeliveryProgress {
    pub version: u64,
    pub at_ms: u64,
    /// Number of messages delivered. `None` if the rest of the entry needs no delivery.
    pub part: Option<usize>,
}

impl WebhookAttempt {
    /// Returns whether the receiver wants nothing more.
    pub fn is_gone(&self) -> bool {
        let last = self.deliveries.last();
        last.is_some_and(|delivery| delivery.outcome == DeliveryOutcome::Gone)
    }

    pub fn nothing_yet(webhook: &Webhook) -> WebhookAttempt {
        WebhookAttempt {
            webhook: webhook.id.clone(),
            url: webhook.url.clone(),
            events: webhook.events.clone(),
            progress: Vec::new(),
            deliveries: Vec::new(),
            retry_after_ms: None,
            is_put_off: false,
            ended_ms: 0,
        }
    }
}

impl Webhook {
    /// Returns the next message of an entry for this webhook, and how many were already delivered.
    pub(crate) fn next_of(&self, entry: &OutboxEntry) -> Option<(usize, WebhookEvent)> {
        if !self.awaits(entry) {
            return None;
        }
        Some((self.part, self.events_of(entry).nth(self.part)?))
    }

    /// Records that one message of an entry was delivered.
    pub(crate) fn advance(&mut self, entry: &OutboxEntry) {
        self.part += 1;
        if self.next_of(entry).is_none() {
            (self.delivered_version, self.part) = (entry.version, 0);
        }
    }

    /// Records that an entry needs no further delivery.
    pub(crate) fn pass(&mut self, entry: &OutboxEntry) {
        if self.awaits(entry) {
            (self.delivered_version, self.part) = (entry.version, 0);
        }
    }

    pub(crate) fn progress(&self, entry: &OutboxEntry) -> DeliveryProgress {
        DeliveryProgress {
            version: entry.version,
            at_ms: entry.at_ms,
            part: self.awaits(entry).then_some(self.part),
        }
    }

    /// Records how far an entry was told.
    fn proceed(&mut self, entry: &OutboxEntry, progress: &DeliveryProgress) {
        match progress.part {
            Some(part) if self.awaits(entry) => self.part = part,
            Some(_) => {}
            None => self.pass(entry),
        }
    }

    fn fail(
        &mut self,
        tried: &WebhookAttempt,
        schedule: &Schedule,
        dice: &mut dyn FnMut(u64) -> u64,
    ) {
        let now = tried.ended_ms;
        self.attempts = self.attempts.saturating_add(1);
        let since = *self.failing_since_ms.get_or_insert(now);
        if now.saturating_sub(since) >= schedule.give_up_ms {
            self.disabled = Some((now, Disabled::Failing));
        }
        let wait = schedule.wait_ms(self.attempts, dice);
        let wait = tried.retry_after_ms.map_or(wait, |asked| wait.max(asked));
        self.next_at_ms = Some(now.saturating_add(wait));
    }

    fn recover(&mut self) {
        self.attempts = 0;
        self.failing_since_ms = None;
    }

    /// Changes the address and the events. Enables a disabled webhook again for events after this version.
    pub(crate) fn become_as(&mut self, order: &WebhookOrder, version: u64, now_ms: u64) {
        if self.disabled.take().is_some() {
            (self.delivered_version, self.next_at_ms) = (version, None);
        }
        self.recover();
        self.url.clone_from(&order.url);
        self.events.clone_from(&order.events);
        self.addressee.format = order.format;
        self.part = 0;
        self.call_soon(now_ms);
    }

    /// Makes pending messages due now.
    pub(crate) fn call_soon(&mut self, now_ms: u64) {
        if self.next_at_ms.is_some() {
            self.next_at_ms = Some(now_ms);
        }
    }

    pub(crate) fn attempt(&self) -> u32 {
        self.attempts.saturating_add(1)
    }

    /// Returns the number of consecutive failures.
    pub fn failures(&self) -> u32 {
        self.attempts
    }
}

impl Webhooks {
    /// Records the results of a round. A webhook that was changed in the meantime keeps its own state.
    pub(crate) fn settle(
        &mut self,
        rounds: &[WebhookAttempt],
        schedule: &Schedule,
        dice: &mut dyn FnMut(u64) -> u64,
    ) {
        for tried in rounds {
            let is_same = |webhook: &&mut Webhook| {
                (&webhook.id, &webhook.url, &webhook.events)
                    == (&tried.webhook, &tried.url, &tried.events)
            };
            let Some(webhook) = self.all.iter_mut().find(is_same) else {
                continue;
            };
            if !webhook.is_active() {
                continue;
            }
            tried
                .deliveries
                .iter()
                .cloned()
                .for_each(|delivery| webhook.remember(delivery));
            for progress in &tried.progress {
                let told = |entry: &&OutboxEntry| {
                    (entry.version, entry.at_ms) == (progress.version, progress.at_ms)
                };
                if let Some(entry) = self.outbox.iter().find(told) {
                    webhook.proceed(entry, progress);
                }
            }
            if !tried.progress.is_empty() {
                webhook.recover();
            }
            match tried.deliveries.last().map(|delivery| delivery.outcome) {
                // Other senders to the same receiver are not its failures.
                None if tried.is_put_off => {
                    let wait = schedule.wait_ms(PUT_OFF, dice);
                    webhook.next_at_ms = Some(tried.ended_ms.saturating_add(wait));
                }
                None | Some(DeliveryOutcome::Delivered) => {
                    let more = self.outbox.iter().any(|entry| webhook.awaits(entry));
                    webhook.next_at_ms = more.then_some(tried.ended_ms);
                }
                Some(DeliveryOutcome::Gone) => {
                    webhook.disabled = Some((tried.ended_ms, Disabled::Gone));
                }
                Some(_) => webhook.fail(tried, schedule, dice),
            }
            if !webhook.is_active() {
                webhook.next_at_ms = None;
            }
        }
        self.tidy();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a session with one webhook that has received nothing, and these changes.
    fn waiting(changes: &[(u64, u64)]) -> Webhooks {
        let webhooks = serde_json::json!({
            "all": [{
                "id": "a", "url": "", "events": ["session.started", "session.changed"],
                "created_at_ms": 0, "secret_number": 1, "told": 0
            }],
            "notes": changes.iter().map(|(version, at_ms)| serde_json::json!({
                "version": version, "at_ms": at_ms, "stage": "running", "started": true, "finished": false,
            })).collect::<Vec<_>>(),
        });
        serde_json::from_value(webhooks).unwrap()
    }

    fn tried(version: u64, at_ms: u64, part: Option<usize>) -> WebhookAttempt {
        WebhookAttempt {
            webhook: "a".into(),
            url: String::new(),
            events: vec![WebhookEvent::Started, WebhookEvent::Changed],
            progress: vec![DeliveryProgress {
                version,
                at_ms,
                part,
            }],
            deliveries: Vec::new(),
            retry_after_ms: None,
            is_put_off: false,
            ended_ms: 1_000,
        }
    }

    #[test]
    fn a_version_that_the_store_forgot_and_gave_again_is_told_from_its_beginning() {
        let schedule = Schedule {
            retry_ms: 5_000,
            give_up_ms: 1,
            lease_ms: 1,
        };
        let settled = |progress: WebhookAttempt| {
            let mut webhooks = waiting(&[(3, 30), (4, 40)]);
            webhooks.settle(&[progress], &schedule, &mut |_| 0);
            let webhook = webhooks.all.first().unwrap();
            (webhook.delivered_version, webhook.part)
        };
        assert_eq!(settled(tried(3, 30, Some(1))), (0, 1));
        assert_eq!(settled(tried(3, 30, None)), (3, 0));
        for part in [Some(1), None] {
            assert_eq!(settled(tried(3, 29, part)), (0, 0));
        }
    }

    #[test]
    fn who_is_put_off_waits_and_has_not_failed() {
        let schedule = Schedule {
            retry_ms: 5_000,
            give_up_ms: 1,
            lease_ms: 1,
        };
        let mut webhooks = waiting(&[(3, 30)]);
        let put_off = WebhookAttempt {
            progress: Vec::new(),
            is_put_off: true,
            ..tried(3, 30, None)
        };
        webhooks.settle(&[put_off], &schedule, &mut |_| 0);
        let webhook = webhooks.all.first().unwrap();
        assert_eq!(webhook.next_at_ms, Some(1_000 + 12_000));
        assert_eq!((webhook.attempts, webhook.failing_since_ms), (0, None));
    }
}
