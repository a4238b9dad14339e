//! Conditions and wishes in headers.

use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::http::header::{HeaderName, IF_MATCH, IF_NONE_MATCH};
use serde::Serialize;

use super::language::without_language;
use super::problem::Problem;
use super::respond;
use crate::session::Key;

/// The longest that a request may wait.
const WAIT_MAX: Duration = Duration::from_secs(60);

pub const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");
pub const DURABILITY: HeaderName = HeaderName::from_static("durability");
pub const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
pub const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
const PREFER: HeaderName = HeaderName::from_static("prefer");
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

fn listed(request: &HttpRequest, name: HeaderName) -> impl Iterator<Item = &str> {
    let values = request.headers().get_all(name);
    let texts = values.filter_map(|value| value.to_str().ok());
    texts.flat_map(|text| text.split(',')).map(str::trim)
}

/// Whether the client has what this tag names.
pub fn has(request: &HttpRequest, tag: &str) -> bool {
    listed(request, IF_NONE_MATCH)
        .any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag)
}

/// The tags of `If-Match` that tie a move to a position; `*` fits all and so ties to none.
pub fn if_match(request: &HttpRequest) -> Vec<String> {
    listed(request, IF_MATCH)
        .filter(|tag| *tag != "*" && !tag.is_empty())
        .map(without_language)
        .collect()
}

/// `Prefer: wait=n`, in whole seconds.
pub fn wait(request: &HttpRequest) -> Option<Duration> {
    let wishes = listed(request, PREFER).flat_map(|wish| wish.split(';'));
    let seconds = wishes
        .filter_map(|wish| wish.trim().strip_prefix("wait="))
        .find_map(|seconds| seconds.trim().parse().ok())?;
    Some(Duration::from_secs(seconds).min(WAIT_MAX))
}

/// Something that makes two requests the same or not.
pub struct Content<'a, B> {
    /// What is done: `"move"`.
    pub action: &'static str,
    /// To what: path parameters.
    pub target: &'a [&'a str],
    /// The body, if there is one; it is compared in one spelling.
    pub body: Option<&'a B>,
}

/// The request's `Idempotency-Key`, for this caller.
pub fn key<B: Serialize>(
    request: &HttpRequest,
    caller: Option<&crate::session::Token>,
    content: &Content<'_, B>,
) -> Result<Option<Key>, Problem> {
    let Some(text) = request.headers().get(IDEMPOTENCY_KEY) else {
        return Ok(None);
    };
    let visible = text.as_bytes().iter().all(u8::is_ascii_graphic);
    if !visible || !(1..=64).contains(&text.len()) {
        return Err(Problem::malformed(
            "Idempotency-Key",
            "an idempotency key has 1 to 64 visible ASCII characters",
        ));
    }
    let caller = caller.map_or([0; 32], |token| token.hash().0);
    Ok(Some(Key {
        digest: digest("wyrmgate 1 idempotency key", [&caller[..], text.as_bytes()]),
        fingerprint: fingerprint(content)?,
    }))
}

fn fingerprint<B: Serialize>(content: &Content<'_, B>) -> Result<[u8; 32], Problem> {
    let body = content
        .body
        .map(respond::bytes)
        .transpose()?
        .unwrap_or_default();
    let parts = [content.action.as_bytes()].into_iter();
    let parts = parts.chain(content.target.iter().map(|part| part.as_bytes()));
    let parts = parts.chain([&body[..]]);
    Ok(digest("wyrmgate 1 request content", parts))
}

/// Each part with its length before it, so that no two lists of parts look the same.
fn digest<'a>(context: &str, parts: impl IntoIterator<Item = &'a [u8]>) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new_derive_key(context);
    for part in parts {
        hasher
            .update(&(part.len() as u64).to_le_bytes())
            .update(part);
    }
    *hasher.finalize().as_bytes()
}
