//! The stored form of a response, for idempotent replay.
//!
//! A stored response shows no secrets. The secrets of a first response (tokens, webhook secrets, tickets) are sealed
//! under a key derived from the caller's own token and its `Idempotency-Key`. Only the same caller can receive them
//! again, and only if it has a token of its own. The server stores neither the token nor the key and cannot open what
//! is in its store.

use crate::api::request::call::Handled;
use crate::api::shared::{accept, headers, language};
use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, HeaderValue, LOCATION};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::api::request::request_key::RequestKey;
use crate::api::response::respond;
use crate::api::shared::problem::{Problem, ProblemCode};
use wyrmgate_base::visible::pictured;
use wyrmgate_sessions::{open_with, seal_with};
use wyrmgate_store::Bytes;

/// Members of responses that are shown only once.
const SECRETS: [&str; 6] = [
    "token",
    "owner_token",
    "invite_code",
    "spectator_token",
    "secret",
    "ticket",
];
const JSON: HeaderValue = HeaderValue::from_static(accept::JSON);
const SUBJECT: &[u8] = b"wyrmgate 1 stored response";

/// A response in the form in which it is stored.
#[derive(Clone, Serialize, Deserialize)]
pub struct StoredResponse {
    status: u16,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    location: Option<String>,
    /// The language of the game's texts in the body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    language: Option<String>,
    /// The media type. `None` for JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    media_type: Option<String>,
    #[serde(with = "as_text")]
    body: Vec<u8>,
    /// The body with its secrets, sealed for the caller that received them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sealed: Option<String>,
}

/// The parts of a response that may contain a secret.
#[derive(Serialize, Deserialize)]
struct WholeResponse {
    location: Option<String>,
    #[serde(with = "as_text")]
    body: Vec<u8>,
}

impl StoredResponse {
    pub fn new(
        status: StatusCode,
        location: Option<String>,
        body: &impl Serialize,
    ) -> StoredResponse {
        match respond::bytes(body) {
            Ok(body) => StoredResponse::of_bytes(status, location, body),
            Err(problem) => StoredResponse::refused(&problem),
        }
    }

    /// Makes this a response of text.
    pub fn in_text(self, text: String) -> StoredResponse {
        StoredResponse {
            media_type: Some(accept::PLAIN.to_owned()),
            body: pictured(&text).into_owned().into_bytes(),
            ..self
        }
    }

    /// Returns a 204 response.
    pub fn empty() -> StoredResponse {
        StoredResponse::of_bytes(StatusCode::NO_CONTENT, None, Vec::new())
    }

    /// Wraps a response that is already serialized.
    pub fn of_bytes(status: StatusCode, location: Option<String>, body: Vec<u8>) -> StoredResponse {
        StoredResponse {
            status: status.as_u16(),
            location,
            language: None,
            media_type: None,
            body,
            sealed: None,
        }
    }

    /// Wraps a problem in one language.
    pub fn refused(problem: &Problem) -> StoredResponse {
        StoredResponse {
            language: problem.language().map(str::to_owned),
            ..StoredResponse::of_bytes(problem.status(), None, problem.json())
        }
    }

    pub fn in_language(self, tag: &str) -> StoredResponse {
        StoredResponse {
            language: Some(tag.to_owned()),
            ..self
        }
    }

    /// Returns the bytes to store, without secrets except those sealed for the caller.
    pub fn encode(mut self, key: &RequestKey) -> Bytes {
        let whole = WholeResponse {
            location: self.location.clone(),
            body: self.body.clone(),
        };
        if self.strip() {
            self.sealed = key.secret.as_ref().and_then(|key| {
                let plain = serde_json::to_vec(&whole).ok()?;
                seal_with(key, SUBJECT, &plain).ok()
            });
        }
        key.is_recorded.set(true);
        // A response that cannot be stored is stored as a problem, which is no response: a repeat is told of the damage.
        let stored = respond::bytes(&self);
        stored.unwrap_or_else(|problem| problem.json()).into()
    }

    /// Removes secrets and returns whether there were any.
    fn strip(&mut self) -> bool {
        let Ok(mut body) = serde_json::from_slice::<Map<String, Value>>(&self.body) else {
            return false;
        };
        let has_secrets = strip_members(&mut body);
        if !has_secrets {
            return false;
        }
        self.body = Value::Object(body).to_string().into_bytes();
        self.location
            .take_if(|location| location.contains("ticket="));
        true
    }

    /// Replays the first response. A problem is replayed as a problem.
    pub fn replay(bytes: &[u8], key: &RequestKey) -> Handled {
        let mut stored: StoredResponse = serde_json::from_slice(bytes).map_err(damaged)?;
        if stored.status >= 400 {
            let problem: Problem = serde_json::from_slice(&stored.body).map_err(damaged)?;
            return Err(problem.in_language(stored.language).replayed());
        }
        let sealed = stored.sealed.take().zip(key.secret.as_ref());
        let opened = sealed.and_then(|(text, key)| open_with(key, SUBJECT, &text));
        if let Some(plain) = opened {
            let whole: WholeResponse = serde_json::from_slice(&plain).map_err(damaged)?;
            (stored.location, stored.body) = (whole.location, whole.body);
        }
        let mut response = stored.respond();
        let replayed = HeaderValue::from_static("true");
        response.headers_mut().insert(headers::REPLAYED, replayed);
        Ok(response)
    }

    /// Returns the response itself.
    pub fn respond(self) -> HttpResponse {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = HttpResponse::build(status);
        if !self.body.is_empty() {
            match self.media_type.as_deref() {
                Some(media_type) => response.insert_header((CONTENT_TYPE, media_type)),
                None => response.insert_header((CONTENT_TYPE, JSON)),
            };
        }
        if let Some(location) = self.location {
            response.insert_header((LOCATION, location));
        }
        let response = response.body(self.body);
        match &self.language {
            Some(tag) => language::said(response, [tag.as_str()]),
            None => response,
        }
    }
}

/// Removes secrets from a document and from the sessions that it lists; returns whether there were any.
fn strip_members(document: &mut Map<String, Value>) -> bool {
    let before = document.len();
    document.retain(|name, value| !is_secret(name, value));
    let mut had_any = document.len() < before;
    let items = document.get_mut("items").and_then(Value::as_array_mut);
    for item in items.into_iter().flatten() {
        if let Some(Value::Object(session)) = item.get_mut("session") {
            had_any |= strip_members(session);
        }
    }
    had_any
}

/// Returns whether a member of a response is a secret that is shown only once.
pub fn is_secret(name: &str, value: &Value) -> bool {
    SECRETS.contains(&name) && value.is_string()
}

fn damaged(error: serde_json::Error) -> Problem {
    tracing::error!(%error, "a stored response is damaged");
    Problem::new(ProblemCode::Internal)
}

/// Bodies are UTF-8, and stored as texts. Only a body that is stored has to be checked for that.
mod as_text {
    use serde::{Deserialize, Deserializer, Serializer, ser};

    pub fn serialize<S: Serializer>(body: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(std::str::from_utf8(body).map_err(ser::Error::custom)?)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        String::deserialize(from).map(String::into_bytes)
    }
}
