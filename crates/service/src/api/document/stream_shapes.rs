//! What stands in `data:` of the messages of streams. The name of the message (`event:`) says which of these it is.

use serde_json::{Value, json};

/// Returns the schemas of the messages of streams by name: one for each kind that is nothing else too, and the unions.
pub fn schemas() -> Value {
    let of = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
    let of_session = "View,Change,ReadMessage,StreamEnd,StreamResync,StreamBye";
    let of_player = "PlayerMessage,PlayerSnapshot,StreamBye";
    let any = |names: &str| Value::Array(names.split(',').map(of).collect());
    let version = json!({"type": ["integer", "null"], "format": "int64", "minimum": 0, "description": "If it is known"});
    let outcome = json!({"oneOf": [of("Outcome"), {"type": "null"}]});
    let retry = json!({"type": "integer", "format": "int64", "minimum": 0, "description": "When to connect again"});
    json!({
        "StreamEnd": {"type": "object", "description": "`end`: the game is over, or the session is gone.",
            "required": ["version", "outcome"], "properties": {"version": version, "outcome": outcome}},
        "StreamResync": {"type": "object", "description": "`resync`: connect again, without a cursor.",
            "required": ["version"], "properties": {"version": version}},
        "StreamBye": {"type": "object", "description": "`bye`: the server is stopping.",
            "required": ["retry_ms"], "properties": {"retry_ms": retry}},
        "StreamMessage": {"anyOf": any(of_session),
            "description": "The data of a message of a session: `snapshot` is a view, `message` one of the table."},
        "PlayerStreamMessage": {"anyOf": any(of_player),
            "description": "The data of a message of a player: all but `snapshot` and `bye` are changes."},
    })
}
