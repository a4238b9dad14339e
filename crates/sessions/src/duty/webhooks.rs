//! Webhook delivery: immediately by the node that wrote the change, or by any node that finds a pending delivery.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::time::Instant;

use crate::Refusal;
use crate::changing::call::Answered;
use crate::changing::pending::PendingChange;
use crate::content::live::Live;
use crate::content::outbox::{Lease, OutboxEntry};
use crate::content::webhook::{DeliveryOutcome, Webhook};
use crate::service::{Service, bot};
use crate::storing::players::ProfileWebhook;
use crate::webhook::deliverer::Deliverer;
use crate::webhook::message::Message;
use crate::webhook::secrets::WebhookSecrets;
use crate::webhook::settling::WebhookAttempt;
use wyrmgate_runtime::surroundings::now_ms;

/// Time after which a round starts no further message. An attempt takes some seconds itself, and the lease must last
/// until the result is written.
const ROUND: Duration = Duration::from_secs(3);
/// Maximum number of messages of one webhook in a round.
const ROUND_MESSAGES: usize = 16;

impl Service {
    /// Returns the next session with due webhooks. For one reader, which then calls [`Service::deliver`].
    pub async fn next_for_webhooks(&self) -> Option<Arc<str>> {
        self.deliverer.as_ref()?.queue.next().await
    }

    /// Calls the webhooks of a session until none is due. If several nodes or tasks try, one of them does it.
    pub async fn deliver(&self, id: &str) -> Result<(), Refusal> {
        let Some(deliverer) = &self.deliverer else {
            return Ok(());
        };
        let slot = self.cache.slot(&id.into());
        let errand = &slot.delivering;
        errand
            .run(async || self.deliver_all(deliverer, id).await)
            .await
    }

    async fn deliver_all(&self, deliverer: &Deliverer, id: &str) -> Result<(), Refusal> {
        loop {
            // Taken again in each round, so that a session with many messages does not hold up others.
            let _turn = deliverer.sessions.acquire().await;
            let Some(live) = self.take_on(deliverer, id).await? else {
                return Ok(());
            };
            let secrets = self.webhook_secrets(id).await?;
            let Some(webhooks) = &live.status.webhooks else {
                return Ok(());
            };
            if webhooks.due(now_ms()).any(Webhook::is_push) {
                self.server_key().await?;
            }
            let due = webhooks.due(now_ms());
            let rounds = due
                .map(|webhook| self.round(deliverer, &live, webhook, &webhooks.outbox, &secrets));
            let rounds = join_all(rounds).await;
            self.settle(deliverer, id, &rounds).await?;
            for webhook in webhooks.all.iter().filter(|webhook| webhook.is_push()) {
                let of_it =
                    |round: &&WebhookAttempt| round.webhook == webhook.id && round.is_gone();
                if let (Some(player), Some(_)) = (webhook.player(), rounds.iter().find(of_it)) {
                    let is_it = |known: &ProfileWebhook| known.id == webhook.id;
                    self.remove_browsers(player, &is_it).await?;
                }
            }
        }
    }

    /// Returns the session if something is due and this node has obtained the lease.
    async fn take_on(&self, deliverer: &Deliverer, id: &str) -> Result<Option<Arc<Live>>, Refusal> {
        let live = self.load(id).await?;
        let now = now_ms();
        let Some(webhooks) = &live.status.webhooks else {
            return Ok(None);
        };
        if webhooks.due(now).next().is_none() {
            return Ok(None);
        }
        // The lease must last for a round.
        let enough = now.saturating_add(deliverer.schedule.lease_ms / 3 * 2);
        if deliverer.holds(webhooks, enough) {
            return Ok(Some(live));
        }
        let lease = |mut change: PendingChange| {
            let now = change.entry.at_ms;
            let lease = deliverer.lease(now);
            change.with_webhooks(|webhooks| {
                let is_others = |of: &Lease| of.until_ms > now && of.holder != lease.holder;
                let is_free = !webhooks.lease.as_ref().is_some_and(is_others);
                if is_free && webhooks.due(now).next().is_some() {
                    webhooks.lease = Some(lease);
                    return true;
                }
                false
            });
            Ok(change)
        };
        let Answered::Fresh(made) = self.write_own(id, &lease).await? else {
            return Ok(None);
        };
        let webhooks = made.live.status.webhooks.as_ref();
        let is_ours = webhooks.is_some_and(|webhooks| deliverer.holds(webhooks, enough));
        Ok(is_ours.then_some(made.live))
    }

