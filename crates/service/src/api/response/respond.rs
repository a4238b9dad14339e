//! Successful responses.

use crate::api::shared::accept;
use actix_web::http::header::{CACHE_CONTROL, ETAG, HeaderValue, LINK, VARY};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use serde::Serialize;
use serde_json::Value;

use crate::api::shared::headers;
use crate::api::shared::language::{self, Listener};
use crate::api::shared::problem::{Problem, ProblemCode};
use wyrmgate_sessions::Live;
use wyrmgate_view::write_json;

/// Initial capacity: the size of most responses to a move.
const ROOM: usize = 1024;

/// Returns a JSON response.
pub fn ok(body: &impl Serialize) -> Result<HttpResponse, Problem> {
    finish(HttpResponse::Ok(), body)
}

pub fn finish(
    mut response: HttpResponseBuilder,
    body: &impl Serialize,
) -> Result<HttpResponse, Problem> {
    Ok(response.content_type(accept::JSON).body(bytes(body)?))
}

/// Serializes a document. One that cannot be serialized is a problem, never an empty or partial answer.
pub fn bytes(body: &impl Serialize) -> Result<Vec<u8>, Problem> {
    let mut json = Vec::with_capacity(ROOM);
    match write_json(&mut json, body) {
        Ok(()) => Ok(json),
        Err(error) => {
            tracing::error!(%error, "cannot serialize a response");
            Err(Problem::new(ProblemCode::Internal))
        }
    }
}

/// Returns a document as a value that becomes part of another one.
pub fn value(of: &impl Serialize) -> Result<Value, Problem> {
    serde_json::from_slice(&bytes(of)?).map_err(|error| {
        tracing::error!(%error, "cannot serialize a part of a response");
        Problem::new(ProblemCode::Internal)
    })
}

/// Serializes a document that becomes part of a text.
pub fn text(body: &impl Serialize) -> Result<String, Problem> {
    String::from_utf8(bytes(body)?).map_err(|error| {
        tracing::error!(%error, "a response is not text");
        Problem::new(ProblemCode::Internal)
    })
}

/// Returns a response that its entity tag describes completely, or 304 if the client has it.
pub fn tagged<T: Serialize>(
    request: &HttpRequest,
    tag: &str,
    body: impl FnOnce() -> Result<T, Problem>,
) -> Result<HttpResponse, Problem> {
    tagged_as(request, tag, accept::JSON, || bytes(&body()?))
}

/// Returns a response whose entity tag follows from its content alone and tells nothing else; see [`tagged`].
pub fn tagged_by_content(
    request: &HttpRequest,
    body: &impl Serialize,
) -> Result<HttpResponse, Problem> {
    let body = bytes(body)?;
    let digest = blake3::hash(&body).to_hex();
    let tag = format!("\"{}\"", digest.get(..32).unwrap_or_default());
    tagged_as(request, &tag, accept::JSON, || Ok(body))
}

/// Returns a tagged response with another media type.
pub fn tagged_as(
    request: &HttpRequest,
    tag: &str,
    media_type: &'static str,
    body: impl FnOnce() -> Result<Vec<u8>, Problem>,
) -> Result<HttpResponse, Problem> {
    let (mut response, is_known) = with_tag(request, tag, "private, no-cache");
    response.insert_header((VARY, "Authorization, Accept"));
    match is_known {
        true => Ok(response.finish()),
        false => Ok(response.content_type(media_type).body(body()?)),
    }
}

/// Begins a response with an entity tag, and returns whether the client has its body: then the response is a 304.
pub fn with_tag(
    request: &HttpRequest,
    tag: &str,
    cached: &'static str,
) -> (HttpResponseBuilder, bool) {
    let is_known = headers::is_cached(request, tag);
    let mut response = match is_known {
        true => HttpResponse::NotModified(),
        false => HttpResponse::Ok(),
    };
    let cached = HeaderValue::from_static(cached);
    response.insert_header((ETAG, tag));
    response.insert_header((CACHE_CONTROL, cached));
    (response, is_known)
}

/// Returns a response with texts of a game in the language of its listener; see [`tagged`].
pub fn localized<T: Serialize>(
    request: &HttpRequest,
    live: &Live,
    listener: Listener,
    body: impl FnOnce() -> Result<T, Problem>,
) -> Result<HttpResponse, Problem> {
    let mut response = tagged(request, &listener.entity_tag(live), body)?;
    language::say(&mut response, [listener.tag(live)]);
    Ok(response)
}

/// One page of a list.
#[derive(Debug, Serialize)]
pub struct ListPage<T> {
    pub items: Vec<T>,
    pub next: Option<String>,
}

/// Declares the schema of a page: its description, that of its cursor, its name, and the type of its items.
macro_rules! page_schema {
    ($about:literal, $next:literal, $page:ident: $($item:tt)+) => {
        #[doc = $about]
        #[derive(utoipa::ToSchema)]
        #[expect(dead_code, reason = "only the schema is used")]
        pub struct $page {
            items: Vec<$($item)+>,
            #[doc = $next]
            #[schema(required)]
            next: Option<String>,
        }
    };
}
pub(crate) use page_schema;

/// Returns the page with a link to the next one.
pub fn page<T: Serialize>(
    request: &HttpRequest,
    page: &ListPage<T>,
) -> Result<HttpResponse, Problem> {
    let mut response = HttpResponse::Ok();
    if let Some(next) = &page.next {
        response.insert_header((LINK, next_link(request, "cursor", next)));
    }
    finish(response, page)
}

/// Returns the header value `<…>; rel="next"`: this request with another value of one parameter. Cursors need no
/// escaping.
pub fn next_link(request: &HttpRequest, parameter: &str, value: &str) -> String {
    let is_other = |pair: &&str| pair.split('=').next() != Some(parameter) && !pair.is_empty();
    let kept = request.query_string().split('&').filter(is_other);
    let mut query: Vec<&str> = kept.collect();
    let own = format!("{parameter}={value}");
    query.push(&own);
    format!("<{}?{}>; rel=\"next\"", request.path(), query.join("&"))
}

/// Formats a time as RFC 3339 in UTC, always with milliseconds. It is formatted by hand because every receipt has one.
pub fn time(unix_ms: u64) -> String {
    let ms = i64::try_from(unix_ms).unwrap_or(i64::MAX);
    let time = jiff::Timestamp::from_millisecond(ms).unwrap_or(jiff::Timestamp::MAX);
    let at = jiff::tz::TimeZone::UTC.to_datetime(time);
    let two = |number: i8| i16::from(number);
    let mut text = *b"0000-00-00T00:00:00.000Z";
    for (places, number) in [
        (0..4, at.year()),
        (5..7, two(at.month())),
        (8..10, two(at.day())),
        (11..13, two(at.hour())),
        (14..16, two(at.minute())),
        (17..19, two(at.second())),
        (20..23, at.millisecond()),
    ] {
        let mut left = number.unsigned_abs();
        for digit in text.get_mut(places).into_iter().flatten().rev() {
            *digit = b'0' + (left % 10) as u8;
            left /= 10;
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::time;

    #[test]
    fn times_are_those_of_the_formatter() {
        for ms in [0, 1, 999, 951_827_696_789, 1_764_230_399_999, u64::MAX] {
            let at = i64::try_from(ms).ok();
            let at = at.and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok());
            let at = at.unwrap_or(jiff::Timestamp::MAX);
            assert_eq!(time(ms), format!("{at:.3}"));
        }
    }
}
