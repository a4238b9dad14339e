//! Our own documents as JSON text.

use serde::Serialize;
use wyrmgate_base::presume::{Broken, Presume};
use wyrmgate_view::write_json;

/// Initial capacity: the size of most responses to a move.
const ROOM: usize = 1024;

/// Sent in place of a document that cannot be serialized. No client may take it for the document.
const BROKEN: &str =
    r#"{"type":"about:blank","title":"Internal server error","status":500,"code":"internal"}"#;

/// Serializes a document. All of ours can be serialized; if one cannot, the log says so.
pub fn written(document: &impl Serialize) -> String {
    let text = String::from_utf8(written_bytes(document)).presume("JSON is UTF-8");
    text.unwrap_or_else(broken)
}

/// Serializes a document to bytes that are sent without further use as text.
pub fn written_bytes(document: &impl Serialize) -> Vec<u8> {
    let mut json = Vec::with_capacity(ROOM);
    let written = write_json(&mut json, document).presume("our documents serialize to JSON");
    match written {
        Ok(()) => json,
        Err(error) => broken(error).into_bytes(),
    }
}

fn broken(error: Broken) -> String {
    tracing::error!(%error, "cannot write a document");
    BROKEN.to_owned()
}
