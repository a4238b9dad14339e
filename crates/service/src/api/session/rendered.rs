//! A change as watchers receive it: the message of a stream, and what they want added.

use std::fmt::Display;
use std::sync::Arc;

use actix_web::web::Bytes;
use serde::Serialize;
use serde_json::Value;

use crate::api::response::respond;
use crate::api::session::additions::Additions;
use crate::api::session::change::PublicChange;
use crate::api::shared::language::Listener;
use crate::api::shared::problem::Problem;
use wyrmgate_sessions::{Live, PastChange, Playback};

/// A rendered change.
pub struct RenderedChange {
    /// The message of a stream.
    pub message: Bytes,
    pub additions: Additions,
    /// With additions: the session after the change.
    pub seen: Option<Arc<SessionSeen>>,
}

/// A session at one version, and the caller's view of it.
pub struct SessionSeen {
    pub playback: Playback,
    /// `None` before the first version, and if nobody wants it.
    pub view: Option<Value>,
}

impl RenderedChange {
    pub fn new(
        live: &Live,
        listener: Listener,
        past: &PastChange,
        additions: Additions,
        seen: Option<Arc<SessionSeen>>,
    ) -> Result<RenderedChange, Problem> {
        let change = PublicChange::new(live, listener, past, additions.clone());
        Ok(RenderedChange {
            message: message("change", Some(&past.cursor()), &change)?.into(),
            additions,
            seen,
        })
    }
}

/// Returns a message of a stream.
pub fn message(
    event: &str,
    id: Option<&dyn Display>,
    data: &impl Serialize,
) -> Result<Vec<u8>, Problem> {
    let id = id.map_or_else(String::new, |id| format!("id: {id}\n"));
    let data = respond::text(data)?; // has no line breaks
    Ok(format!("event: {event}\n{id}data: {data}\n\n").into_bytes())
}
