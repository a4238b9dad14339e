//! What a node needs to deliver webhooks, and one attempt to deliver a message.

use tokio::sync::{OnceCell, Semaphore};
use tokio::time::Instant;

use crate::access::token::{NoEntropy, entropy};
use crate::content::outbox::{Lease, Webhooks};
use crate::content::webhook::{Delivery, DeliveryOutcome, Webhook};
use crate::metrics::Metrics;
use crate::queue::SessionQueue;
use crate::webhook::message::Message;
use crate::webhook::receivers::Receivers;
use crate::webhook::schedule::Schedule;
use crate::webhook_sender::{
    BrowserKeys, SealedMessage, SendFailure, ServerKey, SignedMessage, SigningSecret, UnfitKeys,
    WebhookResponse, WebhookSender, WebhookTarget, signatures,
};
use wyrmgate_runtime::surroundings::now_ms;

/// Maximum number of sessions for which a node calls at the same time. One that waits for its turn has no lease yet.
const SESSIONS_MAX: usize = 64;

/// Everything that a node needs to deliver webhooks.
pub struct Deliverer {
    pub(crate) sender: WebhookSender,
    pub(crate) schedule: Schedule,
    /// The public URL of this service without a trailing slash. Empty if links are relative.
    pub(crate) base_url: String,
    /// Identifies this node in leases.
    holder: u64,
    pub(crate) sessions: Semaphore,
    receivers: Receivers,
    /// The sessions with due messages.
    pub(crate) queue: SessionQueue,
    /// By which push services recognize the server, once it is needed.
    pub(crate) server_key: OnceCell<ServerKey>,
}

impl Deliverer {
    pub fn new(
        sender: WebhookSender,
        schedule: Schedule,
        public_url: Option<&str>,
    ) -> Result<Deliverer, NoEntropy> {
        Ok(Deliverer {
            sender,
            schedule,
            base_url: public_url
                .unwrap_or_default()
                .trim_end_matches('/')
                .to_owned(),
            holder: u64::from_le_bytes(entropy()?),
            sessions: Semaphore::new(SESSIONS_MAX),
            receivers: Receivers::default(),
            queue: SessionQueue::default(),
            server_key: OnceCell::new(),
        })
    }

    pub(crate) fn lease(&self, now_ms: u64) -> Lease {
        Lease {
            holder: self.holder,
            until_ms: now_ms.saturating_add(self.schedule.lease_ms),
        }
    }

    pub(crate) fn holds(&self, webhooks: &Webhooks, now_ms: u64) -> bool {
        let is_ours = |lease: &Lease| lease.holder == self.holder && lease.until_ms > now_ms;
        webhooks.lease.as_ref().is_some_and(is_ours)
    }

    /// Makes one attempt. Returns its result and the delay that the server requests, or `None` if the receiver is called
    /// too much already.
    pub(crate) async fn call(
        &self,
        metrics: &Metrics,
        webhook: &Webhook,
        message: Message,
        attempt: u32,
        secrets: &[SigningSecret],
    ) -> Option<(Delivery, Option<u64>)> {
        let target = self.sender.policy().target(&webhook.url);
        let _turn = match &target {
            Ok(target) => Some(self.receivers.turn(target.receiver()).await?),
            Err(_) => None,
        };
        let (at_ms, began) = (now_ms(), Instant::now());
        let seconds = at_ms / 1_000;
        let signed = SignedMessage {
            signatures: signatures(secrets, &message.id.0, seconds, &message.body),
            id: message.id.0.clone(),
            seconds,
            body: message.body,
            traceparent: message.trace,
        };
        let answer = match (target, &webhook.addressee.push) {
            (Ok(target), Some(keys)) => self.push(&target, keys, &signed).await,
            (Ok(target), None) => self.sender.send(&target, signed).await,
            (Err(_), _) => Err(SendFailure::Refused), // the operator allows less than before
        };
        let outcome = match answer {
            // Push services say so of a browser that wants nothing more.
            Ok(answer) if answer.status == 404 && webhook.is_push() => DeliveryOutcome::Gone,
            answer => DeliveryOutcome::of(answer),
        };
        metrics.called_webhook(outcome.name());
        if outcome != DeliveryOutcome::Delivered {
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
}

impl Deliverer {
    /// Sends a message to a browser.
    async fn push(
        &self,
        target: &WebhookTarget,
        keys: &BrowserKeys,
        message: &SignedMessage,
    ) -> Result<WebhookResponse, SendFailure> {
        let key = self.server_key.get().ok_or(SendFailure::Broken)?;
        let unfit = |_: UnfitKeys| SendFailure::Broken;
        let (origin, contact) = (target.origin(), &self.base_url);
        let sealed = SealedMessage {
            body: keys.seal(&message.body).map_err(unfit)?,
            authorization: key
                .authorization(&origin, contact, message.seconds)
                .map_err(unfit)?,
        };
        self.sender.push(target, sealed).await
    }
}

impl DeliveryOutcome {
    fn of(answer: Result<WebhookResponse, SendFailure>) -> DeliveryOutcome {
        match answer {
            Ok(WebhookResponse { status, .. }) => match status {
                200..=299 => DeliveryOutcome::Delivered,
                300..=399 => DeliveryOutcome::Redirected,
                410 => DeliveryOutcome::Gone,
                _ => DeliveryOutcome::Rejected,
            },
            Err(SendFailure::Unresolved) => DeliveryOutcome::Unresolved,
            Err(SendFailure::Refused) => DeliveryOutcome::Refused,
            Err(SendFailure::Unreachable) => DeliveryOutcome::Unreachable,
            Err(SendFailure::Untrusted) => DeliveryOutcome::Untrusted,
            Err(SendFailure::TimedOut) => DeliveryOutcome::TimedOut,
            Err(SendFailure::Broken) => DeliveryOutcome::Broken,
        }
    }
}
