//! Responses and events, as messages of the protocol.

use serde_json::{Value, json};

use super::request::Request;

pub(super) fn response(request: &Request, answered: Result<Value, String>) -> Value {
    match answered {
        Ok(body) => json!({
            "type": "response", "request_seq": request.number, "command": request.command, "success": true, "body": body,
        }),
        Err(reason) => json!({
            "type": "response", "request_seq": request.number, "command": request.command, "success": false,
            "message": reason, "body": {"error": {"id": 1, "format": reason, "showUser": true}},
        }),
    }
}

pub(super) fn event(event: &str, body: Value) -> Value {
    json!({"type": "event", "event": event, "body": body})
}
