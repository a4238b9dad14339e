//! `Idempotency-Key`: a write has one effect and one response, however often the client sends it.
//!
//! Every write passes through here on its way from the router to its handler. A request with a key is looked up before
//! it is validated. A client that repeats a request receives the first response even if that response has invalidated
//! its credential. The handler passes the key on, and the commit that makes the change stores the response. If a
//! handler commits nothing, the response is stored here. Refusals are stored only for authenticated callers.

use std::cell::Cell;
use std::rc::Rc;

use actix_service::{Service, ServiceFactory};
use actix_web::body::to_bytes;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderName, HeaderValue, IF_MATCH, LOCATION};
use actix_web::web::{Bytes, Data};
use actix_web::{Error, HttpMessage, HttpResponse};
use serde_json::Value;

use crate::api::request::act_as::ACT_AS;
use crate::api::request::app::App;
use crate::api::request::context::JsonContext;
use crate::api::request::extract::read_body;
use crate::api::request::numbers::make_whole;
use crate::api::request::request_key::{KeyScope, RequestKey};
use crate::api::response::stored_response::StoredResponse;
use crate::api::shared::headers;
use crate::api::shared::problem::Problem;
use wyrmgate_sessions::{AnswerPlace, IdempotencyKey, Refusal, Token, chosen_secret};
use wyrmgate_store as store;

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// A handler that is ready to be called.
pub type RouteService = <actix_web::Route as ServiceFactory<ServiceRequest>>::Service;

/// Serves a write.
pub async fn serve(
    handler: Rc<RouteService>,
    scope: KeyScope,
    request: ServiceRequest,
) -> Result<ServiceResponse, Error> {
    let response = match request.headers().contains_key(IDEMPOTENCY_KEY) {
        // In memory of its own: most requests have no key, and every request would be as large.
        true => Box::pin(serve_keyed(handler, scope, request)),
        false => handler.call(request),
    };
    Ok(durable(response.await?))
}

async fn serve_keyed(
    handler: Rc<RouteService>,
    scope: KeyScope,
    mut request: ServiceRequest,
) -> Result<ServiceResponse, Error> {
    let context = JsonContext::of(request.request()).await.ok();
    let key = match &context {
        Some(context) => prepare(context, scope, &mut request).await,
        None => Ok(None), // the handler says what is wrong with the credential
    };
    let key = match key {
        Ok(key) => key,
        Err(problem) => return Ok(request.error_response(problem)),
    };
    if let (Some(context), Some(key)) = (&context, &key) {
        match first_response(context, key).await {
            Ok(Some(response)) => return Ok(request.into_response(response)),
            Ok(None) => {}
            Err(problem) => return Ok(request.error_response(problem)),
        }
        request.extensions_mut().insert(key.clone());
    }
    let response = handler.call(request).await?;
    match (&context, &key) {
        (Some(context), Some(key)) => settle(context, key, response).await,
        _ => Ok(response),
    }
}

/// Adds the `Durability` header.
fn durable(mut response: ServiceResponse) -> ServiceResponse {
    let app = response.request().app_data::<Data<App>>();
    let level = app.map(|app| app.service.store().durability().name());
    if let Some(level) = level.filter(|_| response.status().is_success()) {
        let level = HeaderValue::from_static(level);
        response.headers_mut().insert(headers::DURABILITY, level);
    }
    response
}

/// Reads the key and the body that it covers, and puts the body back for the handler.
async fn prepare(
    context: &JsonContext,
    scope: KeyScope,
    request: &mut ServiceRequest,
) -> Result<Option<Rc<RequestKey>>, Problem> {
    let Some(text) = request.headers().get(IDEMPOTENCY_KEY).cloned() else {
        return Ok(None);
    };
    let text = text.as_bytes();
    if !text.iter().all(u8::is_ascii_graphic) || !(1..=64).contains(&text.len()) {
        let wanted = "an idempotency key must have 1 to 64 visible ASCII characters";
        return Err(Problem::malformed("Idempotency-Key", wanted));
    }
    let (head, payload) = request.parts_mut();
    let body = read_body(head, payload).await?;
    let content = content(request, &body);
    request.set_payload(body.clone().into());
    let session = request.match_info().get("session").map(str::to_owned);
    let digest = digest_of(context.token.as_ref(), text, scope, session.as_deref());
    let place = session.as_deref().unwrap_or_default().as_bytes();
    let name = digest_parts("wyrmgate 1 running key", [&digest[..], place]);
    let running = context.app().running_keys.begin(name);
    Ok(Some(Rc::new(RequestKey {
        key: IdempotencyKey::new(digest, content),
        scope,
        session,
        secret: context
            .token
            .as_ref()
            .and_then(|token| secret(token, text))
            .or_else(|| secret_of_body(&body, text)),
        is_recorded: Cell::new(false),
        _running: running.ok_or(Refusal::KeyInFlight)?,
    })))
}

/// Returns the digest of caller, key and session. It names the record of a response that is not stored in a session.
fn digest_of(
    token: Option<&Token>,
    text: &[u8],
    scope: KeyScope,
    session: Option<&str>,
) -> store::Digest {
    let caller = token.map_or([0; 32], |token| token.hash().0);
    let apart = session.filter(|_| scope != KeyScope::Session);
    let parts = [&caller[..], text].into_iter();
    let parts = parts.chain(apart.map(str::as_bytes));
    digest_parts("wyrmgate 1 idempotency key", parts)
}

