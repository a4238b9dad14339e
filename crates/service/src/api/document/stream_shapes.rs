//! What stands in `data:` of the messages of streams. The name of the message (`event:`) says which of these it is.

use serde_json::{Map, Value, json};

/// Returns the schemas of the messages of streams: one for each kind that is nothing else too, and the unions.
pub fn schemas() -> Map<String, Value> {
    let version = json!({
        "type": ["integer", "null"], "format": "int64", "minimum": 0, "description": "The version of the session, if it is known",
    });
    let outcome = json!({"oneOf": [of("Outcome"), {"type": "null"}]});
    let retry = json!({"type": "integer", "format": "int64", "minimum": 0, "description": "When to connect again"});
    let rows = [
        (
            "StreamEnd",
            object(
                "`end`: the game is over, or the session is gone.",
                json!({"version": version, "outcome": outcome}),
            ),
        ),
        (
            "StreamResync",
            object(
                "`resync`: the client must connect again, without a cursor.",
                json!({"version": version}),
            ),
        ),
        (
            "StreamBye",
            object("`bye`: the server is stopping.", json!({"retry_ms": retry})),
        ),
        (
            "StreamMessage",
            any(
                "The data of a message of `GET …/stream`: `snapshot` is a view, and `message` a message of the table.",
                &[
                    "View",
                    "Change",
                    "ReadMessage",
                    "StreamEnd",
                    "StreamResync",
                    "StreamBye",
                ],
            ),
        ),
        (
            "PlayerStreamMessage",
            any(
                "The data of a message of `GET /v1/players/me/events`: `snapshot` has sessions, all others but `bye` a change.",
                &["PlayerMessage", "PlayerSnapshot", "StreamBye"],
            ),
        ),
    ];
    rows.map(|(name, schema)| (name.to_owned(), schema))
        .into_iter()
        .collect()
}

fn of(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

fn any(description: &str, names: &[&str]) -> Value {
    let names: Vec<Value> = names.iter().map(|name| of(name)).collect();
    json!({"description": description, "anyOf": names})
}

/// Returns an object whose members are all required.
fn object(description: &str, properties: Value) -> Value {
    let names: Vec<&String> = properties
        .as_object()
        .into_iter()
        .flat_map(Map::keys)
        .collect();
    json!({"type": "object", "description": description, "required": names, "properties": properties})
}
