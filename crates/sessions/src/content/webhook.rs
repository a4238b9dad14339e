//! A webhook: a server that the owner of a session wants to be notified, and what was delivered to it.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::access::player::PlayerId;
use crate::webhook_sender::BrowserKeys;
use wyrmgate_base::hex;

/// Maximum number of webhooks of a session.
pub const WEBHOOKS_MAX: usize = 5;
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
        /// Games wait for a player. Only the daily message says so.
        #[serde(rename = "games.waiting")]
        Waiting = "games.waiting",
        /// A test message.
        #[serde(rename = "webhook.ping")]
        Ping = "webhook.ping",
    }
}

/// How the messages of a webhook look.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum WebhookFormat {
    /// JSON for programs.
    #[default]
    Json,
    /// A sentence for a channel of Discord.
    Discord,
    /// A sentence for a channel of Slack.
    Slack,
    /// A sentence for a bot of Telegram, whose address ends in `/sendMessage?chat_id=…`.
    Telegram,
}

/// The settings of a webhook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebhookOrder {
    pub url: String,
    pub events: Vec<WebhookEvent>,
    #[serde(default)]
    pub format: WebhookFormat,
}

/// For whom a webhook is, and how its messages look.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Addressee {
    pub format: WebhookFormat,
    /// Set if the webhook is not the session's, but that of a player or of the holder of an operator key.
    pub player: Option<PlayerHook>,
    /// The keys of a browser, if the messages go to its push service.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub push: Option<BrowserKeys>,
}

/// The webhook of a player in one of its sessions.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PlayerHook {
    pub player: PlayerId,
    /// The seats of the player: others do not matter for `decision.owed`. Empty for the holder of a key, to whom all matter.
    pub seats: Vec<u8>,
    /// Signs the messages, in all sessions of the player.
    #[serde(with = "hex")]
    pub secret: [u8; 32],
}

impl Addressee {
    fn is_usual(&self) -> bool {
        self.format == WebhookFormat::Json && self.player.is_none() && self.push.is_none()
    }
}

/// A webhook.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Webhook {
    pub id: String,
    pub url: String,
    pub events: Vec<WebhookEvent>,
    #[serde(default, skip_serializing_if = "Addressee::is_usual")]
    pub addressee: Addressee,
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
    pub(crate) delivered_version: u64,
    /// Number of messages already delivered of the next outbox entry.
    #[serde(default)]
    pub(crate) part: usize,
    /// The time at which the next message is due. `None` if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) next_at_ms: Option<u64>,
    /// Number of attempts at the current message.
    #[serde(default)]
    pub(crate) attempts: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) failing_since_ms: Option<u64>,
    /// Number of changes dropped because too many were pending.
    #[serde(default)]
    pub missed: u64,
    /// The latest attempts, oldest first.
    #[serde(default, skip_serializing_if = "VecDeque::is_empty")]
    pub deliveries: VecDeque<Delivery>,
}

/// The id of a message: the same in every attempt on every node, and different from all others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MessageId(pub String);

// Why a webhook is disabled. Clients read this at the member that has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = WebhookReason)]
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
    pub outcome: DeliveryOutcome,
    /// The status code of the response.
    pub status: Option<u16>,
}

wyrmgate_base::named_enum! {
    /// The result of an attempt.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum DeliveryOutcome {
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

impl DeliveryOutcome {
    /// Returns the name that the owner of the webhook sees. Whether a name does not exist, resolves to a forbidden
    /// address or belongs to a silent server is visible only to the operator, because it would reveal internal host
    /// names.
    pub fn public_name(self) -> &'static str {
        match self {
            DeliveryOutcome::Unresolved | DeliveryOutcome::Refused => {
                DeliveryOutcome::Unreachable.name()
            }
            other => other.name(),
        }
    }
}

impl Webhook {
    pub(crate) fn is_active(&self) -> bool {
        self.disabled.is_none()
    }

    /// Returns when the next message is due.
    pub fn next_at_ms(&self) -> Option<u64> {
        self.next_at_ms.filter(|_| self.is_active())
    }

    /// Returns the player whose webhook it is, if it is not the session's.
    pub fn player(&self) -> Option<PlayerId> {
        self.addressee.player.as_ref().map(|hook| hook.player)
    }

    /// Returns whether it tells a browser.
    pub(crate) fn is_push(&self) -> bool {
        self.addressee.push.is_some()
    }

    /// Returns whether it tells of the seats of one player alone.
    pub(crate) fn is_for_seats(&self) -> bool {
        let hook = self.addressee.player.as_ref();
        hook.is_some_and(|hook| !hook.seats.is_empty())
    }

    pub fn remember(&mut self, delivery: Delivery) {
        if self.deliveries.len() >= DELIVERIES_MAX {
            self.deliveries.pop_front();
        }
        self.deliveries.push_back(delivery);
    }
}
