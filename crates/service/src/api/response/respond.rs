//! Successful responses.

use crate::api::request::call::Handled;
use crate::api::shared::{accept, headers};
use actix_web::http::header::{CACHE_CONTROL, ETAG, HeaderValue, LINK, VARY};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use serde::Serialize;
use serde_json::Value;

use crate::api::shared::language::{self, Listener};
use crate::api::shared::problem::{Problem, ProblemCode};
use wyrmgate_sessions::Live;

/// Returns a JSON response.
pub fn ok(body: &impl Serialize) -> Handled {
    finish(HttpResponse::Ok(), body)
}

pub fn finish(mut response: HttpResponseBuilder, body: &impl Serialize) -> Handled {
    Ok(response.content_type(accept::JSON).body(bytes(body)?))
}

/// Serializes a document. One that cannot be serialized is a problem, never an empty or partial answer.
pub fn bytes(body: &impl Serialize) -> Result<Vec<u8>, Problem> {
    serde_json::to_vec(body).map_err(|error| {
        tracing::error!(%error, "cannot serialize a response");
        Problem::new(ProblemCode::Internal)
    })
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
) -> Handled {
    tagged_as(request, tag, accept::JSON, || bytes(&body()?))
}

/// Returns a response whose entity tag follows from its content alone and tells nothing else; see [`tagged`].
pub fn tagged_by_content(request: &HttpRequest, body: &impl Serialize) -> Handled {
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
) -> Handled {
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
) -> Handled {
    let response = tagged(request, &listener.entity_tag(live), body)?;
    Ok(language::said(response, [listener.tag(live)]))
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
pub fn page<T: Serialize>(request: &HttpRequest, page: &ListPage<T>) -> Handled {
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
