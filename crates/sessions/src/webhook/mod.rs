//! Webhooks: servers that the owner of a session wants to be notified.
//!
//! Delivery follows the outbox pattern. The commit of a public change adds an outbox entry to the status of
//! the session, which stays until every webhook has received it, and lists the session in the index of webhooks.
//! Nothing is lost when a node stops, and a session without webhooks costs nothing. The node that wrote the change
//! delivers at once under a *lease* that is part of the commit. If it does not finish in time, any other node finds the
//! session and continues. Message ids are derived from the content, so receivers can recognize duplicates.
//!
//! A message is thin: it contains public information and a link.

mod delivering;
mod managing;
mod message;
mod outbox;
mod receivers;
mod settling;

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::After;

pub use delivering::{Deliverer, Schedule};
pub use managing::{WebhookOrder, WebhookSecrets};
pub use message::MessageId;

/// Maximum number of webhooks of a session.
pub const WEBHOOKS_MAX: usize = 5;
/// Maximum number of outbox entries.
const OUTBOX_MAX: usize = 128;
/// Number of recorded attempts of a webhook.
const DELIVERIES_MAX: usize = 8;

wyrmgate_base::named_enum! {
    /// An event that a webhook can receive.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    pub enum WebhookEvent {
        /// The session has a new version.
        #[serde(rename = "session.changed")]
        Changed = "session.changed",
        /// Every seat is taken, and the game has begun.
        #[serde(rename = "session.started")]
        Started = "session.started",
        /// The game is over.
        #[serde(rename = "session.finished")]
        Finished = "session.finished",
        /// Seats of people or external programs owe a new decision.
        #[serde(rename = "decision.owed")]
        Owed = "decision.owed",
        /// A test message.
        #[serde(rename = "webhook.ping")]
        Ping = "webhook.ping",
    }
}

/// The webhooks of a session and their outbox.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Webhooks {
    pub all: Vec<Webhook>,
    /// The outbox, oldest entry first.
    #[serde(default, rename = "notes", skip_serializing_if = "Vec::is_empty")]
    outbox: Vec<OutboxEntry>,
    /// The lease of the node that delivers now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lease: Option<Lease>,
}

/// A webhook.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Webhook {
    pub id: String,
    pub url: String,
    pub events: Vec<WebhookEvent>,
    pub created_at_ms: u64,
    /// Number of secrets that it has had.
    pub secret_number: u32,
    /// Until then, messages are also signed with the previous secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_until_ms: Option<u64>,
    /// When and why it was disabled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disabled: Option<(u64, Disabled)>,
    /// The last version about which everything was delivered.
    #[serde(rename = "told")]
    delivered_version: u64,
    /// Number of messages already delivered of the next outbox entry.
    #[serde(default)]
    part: usize,
    /// The time at which the next message is due. `None` if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    next_at_ms: Option<u64>,
    /// Number of attempts at the current message.
    #[serde(default)]
    attempts: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failing_since_ms: Option<u64>,
    /// Number of changes dropped because too many were pending.
    #[serde(default)]
    pub missed: u64,
    /// The latest attempts, oldest first.
    #[serde(default, skip_serializing_if = "VecDeque::is_empty")]
    pub deliveries: VecDeque<Delivery>,
}

/// Why a webhook is disabled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Disabled {
    /// The server answered 410.
    Gone,
    /// It has failed for too long.
    Failing,
}

/// A delivery attempt.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Delivery {
    pub message: MessageId,
    pub event: WebhookEvent,
    /// `None` for a test message.
    pub version: Option<u64>,
    pub at_ms: u64,
    pub took_ms: u64,
    /// Number of the attempt, from 1.
    pub attempt: u32,
    pub outcome: Outcome,
    /// The status code of the response.
    pub status: Option<u16>,
}

wyrmgate_base::named_enum! {
    /// The result of an attempt.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Outcome {
        /// The server answered 2xx.
        Delivered = "delivered",
        /// The server answered 3xx, which is not followed.
        Redirected = "redirected",
        /// The server answered 410.
        Gone = "gone",
        /// The server answered another status.
        Rejected = "rejected",
        /// The host has no address.
        Unresolved = "unresolved",
        /// The policy forbids the address, the port or the scheme.
        Refused = "refused",
        /// The host refused the connection.
        Unreachable = "unreachable",
        /// The certificate of the server is invalid.
        Untrusted = "untrusted",
        TimedOut = "timed-out",
        /// The response was not HTTP.
        Broken = "broken",
    }
}

/// An outbox entry: a public change that some webhook has not received yet.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct OutboxEntry {
    version: u64,
    at_ms: u64,
    stage: crate::Stage,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    started: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    finished: bool,
    /// The seats that owe a new decision after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    owed_by: Vec<u8>,
    /// The state after it. `None` in entries of servers that did not note it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    after: Option<After>,
    /// The trace that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    trace: Option<String>,
}

/// The exclusive right of a node to deliver these webhooks.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Lease {
    holder: u64,
    until_ms: u64,
}

impl Outcome {
    /// Returns the name that the owner of the webhook sees. Whether a name does not exist, resolves to a forbidden
    /// address or belongs to a silent server is visible only to the operator, because it would reveal internal host
    /// names.
    pub fn public_name(self) -> &'static str {
        match self {
            Outcome::Unresolved | Outcome::Refused => Outcome::Unreachable.name(),
            other => other.name(),
        }
    }
}

impl OutboxEntry {
    /// Returns the events of the entry, in order.
    fn events(&self) -> impl Iterator<Item = WebhookEvent> {
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
    fn is_active(&self) -> bool {
        self.disabled.is_none()
    }

    fn wants(&self, entry: &OutboxEntry) -> bool {
        self.is_active() && entry.events().any(|event| self.events.contains(&event))
    }

    /// Returns whether this entry is still pending for the webhook.
    fn awaits(&self, entry: &OutboxEntry) -> bool {
        entry.version > self.delivered_version && self.wants(entry)
    }

    /// Returns when the next message is due.
    pub fn next_at_ms(&self) -> Option<u64> {
        self.next_at_ms.filter(|_| self.is_active())
    }

    pub fn remember(&mut self, delivery: Delivery) {
        if self.deliveries.len() >= DELIVERIES_MAX {
            self.deliveries.pop_front();
        }
        self.deliveries.push_back(delivery);
    }
}

impl Webhooks {
    pub fn find(&self, id: &str) -> Option<&Webhook> {
        self.all.iter().find(|webhook| webhook.id == id)
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
    fn due(&self, now_ms: u64) -> impl Iterator<Item = &Webhook> {
        let is_due = move |webhook: &&Webhook| webhook.next_at_ms().is_some_and(|at| at <= now_ms);
        self.all.iter().filter(is_due)
    }

    /// Removes outbox entries that every webhook has received.
    fn tidy(&mut self) {
        let all = &self.all;
        self.outbox
            .retain(|entry| all.iter().any(|webhook| webhook.awaits(entry)));
    }
}
