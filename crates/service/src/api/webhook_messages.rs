//! What webhooks are sent, for the `webhooks` of the OpenAPI document. The session writes these messages itself; a test fits
//! real ones to this description.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::sessions::SessionStatus;
use crate::session::WebhookEvent;

/// What a webhook can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, ToSchema)]
#[schema(as = WebhookEvent)]
pub enum EventName {
    /// Every seat is taken, and the game has begun.
    #[serde(rename = "session.started")]
    Started,
    /// The session has a new version.
    #[serde(rename = "session.changed")]
    Changed,
    /// Seats of people or programs owe a decision that they did not owe before.
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
    /// When it happened.
    #[schema(format = DateTime)]
    timestamp: String,
    data: WebhookData,
}

/// What everybody may know who knows of the session.
#[derive(Serialize, ToSchema)]
pub struct WebhookData {
    /// The id of the session.
    session: String,
    game: String,
    variant: Option<String>,
    /// The version that it is about.
    #[schema(minimum = 0)]
    version: u64,
    status: SessionStatus,
    /// Of `decision.owed`: the seats that owe one with this version.
    #[schema(min_items = 1)]
    seats: Option<Vec<u8>>,
    /// Where to look; relative, unless the operator of the server has said where it is found.
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

    /// `None` of a test.
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

/// The `webhooks` of the document.
pub fn describe() -> Value {
    let events = [
        (
            "session.started",
            "Every seat is taken, and the game has begun",
        ),
        ("session.changed", "The session has a new version"),
        (
            "decision.owed",
            "Seats of people or programs owe a new decision",
        ),
        ("session.finished", "The game is over"),
        ("webhook.ping", "A test that was asked for"),
    ];
    let described = events.map(|(name, summary)| (name.to_owned(), message(name, summary)));
    Value::Object(described.into_iter().collect())
}

fn message(name: &str, summary: &str) -> Value {
    let header = |name: &str, description: &str, example: &str| {
        json!({
            "name": name, "in": "header", "required": true, "description": description,
            "schema": {"type": "string"}, "example": example,
        })
    };
    let status = if name == "session.finished" {
        "finished"
    } else {
        "running"
    };
    let mut data = json!({
        "session": "yXw0v2Jc3kq9l1Fh5nTz8A", "game": "demo", "version": 12, "status": status,
        "url": "https://play.example.org/v1/sessions/yXw0v2Jc3kq9l1Fh5nTz8A",
    });
    if let ("decision.owed", Some(data)) = (name, data.as_object_mut()) {
        data.insert("seats".into(), json!([2]));
    }
    json!({"post": {
        "operationId": format!("on{}", camel(name)),
        "tags": ["webhooks"],
        "summary": summary,
        "parameters": [
            header("webhook-id", "The same in every attempt: whoever has it already need do nothing", "msg_…"),
            header("webhook-timestamp", "Of this attempt, in Unix seconds; refuse what is older than five minutes", "1764547200"),
            header("webhook-signature",
                "`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`, once for each secret in force", "v1,…"),
        ],
        "requestBody": {
            "required": true,
            "content": {"application/json": {
                "schema": {"$ref": "#/components/schemas/WebhookMessage"},
                "example": {"type": name, "timestamp": "2026-11-30T20:00:00.000Z", "data": data},
            }},
        },
        "responses": {
            "2XX": {"description": "Taken"},
            "410": {"description": "Never again: the webhook is disabled"},
            "default": {"description": "Called again later, not before `Retry-After`; redirects are not followed"},
        },
    }})
}

/// `decision.owed` as `DecisionOwed`.
fn camel(name: &str) -> String {
    let words = name.split('.').map(|word| {
        let (first, rest) = word.split_at_checked(1).unwrap_or_default();
        first.to_uppercase() + rest
    });
    words.collect()
}
