//! The `webhooks` section of the OpenAPI document. The session writes the messages itself; a test validates real ones
//! against this description.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
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

/// Returns the `webhooks` section of the document.
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
        ("webhook.ping", "A test message that the owner requested"),
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
        data.insert("owing".into(), json!([2]));
        data.insert(
            "deadlines".into(),
            json!([{"seat": 2, "at": "2026-11-30T20:01:00.000Z"}]),
        );
    }
    json!({"post": {
        "operationId": format!("on{}", camel(name)),
        "tags": ["webhook-messages"],
        "security": [],
        "description": "Answer with any 2xx status; the body of the answer is ignored. Check the signature before you trust the message.",
        "summary": summary,
        "parameters": [
            header("webhook-id", "The same in every attempt. Ignore a message whose id you have already processed", "msg_…"),
            header("webhook-timestamp", "The time of this attempt in Unix seconds. Refuse messages older than five minutes", "1764547200"),
            header("webhook-signature",
                "`v1,` and the Base64 of HMAC-SHA256 over `id.timestamp.body`, once for each valid secret", "v1,…"),
        ],
        "requestBody": {
            "required": true,
            "content": {"application/json": {
                "schema": {"$ref": "#/components/schemas/WebhookMessage"},
                "example": {"type": name, "timestamp": "2026-11-30T20:00:00.000Z", "data": data},
            }},
        },
        "responses": {
            "2XX": {"description": "Accepted"},
            "410": {"description": "Gone: the server disables the webhook"},
            "default": {"description": "Failed: the server retries later, not before `Retry-After`. It does not follow redirects"},
        },
    }})
}

/// Converts `decision.owed` to `DecisionOwed`.
fn camel(name: &str) -> String {
    let words = name.split('.').map(|word| {
        let (first, rest) = word.split_at_checked(1).unwrap_or_default();
        first.to_uppercase() + rest
    });
    words.collect()
}
