//! The `webhooks` section of the OpenAPI document: the requests that the servers of clients receive.

use serde_json::{Map, Value, json};

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
    let mut described: Map<String, Value> = described.into_iter().collect();
    let summary = "Games wait for a player: the daily message";
    let mut waiting = message("games.waiting", summary);
    if let Some(content) = waiting.pointer_mut("/post/requestBody/content/application~1json") {
        *content = json!({"schema": {"$ref": "#/components/schemas/DigestMessage"}});
    }
    described.insert("games.waiting".to_owned(), waiting);
    Value::Object(described)
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
