//! `Idempotency-Key`: a write has one effect and one response, however often it is sent.
//!
//! Every write passes through here on its way from the router to its handler. A request with a key is looked up before
//! anything of it is judged: whoever repeats a request whose answer was lost gets the first response, also if that response
//! has made its credential void. The handler hands the key on, and the response is stored by the commit that makes the
//! change; where a handler commits nothing it is stored here. Refusals are stored only for callers that are known.

use std::cell::Cell;
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use actix_service::Service;
use actix_web::body::to_bytes;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderName, HeaderValue, IF_MATCH, LOCATION};
use actix_web::web::Bytes;
use actix_web::{Error, HttpMessage, HttpResponse};
use serde_json::Value;

use super::context::Context;
use super::extract::read_body;
use super::headers;
use super::numbers::make_whole;
use super::path;
use super::problem::{Code, Problem};
use super::router::RouteService;
use super::stored_response::StoredResponse;
use crate::session::{AnswerPlace, Answered, Key, Made, Refusal, Token};
use wyrmgate_store as store;

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// Where the first response to a keyed request is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyScope {
    /// In the session that the path names, by the commit that makes the change.
    Session,
    /// In the session that is created.
    NewSession,
    /// In a record of its own.
    Server,
}

/// The `Idempotency-Key` of a request, and everything it is compared by.
#[derive(Clone)]
pub struct RequestKey(Rc<Inner>);

struct Inner {
    key: Key,
    scope: KeyScope,
    /// The session that the path names.
    session: Option<String>,
    /// Seals the secrets of the response; `None` if the caller has no token of its own.
    secret: Option<[u8; 32]>,
    is_recorded: Cell<bool>,
    /// Until the request is answered.
    _running: Running,
}

impl RequestKey {
    pub fn key(&self) -> &Key {
        &self.0.key
    }

    pub fn secret(&self) -> Option<&[u8; 32]> {
        self.0.secret.as_ref()
    }

    /// The response goes into the store with the change.
    pub fn note_recorded(&self) {
        self.0.is_recorded.set(true);
    }
}

/// Keys whose requests are being served by this node.
#[derive(Default, Clone)]
pub struct RunningKeys(Arc<Mutex<HashSet<store::Digest>>>);

struct Running {
    keys: RunningKeys,
    name: store::Digest,
}

impl RunningKeys {
    /// `None` if a request with this key runs already.
    fn begin(&self, name: store::Digest) -> Option<Running> {
        let is_new = self.lock().insert(name);
        is_new.then(|| Running {
            keys: self.clone(),
            name,
        })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashSet<store::Digest>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.keys.lock().remove(&self.name);
    }
}

/// Serves a write.
pub async fn serve(
    handler: Rc<RouteService>,
    scope: KeyScope,
    mut request: ServiceRequest,
) -> Result<ServiceResponse, Error> {
    let context = Context::of(request.request()).ok();
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
            Ok(Some(response)) => return Ok(durable(context, request.into_response(response))),
            Ok(None) => {}
            Err(problem) => return Ok(request.error_response(problem)),
        }
        request.extensions_mut().insert(key.clone());
    }
    let mut response = handler.call(request).await?;
    let Some(context) = context else {
        return Ok(response);
    };
    if let Some(key) = &key {
        response = settle(&context, key, response).await?;
    }
    Ok(durable(&context, response))
}

/// Says what the change survives.
fn durable(context: &Context, mut response: ServiceResponse) -> ServiceResponse {
    if response.status().is_success() {
        let level = context.service().store().durability().name();
        let level = HeaderValue::from_static(level);
        response.headers_mut().insert(headers::DURABILITY, level);
    }
    response
}

/// Reads the key and the body it stands for. The body is put back for the handler.
async fn prepare(
    context: &Context,
    scope: KeyScope,
    request: &mut ServiceRequest,
) -> Result<Option<RequestKey>, Problem> {
    let Some(text) = request.headers().get(IDEMPOTENCY_KEY).cloned() else {
        return Ok(None);
    };
    let text = text.as_bytes();
    if !text.iter().all(u8::is_ascii_graphic) || !(1..=64).contains(&text.len()) {
        let wanted = "an idempotency key has 1 to 64 visible ASCII characters";
        return Err(Problem::malformed("Idempotency-Key", wanted));
    }
    let (head, payload) = request.parts_mut();
    let body = read_body(head, payload).await?;
    let content = content(request, &body);
    request.set_payload(body.into());
    let session = path::part(request.match_info().as_str(), "session");
    let digest = digest_of(context.token.as_ref(), text, scope, session.as_deref());
    let place = session.as_deref().unwrap_or_default().as_bytes();
    let name = digest_parts("wyrmgate 1 running key", [&digest[..], place]);
    let running = context.app().running_keys.begin(name);
    Ok(Some(RequestKey(Rc::new(Inner {
        key: Key::new(digest, content),
        scope,
        session,
        secret: context.token.as_ref().and_then(|token| secret(token, text)),
        is_recorded: Cell::new(false),
        _running: running.ok_or(Refusal::KeyInFlight)?,
    }))))
}

/// Of caller, key, and the session: where the answer is not stored in that session, the digest names it.
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

/// Whoever shows a token that others have too is nobody in particular.
fn secret(token: &Token, key: &[u8]) -> Option<[u8; 32]> {
    let derive = || token.derive_key("wyrmgate 1 stored response", key);
    token.is_personal().then(derive)
}

