//! Compresses responses with gzip for clients that accept it.
//!
//! Only complete texts of some size are compressed. A stream passes as it is, so that each message leaves at once. The length
//! of a compressed text tells how much its parts resemble each other; where a token stands beside what others wrote, this
//! shows the token letter by letter (BREACH). Tokens are only in responses to writes, and of these only moves, whose
//! responses contain none, are compressed.

use std::io::Read;

use actix_web::HttpRequest;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::ServiceResponse;
use actix_web::http::header::{
    AcceptEncoding, CONTENT_ENCODING, CONTENT_TYPE, ETAG, Encoding, Header, HeaderMap, HeaderValue,
    IF_NONE_MATCH,
};
use actix_web::http::{Method, StatusCode};
use actix_web::web::Bytes;
use flate2::Compression;
use flate2::read::GzEncoder;

use crate::api::request::path;
use crate::api::shared::headers::COMPRESSED;
use crate::api::shared::language::vary;

/// Shorter responses fit into one packet as they are.
const FLOOR: u64 = 1024;
/// The usual level; the best one makes a picture of Drakon 1 % smaller.
const LEVEL: u32 = 6;

/// Compresses a response that is worth it, for a client that accepts this.
pub fn compressed(response: ServiceResponse<BoxBody>) -> ServiceResponse<BoxBody> {
    let size = response.response().body().size();
    let is_short = matches!(size, BodySize::Sized(size) if size < FLOOR);
    if is_short && response.status() != StatusCode::NOT_MODIFIED {
        return response;
    }
    let request = response.request();
    let is_move = || path::pattern_of(request).is_some_and(|pattern| pattern.0.ends_with("/moves"));
    if request.method() != Method::GET && !is_move() {
        return response;
    }
    let (accepts, known) = (accepts_gzip(request), tags_of(request));
    response.map_body(|head, body| {
        if head.status == StatusCode::NOT_MODIFIED {
            not_modified(head.headers_mut(), &known);
            return body;
        }
        if head.headers().contains_key(CONTENT_ENCODING) || !is_text(head.headers()) {
            return body;
        }
        match body.try_into_bytes() {
            Ok(plain) => BoxBody::new(shrunk(head.headers_mut(), plain, accepts)),
            Err(stream) => stream,
        }
    })
}

/// Returns whether a client accepts gzip.
pub fn accepts_gzip(request: &HttpRequest) -> bool {
    let offers = [Encoding::gzip(), Encoding::identity()];
    let accepted = AcceptEncoding::parse(request).ok();
    accepted.and_then(|accepted| accepted.negotiate(offers.iter())) == Some(Encoding::gzip())
}

fn tags_of(request: &HttpRequest) -> String {
    let known = request.headers().get(IF_NONE_MATCH);
    let known = known.and_then(|tags| tags.to_str().ok());
    known.unwrap_or_default().to_owned()
}

/// The client has one of the representations; the response names the same one.
fn not_modified(headers: &mut HeaderMap, known: &str) {
    vary(headers, "Accept-Encoding");
    let tag = marked(headers);
    if let Some(tag) = tag.filter(|tag| tag.to_str().is_ok_and(|tag| known.contains(tag))) {
        headers.insert(ETAG, tag);
    }
}

fn is_text(headers: &HeaderMap) -> bool {
    let media_type = headers.get(CONTENT_TYPE);
    let media_type = media_type.and_then(|value| value.to_str().ok());
    let is_text = |media_type: &str| {
        let kinds = ["json", "xml", "javascript"];
        media_type.starts_with("text/") || kinds.iter().any(|kind| media_type.contains(kind))
    };
    media_type.is_some_and(is_text)
}

fn shrunk(headers: &mut HeaderMap, plain: Bytes, accepts: bool) -> Bytes {
    vary(headers, "Accept-Encoding");
    let mut small = Vec::new();
    let mut encoder = GzEncoder::new(&plain[..], Compression::new(LEVEL));
    if !accepts || encoder.read_to_end(&mut small).is_err() {
        return plain;
    }
    if let Some(tag) = marked(headers) {
        headers.insert(ETAG, tag);
    }
    headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    small.into()
}

/// Returns the strong entity tag of the compressed representation.
fn marked(headers: &HeaderMap) -> Option<HeaderValue> {
    let tag = headers.get(ETAG)?.to_str().ok()?;
    let tag = tag.strip_prefix('"')?.strip_suffix('"')?;
    HeaderValue::try_from(format!("\"{tag}{COMPRESSED}")).ok()
}
