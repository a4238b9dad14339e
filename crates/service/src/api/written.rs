//! Our own documents as JSON text.

use serde::Serialize;
use wyrmgate_base::presume::Presume;
use wyrmgate_view::write_json;

/// Initial capacity: the size of most responses to a move.
const ROOM: usize = 1024;

/// Sent in place of a document that cannot be serialized. No client may take it for the document.
const BROKEN: &str =
    r#"{"type":"about:blank","title":"Internal server error","status":500,"code":"internal"}"#;

/// Serializes a document. All of ours can be serialized; if one cannot, the log says so.
pub fn written(document: &impl Serialize) -> String {
    let mut text = String::with_capacity(ROOM);
    let written = write_json(&mut text, document);
    match written.presume("our documents serialize to JSON") {
        Ok(()) => text,
        Err(broken) => {
            tracing::error!(%broken, "cannot write a document");
            BROKEN.to_owned()
        }
    }
}
