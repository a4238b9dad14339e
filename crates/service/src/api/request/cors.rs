//! CORS: the origins whose pages may call the service from a browser. The operator lists them; the default is none.

use actix_web::HttpResponse;
use actix_web::dev::ServiceRequest;
use actix_web::http::Method;
use actix_web::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD,
    HeaderMap, HeaderValue, ORIGIN, VARY,
};

use crate::config::PageOrigin;

const METHODS: &str = "GET, HEAD, POST, PUT, DELETE";
const REQUEST_HEADERS: &str = "Accept, Accept-Language, Act-As, Authorization, Content-Type, Idempotency-Key, If-Match, \
    If-None-Match, Last-Event-ID, Prefer, X-Request-Id";
const RESPONSE_HEADERS: &str = "Content-Language, Durability, ETag, Idempotent-Replayed, Link, Location, \
    Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id";
/// Seconds for which a browser may cache a preflight response.
const MAX_AGE: &str = "600";

/// Returns the allowed origin of the page that calls. `None` for other origins and for same-origin requests.
pub fn allowed(headers: &HeaderMap, origins: &[PageOrigin]) -> Option<HeaderValue> {
    let origin = headers.get(ORIGIN)?;
    let text = origin.to_str().ok()?;
    let is_listed = origins.iter().any(|PageOrigin(listed)| listed == text);
    is_listed.then(|| origin.clone())
}

/// Returns whether this is a CORS preflight request.
pub fn is_preflight(request: &ServiceRequest) -> bool {
    request.method() == Method::OPTIONS
        && request
            .headers()
            .contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

pub fn preflight() -> HttpResponse {
    HttpResponse::NoContent()
        .insert_header((ACCESS_CONTROL_ALLOW_METHODS, METHODS))
        .insert_header((ACCESS_CONTROL_ALLOW_HEADERS, REQUEST_HEADERS))
        .insert_header((ACCESS_CONTROL_MAX_AGE, MAX_AGE))
        .finish()
}

/// Allows the page to read the response.
pub fn allow(headers: &mut HeaderMap, origin: HeaderValue) {
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    let exposed = HeaderValue::from_static(RESPONSE_HEADERS);
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
    headers.append(VARY, HeaderValue::from_static("Origin"));
}
