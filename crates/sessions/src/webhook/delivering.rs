//! Webhook delivery: immediately by the node that wrote the change, or by any node that finds a pending delivery.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::sync::{Mutex, Semaphore, mpsc};
use tokio::time::Instant;

use super::message::Message;
use super::receivers::Receivers;
use super::{
    Delivery, Lease, OutboxEntry, Outcome, Webhook, WebhookEvent, WebhookSecrets, Webhooks,
};
use crate::Live;
use crate::Refusal;
use crate::access::token::{NoEntropy, entropy};
use crate::changing::pending::Change;
use crate::service::{Answered, Service, bot};
use crate::time::clock::now_ms;
use crate::webhook_sender::{Answer, Failure, SignedMessage, WebhookSender, signatures};

/// Maximum number of sessions queued on this node. Others are found through the index.
const WAITING_MAX: usize = 1_024;
/// Maximum number of sessions for which a node calls at the same time. One that waits for its turn has no lease yet.
const SESSIONS_MAX: usize = 64;
/// Time after which a round starts no further message. An attempt takes some seconds itself, and the lease must last
/// until the result is written.
const ROUND: Duration = Duration::from_secs(3);
/// Maximum number of messages of one webhook in a round.
const ROUND_MESSAGES: usize = 16;

/// Timing of retries and leases.
#[derive(Debug, Clone, Copy)]
pub struct Schedule {
    /// Delay between the first failure and the next attempt.
    pub retry_ms: u64,
    /// A webhook that has failed for this long is disabled.
    pub give_up_ms: u64,
    /// Duration of a lease. A node that writes nothing for this long is considered dead.
    pub lease_ms: u64,
}

impl Default for Schedule {
    fn default() -> Schedule {
        Schedule {
            retry_ms: 5_000,
            give_up_ms: 3 * 24 * 3_600_000,
            lease_ms: 15_000,
        }
    }
}

/// Everything that a node needs to deliver webhooks.
pub struct Deliverer {
    pub(super) sender: WebhookSender,
    schedule: Schedule,
    /// The public URL of this service without a trailing slash. Empty if links are relative.
    at: String,
    /// Identifies this node in leases.
    holder: u64,
    sessions: Semaphore,
    receivers: Receivers,
    queue: mpsc::Sender<Arc<str>>,
    queued: Mutex<mpsc::Receiver<Arc<str>>>,
}

/// The result of calling one webhook.
pub(super) struct Tried {
    pub webhook: String,
    pub url: String,
    pub events: Vec<WebhookEvent>,
    /// How much of each entry was delivered, in order.
    pub progress: Vec<Progress>,
    pub deliveries: Vec<Delivery>,
    pub retry_after_ms: Option<u64>,
    /// Whether the receiver was not called because too many others call it.
    pub is_put_off: bool,
    pub ended_ms: u64,
}

