//! The messages of webhooks. The session writes them itself; a test validates real ones against this description.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::session::terms::Deadline;
use wyrmgate_sessions::{Stage, WebhookEvent};

/// An event that a webhook can subscribe to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, ToSchema)]
#[schema(as = WebhookEvent)]
pub enum EventName {
    /// Every seat is taken, and the game has begun.
    #[serde(rename = "session.started")]
    Started,
    /// The session has a new version.
    #[serde(rename = "session.changed")]
    Changed,
    /// Seats of people or external programs owe a new decision.
    #[serde(rename = "decision.owed")]
    Owed,
    /// The game is over.
    #[serde(rename = "session.finished")]
    Finished,
}

/// A message of a webhook.
#[derive(Serialize, ToSchema)]
pub struct WebhookMessage {
    /// One of the webhook's events, or `webhook.ping`.
    #[schema(example = "decision.owed")]
    r#type: String,
    /// The time of the event.
    #[schema(format = DateTime)]
    timestamp: String,
    data: WebhookData,
}

/// Content of a message. It contains only information that is public to everyone who knows the session.
#[derive(Serialize, ToSchema)]
pub struct WebhookData {
    /// The id of the session.
    session: String,
    game: String,
    variant: Option<String>,
    /// The version that the message is about.
    #[schema(minimum = 0)]
    version: u64,
    status: Stage,
    /// For `decision.owed`: the seats that owe a new decision since this version.
    #[schema(min_items = 1)]
    seats: Option<Vec<u8>>,
    /// The seats that owe a decision since this version. Absent in a ping.
    owing: Option<Vec<u8>>,
    /// When these seats run out of time, if the session has a clock. Absent in a ping.
    deadlines: Option<Vec<Deadline>>,
    /// Link to the session. Relative, unless the operator has configured the public address of the server.
    #[schema(format = "uri-reference")]
    url: String,
}

impl EventName {
    pub fn event(self) -> WebhookEvent {
        match self {
            EventName::Changed => WebhookEvent::Changed,
            EventName::Started => WebhookEvent::Started,
            EventName::Finished => WebhookEvent::Finished,
            EventName::Owed => WebhookEvent::Owed,
        }
    }

    /// Returns `None` for a ping.
    pub fn of(event: WebhookEvent) -> Option<EventName> {
        match event {
            WebhookEvent::Changed => Some(EventName::Changed),
            WebhookEvent::Started => Some(EventName::Started),
            WebhookEvent::Finished => Some(EventName::Finished),
            WebhookEvent::Owed => Some(EventName::Owed),
            WebhookEvent::Ping => None,
        }
    }
}
