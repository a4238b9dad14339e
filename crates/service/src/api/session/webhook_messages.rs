//! The events that a webhook can subscribe to.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use wyrmgate_sessions::WebhookEvent;

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
            WebhookEvent::Waiting | WebhookEvent::Ping => None,
        }
    }
}