impl Tried {
    fn nothing_yet(webhook: &Webhook) -> Tried {
        Tried {
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

/// How much of an outbox entry was delivered. The time is part of its identity, because a store that lost its last second may
/// assign the version again, to another entry.
pub(super) struct Progress {
    pub version: u64,
    pub at_ms: u64,
    /// Number of messages delivered. `None` if the rest of the entry needs no delivery.
    pub part: Option<usize>,
}

impl Deliverer {
    pub fn new(
        sender: WebhookSender,
        schedule: Schedule,
        public_url: Option<&str>,
    ) -> Result<Deliverer, NoEntropy> {
        let (queue, queued) = mpsc::channel(WAITING_MAX);
        Ok(Deliverer {
            sender,
            schedule,
            at: public_url
                .unwrap_or_default()
                .trim_end_matches('/')
                .to_owned(),
            holder: u64::from_le_bytes(entropy()?),
            sessions: Semaphore::new(SESSIONS_MAX),
            receivers: Receivers::default(),
            queue,
            queued: Mutex::new(queued),
        })
    }

    pub(crate) fn lease(&self, now_ms: u64) -> (u64, u64) {
        (self.holder, now_ms.saturating_add(self.schedule.lease_ms))
    }

    fn holds(&self, webhooks: &Webhooks, now_ms: u64) -> bool {
        let is_ours = |lease: &Lease| lease.holder == self.holder && lease.until_ms > now_ms;
        webhooks.lease.as_ref().is_some_and(is_ours)
    }
}

impl Service {
    /// Queues the session if a webhook has a due message.
    pub(crate) fn call_webhooks(&self, live: &Live) {
        let webhooks = live.status.webhooks.as_ref();
        let due = webhooks.and_then(|webhooks| webhooks.due(now_ms()).next());
        if let (Some(deliverer), Some(_)) = (&self.deliverer, due) {
            // If the queue is full, the session is found later through the index.
            let _ = deliverer.queue.try_send(live.id.clone());
        }
    }

    /// Returns the next session with due webhooks. For one reader, which then calls [`Service::deliver`].
    pub async fn next_for_webhooks(&self) -> Option<Arc<str>> {
        let deliverer = self.deliverer.as_ref()?;
        deliverer.queued.lock().await.recv().await
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
            let due = webhooks.due(now_ms());
            let rounds = due
                .map(|webhook| self.round(deliverer, &live, webhook, &webhooks.outbox, &secrets));
            let rounds = join_all(rounds).await;
            self.settle(deliverer, id, &rounds).await?;
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
        let lease = |mut change: Change| {
            let now = change.entry().at_ms;
            let (holder, until_ms) = deliverer.lease(now);
            change.with_webhooks(|webhooks| {
                let is_others = |lease: &Lease| lease.until_ms > now && lease.holder != holder;
                let is_free = !webhooks.lease.as_ref().is_some_and(is_others);
                if is_free && webhooks.due(now).next().is_some() {
                    webhooks.lease = Some(Lease { holder, until_ms });
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
    ) -> Tried {
        let began = Instant::now();
        let mut going = webhook.clone();
        let mut tried = Tried::nothing_yet(webhook);
        'entries: for entry in entries {
            while let Some((_, event)) = going.next_of(entry) {
                if !tried.deliveries.is_empty() && !self.still_wants(live, webhook).await {
                    break 'entries;
                }
                let message = Message::of(live, webhook, entry, event, &deliverer.at);
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
        tried: &mut Tried,
    ) -> bool {
        // Only the first message of a round can have failed before.
        let attempt = match tried.deliveries.as_slice() {
            [] => webhook.attempt(),
            _ => 1,
        };
        let called = self.call(deliverer, webhook, message, attempt, secrets);
        let Some((delivery, retry_after_ms)) = called.await else {
            tried.is_put_off = true;
            return false;
        };
        let is_accepted = delivery.outcome == Outcome::Delivered;
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

    /// Makes one attempt. Returns its result and the delay that the server requests, or `None` if the receiver is called
    /// too much already.
    pub(super) async fn call(
        &self,
        deliverer: &Deliverer,
        webhook: &Webhook,
        message: Message,
        attempt: u32,
        secrets: &WebhookSecrets,
    ) -> Option<(Delivery, Option<u64>)> {
        let target = deliverer.sender.policy().target(&webhook.url);
        let _turn = match &target {
            Ok(target) => Some(deliverer.receivers.turn(target.receiver()).await?),
            Err(_) => None,
        };
        let (at_ms, began) = (now_ms(), Instant::now());
        let seconds = at_ms / 1_000;
        let secrets = secrets.in_force(webhook, at_ms);
        let signed = SignedMessage {
            signatures: signatures(&secrets, &message.id.0, seconds, &message.body),
            id: message.id.0.clone(),
            seconds,
            body: message.body,
            traceparent: message.trace,
        };
        let answer = match target {
            Ok(target) => deliverer.sender.send(&target, signed).await,
            Err(_) => Err(Failure::Refused), // the operator allows less than before
        };
        let outcome = Outcome::of(answer);
        self.metrics.called_webhook(outcome.name());
        if outcome != Outcome::Delivered {
            tracing::info!(
                webhook = webhook.id,
                outcome = outcome.name(),
                attempt,
                "webhook delivery failed"
            );
        }
        let delivery = Delivery {
            message: message.id,
            event: message.event,
            version: message.version,
            at_ms,
            took_ms: u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
            attempt,
            outcome,
            status: answer.ok().map(|answer| answer.status),
        };
        let retry_after = answer.ok().and_then(|answer| answer.retry_after);
        let retry_after = retry_after.and_then(|wait| u64::try_from(wait.as_millis()).ok());
        Some((delivery, retry_after))
    }

    /// Writes the results of a round, and releases the lease if nothing more is due.
    async fn settle(
        &self,
        deliverer: &Deliverer,
        id: &str,
        rounds: &[Tried],
    ) -> Result<(), Refusal> {
        let settle = |mut change: Change| {
            let mut dice = bot()?;
            let now = change.entry().at_ms;
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

    /// Sends a test message, even if the webhook is disabled.
    pub(super) async fn ping(
        &self,
        deliverer: &Deliverer,
        live: &Live,
        webhook: &Webhook,
    ) -> Result<Delivery, Refusal> {
        let secrets = self.webhook_secrets(&live.id).await?;
        let message = Message::ping(live, webhook, now_ms(), &deliverer.at)?;
        let called = self.call(deliverer, webhook, message, 1, &secrets).await;
        called
            .map(|(delivery, _)| delivery)
            .ok_or(Refusal::Overloaded)
    }
}

impl Outcome {
    fn of(answer: Result<Answer, Failure>) -> Outcome {
        match answer {
            Ok(Answer { status, .. }) => match status {
                200..=299 => Outcome::Delivered,
                300..=399 => Outcome::Redirected,
                410 => Outcome::Gone,
                _ => Outcome::Rejected,
            },
            Err(Failure::Unresolved) => Outcome::Unresolved,
            Err(Failure::Refused) => Outcome::Refused,
            Err(Failure::Unreachable) => Outcome::Unreachable,
            Err(Failure::Untrusted) => Outcome::Untrusted,
            Err(Failure::TimedOut) => Outcome::TimedOut,
            Err(Failure::Broken) => Outcome::Broken,
        }
    }
}
