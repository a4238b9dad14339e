//! Webhooks: servers that the owner of a session has called when something happens in it.
//!
//! A public change leaves a *note* in the status of the session, in the same commit, for as long as some webhook is still
//! to be told of it; the session then stands in the index of webhooks. So nothing is lost when a node dies, and a session
//! without webhooks costs nothing. The node that has written the change delivers at once, on a *lease* written with it; if
//! it does not come back in time, any node that looks finds the session due and goes on. Each message has an id that
//! follows from what it tells, so whoever is told twice can tell.
//!
//! A message is thin: what anybody may know of the session, and where to look.

mod delivering;
mod managing;
mod message;
mod noting;
mod settling;

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

pub use delivering::{Posting, Schedule};
pub use managing::{WebhookOrder, WebhookSecrets};
pub use message::MessageId;

/// The most webhooks of a session.
pub const WEBHOOKS_MAX: usize = 5;
/// Changes that wait to be told, at most.
const NOTES_MAX: usize = 128;
/// Attempts that are remembered of a webhook.
const DELIVERIES_MAX: usize = 8;

/// What a webhook can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum WebhookEvent {
    /// The session has a new version.
    #[serde(rename = "session.changed")]
    Changed,
    /// Every seat is taken, and the game has begun.
    #[serde(rename = "session.started")]
    Started,
    /// The game is over.
    #[serde(rename = "session.finished")]
    Finished,
    /// Seats of people or programs owe a decision that they did not owe before.
    #[serde(rename = "decision.owed")]
    Owed,
    /// A test.
    #[serde(rename = "webhook.ping")]
    Ping,
}

/// The webhooks of a session, and what they are still to be told.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Webhooks {
    pub all: Vec<Webhook>,
    /// Oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notes: Vec<Note>,
    /// Somebody is at it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lease: Option<Lease>,
}

/// One server to be called.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Webhook {
    pub id: String,
    pub url: String,
    pub events: Vec<WebhookEvent>,
    pub created_at_ms: u64,
    /// How many secrets it has had.
    pub secret_number: u32,
    /// Until then messages are also signed with the secret before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_until_ms: Option<u64>,
    /// It is not called any more, since when and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disabled: Option<(u64, Disabled)>,
    /// It has been told of everything up to this version, …
    told: u64,
    /// … and so many messages of the next note.
    #[serde(default)]
    part: usize,
    /// When it is to be told what it has not been told; `None` if there is nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    next_at_ms: Option<u64>,
    /// Attempts at the present message.
    #[serde(default)]
    attempts: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failing_since_ms: Option<u64>,
    /// Changes that it has not been told of because too many waited.
    #[serde(default)]
    pub missed: u64,
    /// The latest attempts, oldest first.
    #[serde(default, skip_serializing_if = "VecDeque::is_empty")]
    pub deliveries: VecDeque<Delivery>,
}

/// Why a webhook is not called any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Disabled {
    /// The server has answered 410.
    Gone,
    /// It has failed for too long.
    Failing,
}

/// One attempt.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Delivery {
    pub message: MessageId,
    pub event: WebhookEvent,
    /// `None` of a test.
    pub version: Option<u64>,
    pub at_ms: u64,
    pub took_ms: u64,
    /// From 1.
    pub attempt: u32,
    pub outcome: Outcome,
    /// What the server has answered.
    pub status: Option<u16>,
}

/// How an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Answered with 2xx.
    Delivered,
    /// Answered with 3xx, which is not followed.
    Redirected,
    /// Answered with 410.
    Gone,
    /// Answered with something else.
    Rejected,
    /// The host has no address.
    Unresolved,
    /// It is not called from here: the address, the port, the scheme.
    Refused,
    /// Nobody took the connection.
    Unreachable,
    /// The server could not prove who it is.
    Untrusted,
    TimedOut,
    /// The answer was not HTTP.
    Broken,
}

/// A public change that some webhook is still to be told of.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Note {
    version: u64,
    at_ms: u64,
    stage: super::Stage,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    started: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    finished: bool,
    /// Seats that owe a decision with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    owed_by: Vec<u8>,
    /// The trace that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    trace: Option<String>,
}

/// A node has these webhooks to itself.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Lease {
    holder: u64,
    until_ms: u64,
}

impl WebhookEvent {
    pub fn name(self) -> &'static str {
        match self {
            WebhookEvent::Changed => "session.changed",
            WebhookEvent::Started => "session.started",
            WebhookEvent::Finished => "session.finished",
            WebhookEvent::Owed => "decision.owed",
            WebhookEvent::Ping => "webhook.ping",
        }
    }
}

impl Outcome {
    /// As the owner of the webhook is told. Whether a name does not exist, leads to an address that is not called, or to
    /// a server that does not answer, is for the operator alone: it would tell which names there are inside.
    pub fn told(self) -> &'static str {
        match self {
            Outcome::Unresolved | Outcome::Refused => Outcome::Unreachable.name(),
            other => other.name(),
        }
    }

    /// As the operator is told.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Delivered => "delivered",
            Outcome::Redirected => "redirected",
            Outcome::Gone => "gone",
            Outcome::Rejected => "rejected",
            Outcome::Unresolved => "unresolved",
            Outcome::Refused => "refused",
            Outcome::Unreachable => "unreachable",
            Outcome::Untrusted => "untrusted",
            Outcome::TimedOut => "timed-out",
            Outcome::Broken => "broken",
        }
    }
}

impl Note {
    /// What there is to tell of it, in order.
    fn events(&self) -> impl Iterator<Item = WebhookEvent> {
        let told = [
            (self.started, WebhookEvent::Started),
            (true, WebhookEvent::Changed),
            (!self.owed_by.is_empty(), WebhookEvent::Owed),
            (self.finished, WebhookEvent::Finished),
        ];
        told.into_iter()
            .filter_map(|(is, event)| is.then_some(event))
    }
}

impl Webhook {
    fn is_active(&self) -> bool {
        self.disabled.is_none()
    }

    fn wants(&self, note: &Note) -> bool {
        self.is_active() && note.events().any(|event| self.events.contains(&event))
    }

    /// It is still to be told of this.
    fn awaits(&self, note: &Note) -> bool {
        note.version > self.told && self.wants(note)
    }

    /// When it is called next.
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

    /// How many changes this one waits to be told of.
    pub fn waiting(&self, webhook: &Webhook) -> usize {
        let notes = self.notes.iter();
        notes.filter(|note| webhook.awaits(note)).count()
    }

    /// When somebody has to look: where the session stands in the index of webhooks.
    pub fn due_at_ms(&self) -> Option<u64> {
        let next = self.all.iter().filter_map(Webhook::next_at_ms).min()?;
        Some(self.lease.map_or(next, |lease| lease.until_ms.max(next)))
    }

    /// Those that are to be called now.
    fn due(&self, now_ms: u64) -> impl Iterator<Item = &Webhook> {
        let is_due = move |webhook: &&Webhook| webhook.next_at_ms().is_some_and(|at| at <= now_ms);
        self.all.iter().filter(is_due)
    }

    /// Forgets what nobody waits for.
    fn tidy(&mut self) {
        let all = &self.all;
        self.notes
            .retain(|note| all.iter().any(|webhook| webhook.awaits(note)));
    }
}