    /// Delivers the pending messages of one webhook for a limited time.
    async fn round(
        &self,
        deliverer: &Deliverer,
        live: &Live,
        webhook: &Webhook,
        entries: &[OutboxEntry],
        secrets: &WebhookSecrets,
    ) -> WebhookAttempt {
        let began = Instant::now();
        let mut going = webhook.clone();
        let mut tried = WebhookAttempt::nothing_yet(webhook);
        'entries: for entry in entries {
            while let Some((_, event)) = going.next_of(entry) {
                if !tried.deliveries.is_empty() && !self.still_wants(live, webhook).await {
                    break 'entries;
                }
                let message = Message::of(live, webhook, entry, event, &deliverer.base_url);
                let message = message.inspect_err(|broken| {
                    tracing::error!(session = %live.id, %broken, "a webhook message cannot be written");
                });
                let Ok(message) = message else {
                    break 'entries;
                };
                let delivered = self.deliver_one(deliverer, webhook, message, secrets, &mut tried);
                if !delivered.await {
                    break 'entries;
                }
                going.advance(entry);
                tried.progress.push(going.progress(entry));
                if began.elapsed() >= ROUND || tried.deliveries.len() >= ROUND_MESSAGES {
                    break 'entries;
                }
            }
            if going.awaits(entry) {
                going.pass(entry);
                tried.progress.push(going.progress(entry));
            }
        }
        tried.ended_ms = now_ms();
        tried
    }

    /// Makes one attempt to deliver a message and records it. Returns whether the receiver has accepted the message.
    async fn deliver_one(
        &self,
        deliverer: &Deliverer,
        webhook: &Webhook,
        message: Message,
        secrets: &WebhookSecrets,
        tried: &mut WebhookAttempt,
    ) -> bool {
        // Only the first message of a round can have failed before.
        let attempt = match tried.deliveries.as_slice() {
            [] => webhook.attempt(),
            _ => 1,
        };
        let secrets = secrets.in_force(webhook, now_ms());
        let called = deliverer.call(&self.metrics, webhook, message, attempt, &secrets);
        let Some((delivery, retry_after_ms)) = called.await else {
            tried.is_put_off = true;
            return false;
        };
        let is_accepted = delivery.outcome == DeliveryOutcome::Delivered;
        tried.deliveries.push(delivery);
        if !is_accepted {
            tried.retry_after_ms = retry_after_ms;
        }
        is_accepted
    }

    /// Returns whether the owner has neither removed nor changed the webhook, nor removed the session, since the round
    /// began. Further messages would otherwise reach a receiver that must get none.
    async fn still_wants(&self, live: &Live, webhook: &Webhook) -> bool {
        let Ok(now) = self.load(&live.id).await else {
            return false;
        };
        let webhooks = now.status.webhooks.as_ref();
        let same = webhooks.and_then(|webhooks| webhooks.find(&webhook.id));
        same.is_some_and(|now| {
            (&now.url, &now.events, now.secret_number)
                == (&webhook.url, &webhook.events, webhook.secret_number)
        })
    }

    /// Writes the results of a round, and releases the lease if nothing more is due.
    async fn settle(
        &self,
        deliverer: &Deliverer,
        id: &str,
        rounds: &[WebhookAttempt],
    ) -> Result<(), Refusal> {
        let settle = |mut change: PendingChange| {
            let mut dice = bot()?;
            let now = change.entry.at_ms;
            change.with_webhooks(|webhooks| {
                webhooks.settle(rounds, &deliverer.schedule, &mut |below| dice.below(below));
                if webhooks.due(now_ms()).next().is_none() && deliverer.holds(webhooks, now) {
                    webhooks.lease = None;
                }
                true
            });
            Ok(change)
        };
        self.write_own(id, &settle).await.map(|_| ())
    }
}