/// Everything that makes two requests the same. Bodies are compared in one spelling. Where the same request gets another
/// digest than before, the mark of fingerprints in `session::Key` is to be raised.
fn content(request: &ServiceRequest, body: &Bytes) -> [u8; 32] {
    let spelled = serde_json::from_slice(body).map(|mut body: Value| {
        make_whole(&mut body);
        body.sort_all_objects();
        body.to_string().into_bytes()
    });
    let body = spelled.unwrap_or_else(|_| body.to_vec());
    let tags = request.headers().get_all(IF_MATCH);
    let parts = [
        request.method().as_str().as_bytes(),
        request.match_info().as_str().as_bytes(),
        request.query_string().as_bytes(),
        &body,
    ];
    let parts = parts.into_iter().chain(tags.map(HeaderValue::as_bytes));
    digest_parts("wyrmgate 3 request content", parts)
}

/// Each part with its length before it, so that no two lists of parts look the same.
fn digest_parts<'a>(context: &str, parts: impl IntoIterator<Item = &'a [u8]>) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new_derive_key(context);
    for part in parts {
        hasher
            .update(&(part.len() as u64).to_le_bytes())
            .update(part);
    }
    *hasher.finalize().as_bytes()
}

/// What was answered when the request came first.
async fn first_response(
    context: &Context,
    key: &RequestKey,
) -> Result<Option<HttpResponse>, Problem> {
    let service = context.service();
    let session = key.0.session.as_deref().unwrap_or_default();
    let places: &[AnswerPlace<'_>] = match key.0.scope {
        KeyScope::Session => &[AnswerPlace::Session(session)],
        // A creation may find what is there already, as a rematch does.
        KeyScope::NewSession => &[AnswerPlace::NewSession, AnswerPlace::Apart],
        KeyScope::Server => &[AnswerPlace::Apart],
    };
    for place in places {
        if let Some(bytes) = service.first_answer(*place, key.key()).await? {
            return StoredResponse::replay(&bytes, key).map(Some);
        }
    }
    Ok(None)
}

/// Stores what the handler has not stored itself.
async fn settle(
    context: &Context,
    key: &RequestKey,
    response: ServiceResponse,
) -> Result<ServiceResponse, Error> {
    if response.status().is_success() && !key.0.is_recorded.get() {
        return store_apart(context, key, response).await;
    }
    let problem = response.response().extensions().get::<Problem>().cloned();
    match problem.filter(Problem::is_lasting) {
        Some(problem) => Ok(store_refusal(context, key, problem, response).await),
        None => Ok(response),
    }
}

async fn store_apart(
    context: &Context,
    key: &RequestKey,
    response: ServiceResponse,
) -> Result<ServiceResponse, Error> {
    let (request, response) = response.into_parts();
    let (response, body) = response.into_parts();
    let body = to_bytes(body).await?;
    let location = response.headers().get(LOCATION);
    let location = location.and_then(|location| location.to_str().ok());
    let location = location.map(str::to_owned);
    let stored = StoredResponse::of_bytes(response.status(), location, &body).encode(key);
    let service = context.service();
    match service.record_apart(key.key(), &stored).await {
        Ok(Some(first)) => match StoredResponse::replay(&first, key) {
            Ok(response) => return Ok(ServiceResponse::new(request, response)),
            Err(problem) => return Ok(ServiceResponse::from_err(problem, request)),
        },
        Ok(None) => {}
        Err(refusal) => tracing::warn!(%refusal, "a response cannot be stored"),
    }
    let response = response.set_body(body).map_into_boxed_body();
    Ok(ServiceResponse::new(request, response))
}

/// A refusal stays what it was, if it was of a known caller.
async fn store_refusal(
    context: &Context,
    key: &RequestKey,
    problem: Problem,
    response: ServiceResponse,
) -> ServiceResponse {
    let (Some(session), Some(token)) = (&key.0.session, &context.token) else {
        return response;
    };
    if key.0.scope != KeyScope::Session || problem.is_replayed() {
        return response;
    }
    let told = problem.told_in(&context.accepted);
    let stored = StoredResponse::refused(&told).encode(key);
    let service = context.service();
    let recorded = service.record_refusal(session, token, key.key(), &stored);
    match recorded.await {
        Ok(Some(first)) => match StoredResponse::replay(&first, key) {
            Ok(first) => response.into_response(first),
            Err(problem) => response.error_response(problem),
        },
        Ok(None) => response,
        // The caller is nobody here, or the store is away: then the request is judged anew.
        Err(_) => response,
    }
}

/// The response to a change that was made, now or before.
pub fn respond(
    context: &Context,
    answered: Answered<Made>,
    describe: impl FnOnce(&Made) -> StoredResponse,
) -> Result<HttpResponse, Problem> {
    match (answered, &context.request_key) {
        (Answered::Fresh(made), _) => Ok(describe(&made).respond()),
        (Answered::Replayed(bytes), Some(key)) => StoredResponse::replay(&bytes, key),
        (Answered::Replayed(_), None) => Err(Problem::new(Code::Internal)),
    }
}

/// The key that the router has left with a request.
pub fn left_with(request: &actix_web::HttpRequest) -> Option<RequestKey> {
    request.extensions().get::<RequestKey>().cloned()
}