/// Returns the sealing key. A token that several people share identifies nobody and yields none.
fn secret(token: &Token, key: &[u8]) -> Option<[u8; 32]> {
    let derive = || token.derive_key("wyrmgate 1 stored response", key);
    token.is_personal().then(derive)
}

/// Returns the sealing key of a caller that shows a secret of its own choice in the body.
fn secret_of_body(body: &[u8], key: &[u8]) -> Option<[u8; 32]> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let secret = chosen_secret(body.get("secret")?.as_str()?)?;
    Some(digest_parts(
        "wyrmgate 1 chosen response secret",
        [&secret[..], key],
    ))
}

/// Returns the digest of everything that makes two requests equal. Bodies are compared in canonical form. If the same
/// request gets another digest than before, change the version of fingerprints in `session::Key`.
fn content(request: &ServiceRequest, body: &Bytes) -> [u8; 32] {
    let spelled = serde_json::from_slice(body).map(|mut body: Value| {
        make_whole(&mut body);
        body.sort_all_objects();
        body.to_string().into_bytes()
    });
    let body = spelled.unwrap_or_else(|_| body.to_vec());
    let tags = request.headers().get_all(IF_MATCH);
    let acting = request.headers().get_all(ACT_AS);
    let parts = [
        request.method().as_str().as_bytes(),
        request.match_info().as_str().as_bytes(),
        request.query_string().as_bytes(),
        &body,
    ];
    let parts = parts
        .into_iter()
        .chain(tags.chain(acting).map(HeaderValue::as_bytes));
    digest_parts("wyrmgate 3 request content", parts)
}

/// Hashes each part with its length in front, so that different lists never collide.
fn digest_parts<'a>(context: &str, parts: impl IntoIterator<Item = &'a [u8]>) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new_derive_key(context);
    for part in parts {
        hasher
            .update(&(part.len() as u64).to_le_bytes())
            .update(part);
    }
    *hasher.finalize().as_bytes()
}

/// Returns the stored response to the first request.
async fn first_response(
    context: &JsonContext,
    key: &RequestKey,
) -> Result<Option<HttpResponse>, Problem> {
    let service = context.service();
    let session = key.session.as_deref().unwrap_or_default();
    let places: &[AnswerPlace<'_>] = match key.scope {
        KeyScope::Session => &[AnswerPlace::Session(session)],
        // A creation may return an existing session, as a rematch does.
        KeyScope::NewSession => &[AnswerPlace::NewSession, AnswerPlace::Apart],
        KeyScope::Server => &[AnswerPlace::Apart],
    };
    for place in places {
        if let Some(bytes) = service.first_answer(*place, &key.key).await? {
            return StoredResponse::replay(&bytes, key).map(Some);
        }
    }
    Ok(None)
}

/// Stores the response if the handler has not stored it. A refused request looks its key up once more: another node may
/// have served the same request since the first look, and that may be why it was refused.
async fn settle(
    context: &JsonContext,
    key: &RequestKey,
    response: ServiceResponse,
) -> Result<ServiceResponse, Error> {
    if response.status().is_success() {
        return match key.is_recorded.get() {
            true => Ok(response),
            false => store_apart(context, key, response).await,
        };
    }
    let problem = response.response().extensions().get::<Problem>().cloned();
    let may_follow = |problem: &Problem| problem.may_follow_success() && !problem.is_replayed();
    let Some(problem) = problem.filter(may_follow) else {
        return Ok(response);
    };
    match first_response(context, key).await {
        Ok(Some(first)) => Ok(response.into_response(first)),
        Ok(None) if problem.is_lasting() => {
            Ok(store_refusal(context, key, problem, response).await)
        }
        Ok(None) => Ok(response),
        Err(problem) => Ok(response.error_response(problem)),
    }
}

async fn store_apart(
    context: &JsonContext,
    key: &RequestKey,
    response: ServiceResponse,
) -> Result<ServiceResponse, Error> {
    let (request, response) = response.into_parts();
    let (response, body) = response.into_parts();
    let body = to_bytes(body).await?;
    let location = response.headers().get(LOCATION);
    let location = location.and_then(|location| location.to_str().ok());
    let location = location.map(str::to_owned);
    let stored = StoredResponse::of_bytes(response.status(), location, body.to_vec()).encode(key);
    let service = context.service();
    match service.record_apart(&key.key, &stored).await {
        Ok(Some(first)) => return Ok(ServiceResponse::new(request, replayed(&first, key))),
        Ok(None) => {}
        Err(refusal) => tracing::warn!(%refusal, "cannot store a response"),
    }
    let response = response.set_body(body).map_into_boxed_body();
    Ok(ServiceResponse::new(request, response))
}

fn replayed(first: &[u8], key: &RequestKey) -> HttpResponse {
    StoredResponse::replay(first, key).unwrap_or_else(HttpResponse::from_error)
}

/// Stores a refusal if the caller is authenticated.
async fn store_refusal(
    context: &JsonContext,
    key: &RequestKey,
    problem: Problem,
    response: ServiceResponse,
) -> ServiceResponse {
    let (Some(session), Some(token)) = (&key.session, &context.token) else {
        return response;
    };
    if key.scope != KeyScope::Session {
        return response;
    }
    let localized = problem.localized(&context.accepted);
    let stored = StoredResponse::refused(&localized).encode(key);
    let service = context.service();
    let recorded = service.record_refusal(session, token, &key.key, &stored);
    match recorded.await {
        Ok(Some(first)) => response.into_response(replayed(&first, key)),
        Ok(None) => response,
        // The caller is unknown here or the store is unavailable, so a repeated request is evaluated again.
        Err(_) => response,
    }
}
