//! Conditional and preference headers.

use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::http::header::{HeaderName, IF_MATCH, IF_NONE_MATCH};

use crate::api::shared::language::without_language;

/// Maximum time for which a request may wait.
const WAIT_MAX: Duration = Duration::from_secs(60);

pub const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");
pub const DURABILITY: HeaderName = HeaderName::from_static("durability");
pub const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
pub const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
/// What the entity tag of a compressed representation ends with: each representation has a strong tag of its own.
pub const COMPRESSED: &str = ";gzip\"";
const PREFER: HeaderName = HeaderName::from_static("prefer");

fn listed(request: &HttpRequest, name: HeaderName) -> impl Iterator<Item = &str> {
    let values = request.headers().get_all(name);
    let texts = values.filter_map(|value| value.to_str().ok());
    texts.flat_map(|text| text.split(',')).map(str::trim)
}

/// Returns whether the client already has the representation with this tag, compressed or not.
pub fn is_cached(request: &HttpRequest, tag: &str) -> bool {
    listed(request, IF_NONE_MATCH)
        .map(|known| known.strip_prefix("W/").unwrap_or(known))
        .any(|known| known == "*" || uncompressed(known) == tag)
}

/// Returns the entity tag of the same representation before it was compressed.
fn uncompressed(tag: &str) -> String {
    match tag.strip_suffix(COMPRESSED) {
        Some(tag) => format!("{tag}\""),
        None => tag.to_owned(),
    }
}

/// Returns the tags of `If-Match` that tie a move to a position. `*` matches everything and ties to nothing.
pub fn if_match(request: &HttpRequest) -> Vec<String> {
    listed(request, IF_MATCH)
        .filter(|tag| *tag != "*" && !tag.is_empty())
        .map(without_language)
        .collect()
}

/// Returns the time of `Prefer: wait=n`, in whole seconds.
pub fn wait(request: &HttpRequest) -> Option<Duration> {
    let preferences = listed(request, PREFER).flat_map(|preference| preference.split(';'));
    let seconds = preferences
        .filter_map(|preference| preference.trim().strip_prefix("wait="))
        .find_map(|seconds| whole_seconds(seconds.trim()))?;
    Some(Duration::from_secs(seconds).min(WAIT_MAX))
}

/// Parses any number of digits. Values that are too large saturate.
fn whole_seconds(digits: &str) -> Option<u64> {
    let are_digits = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    are_digits.then(|| digits.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn a_wish_to_wait_is_granted_up_to_a_minute_however_large_it_is() {
        let wished = |wish: &str| {
            let request = TestRequest::default().insert_header((PREFER, wish));
            wait(&request.to_http_request()).map(|wait| wait.as_secs())
        };
        assert_eq!(wished("wait=7"), Some(7));
        assert_eq!(
            wished("respond-async, wait=99999999999999999999999"),
            Some(60)
        );
        for none in ["wait=", "wait=-1", "wait=1.5", "wait", "await=3"] {
            assert_eq!(wished(none), None, "{none}");
        }
    }
}
