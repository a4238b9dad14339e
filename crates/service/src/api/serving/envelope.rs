//! The outermost middleware. It sets request ids, logs and measures requests, serves `HEAD` as `GET`, and turns every
//! error into a problem, including those of the framework.

use std::borrow::Cow;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use actix_web::http::{ConnectionType, Method, StatusCode};
use actix_web::middleware::Next;
use actix_web::web::{Bytes, Data};
use actix_web::{Error, HttpResponse, ResponseError};
use tracing::{Instrument, Span};

use crate::api::operation::names;
use crate::api::request::app::App;
use crate::api::request::rates::{Charge, Quota};
use crate::api::request::request_ids::fresh_id;
use crate::api::request::{cors, path};
use crate::api::response::compression::compressed;
use crate::api::serving::audit;
use crate::api::shared::language::Accepted;
use crate::api::shared::problem::{Problem, ProblemCode};
use wyrmgate_sessions::trace::{self, AnsweredRequest, RequestContext, TraceParent};

/// Identifies the request in responses and in the log. A client may send its own.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const TRACE_PARENT: HeaderName = HeaderName::from_static(trace::HEADER);

const FOREIGN_NAME: &str = "a server without keys answers only under the names of its machine; use its address, such as \
    http://127.0.0.1:8080, or start it with keys or `--public-url`";

/// Returns the outermost layer of the application.
pub async fn envelope(
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let began = Instant::now();
    let asked = RequestContext {
        request_id: request_id(request.headers()).into(),
        parent: trace_of(request.headers()),
    };
    let id = asked.request_id.clone();
    let app = request.app_data::<Data<App>>().cloned();
    if is_draining(app.as_deref(), request.path()) {
        return Ok(draining(app, request, &id));
    }
    let wants_upgrade = request.head().upgrade();
    let is_head = request.method() == Method::HEAD;
    if is_head {
        request.head_mut().method = Method::GET;
    }
    let span = trace::span(&asked);
    let answering = answered(app, request, next, &id, began, &span);
    let answering = trace::within(asked, answering).instrument(span.clone());
    let mut response = answering.await?;
    finish(response.headers_mut(), &id);
    if wants_upgrade {
        // Java's client offers HTTP/2 in the first request of a connection. The server stays with HTTP/1.1 and closes such a
        // connection; a client that is not told so sends its next request into nothing.
        let head = response.response_mut().head_mut();
        head.set_connection_type(ConnectionType::Close);
    }
    Ok(if is_head {
        response.map_body(|_, body| BoxBody::new(Unsent(body.size())))
    } else {
        response
    })
}

/// Answers a request that the server accepts, and logs and measures it.
async fn answered(
    app: Option<Data<App>>,
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
    id: &str,
    began: Instant,
    span: &Span,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let mut gate = app.map(|app| Gate::of(app, &request));
    let stopped = match &mut gate {
        Some(gate) => gate.enter(&request).await,
        None => None,
    };
    let response = match stopped {
        Some(answer) => request.into_response(answer),
        // Handlers and extractors answer errors themselves; no other layer inside this one can fail.
        None => next.call(request).await?.map_into_boxed_body(),
    };
    let mut response = compressed(with_body(response, id));
    note(gate.as_ref(), &response, began, span);
    if let Some(gate) = gate {
        gate.finish(&mut response);
    }
    Ok(response)
}

/// The checks that run before a handler: CORS and the rate limit.
struct Gate {
    app: Data<App>,
    quota: Quota,
    /// Set once the request is admitted.
    charge: Option<Charge>,
    origin: Option<HeaderValue>,
}

impl Gate {
    fn of(app: Data<App>, request: &ServiceRequest) -> Gate {
        let key = app.key_of(request.headers());
        Gate {
            quota: app.rates.quota(request, &app.config, key),
            charge: None,
            origin: cors::allowed(request.headers(), &app.config.allow_origins),
            app,
        }
    }

    /// Charges the request. Returns a response if no handler needs to run.
    async fn enter(&mut self, request: &ServiceRequest) -> Option<HttpResponse> {
        if !names::is_ours(&self.app, request.headers()) {
            let problem = Problem::new(ProblemCode::Forbidden).detail(FOREIGN_NAME);
            return Some(problem.error_response());
        }
        if self.origin.is_some() && cors::is_preflight(request) {
            return Some(cors::preflight());
        }
        match self.app.rates.charge(self.quota).await {
            Ok(charge) => {
                self.charge = Some(charge);
                None
            }
            Err(quota) => {
                self.quota = quota;
                let metrics = self.app.service.metrics();
                metrics.load().refused(quota.bucket.name());
                let problem = Problem::new(ProblemCode::RateLimited).retry_after(quota.wait);
                Some(problem.error_response())
            }
        }
    }

    fn finish(self, response: &mut ServiceResponse<BoxBody>) {
        let quota = match self.charge {
            Some(charge) => charge.settle(response.status()),
            None => self.quota,
        };
        quota.add_headers(response.headers_mut());
        if let Some(origin) = self.origin {
            cors::allow(response.headers_mut(), origin);
        }
    }
}

/// Counts the response and logs it at level `info`.
fn note(gate: Option<&Gate>, response: &ServiceResponse<BoxBody>, began: Instant, span: &Span) {
    let (request, took) = (response.request(), began.elapsed());
    let status = response.status().as_u16();
    let route = match path::pattern_of(request) {
        Some(pattern) => Cow::Borrowed(pattern.0),
        None => request.match_pattern().map_or("other".into(), Cow::Owned), // the pages
    };
    let (method, path) = (known_method(request.method()), audit::shown(request.path()));
    let answer = AnsweredRequest {
        method,
        path: &path,
        route: &route,
        status,
    };
    trace::answered(span, &answer);
    if let Some(gate) = gate.filter(|_| audit::is_told()) {
        audit::tell(&gate.app, request, &answer, took);
    }
    if let Some(gate) = gate {
        let metrics = gate.app.service.metrics();
        metrics.answered(method, route, status, took);
    }
}

/// Returns the trace that the request belongs to.
fn trace_of(headers: &HeaderMap) -> Option<TraceParent> {
    TraceParent::parse(headers.get(TRACE_PARENT)?.to_str().ok()?)
}

/// Returns the method as a metric label. Clients can invent methods, so unknown ones share a value.
fn known_method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

fn is_draining(app: Option<&Arc<App>>, path: &str) -> bool {
    let stopping = app.is_some_and(|app| app.shutdown.is_given());
    stopping && path.starts_with("/v1")
}

/// Refuses requests that arrive after the shutdown has begun. The client retries later or on another server.
fn draining(app: Option<Data<App>>, request: ServiceRequest, id: &str) -> ServiceResponse<BoxBody> {
    let mut response = Problem::new(ProblemCode::Draining).respond(id);
    response
        .head_mut()
        .set_connection_type(ConnectionType::Close);
    // A refused request does not count against the rate limit.
    if let Some(gate) = app.map(|app| Gate::of(app, &request)) {
        gate.quota.add_headers(response.headers_mut());
    }
    finish(response.headers_mut(), id);
    request.into_response(response)
}

/// Adds a body to error responses.
fn with_body(response: ServiceResponse<BoxBody>, request_id: &str) -> ServiceResponse<BoxBody> {
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        return response;
    }
    let problem = response.response().extensions().get::<Problem>().cloned();
    let problem = problem.unwrap_or_else(|| foreign(status, response.response()));
    if status.is_server_error() {
        let (method, path) = (
            response.request().method(),
            audit::shown(response.request().path()),
        );
        tracing::warn!(code = %problem.code, %method, %path, "request failed");
    }
    let accepted = Accepted::of(response.request().headers());
    let mut answer = problem.localized(&accepted).respond(request_id);
    for (name, value) in response.headers() {
        if !answer.headers().contains_key(name) && !is_about_the_body(name) {
            answer.headers_mut().insert(name.clone(), value.clone());
        }
    }
    response.into_response(answer)
}

/// Converts an error response of the framework to a problem.
fn foreign(status: StatusCode, response: &HttpResponse) -> Problem {
    let code = ProblemCode::of_status(status);
    match response.error() {
        Some(error) if status.is_server_error() => {
            tracing::error!(%error, "the HTTP framework failed");
            Problem::new(code)
        }
        Some(error) => Problem::new(code).detail(error.to_string()),
        None => Problem::new(code),
    }
}

fn is_about_the_body(name: &HeaderName) -> bool {
    name.as_str().starts_with("content-")
}

/// Adds the headers that every response has.
fn finish(headers: &mut HeaderMap, id: &str) {
    if let Ok(id) = HeaderValue::from_str(id) {
        headers.insert(REQUEST_ID, id);
    }
    harden(headers);
}

/// Adds security headers. Responses are data for one caller, so they are neither sniffed nor cached.
pub fn harden(headers: &mut HeaderMap) {
    use actix_web::http::header::{CACHE_CONTROL, X_CONTENT_TYPE_OPTIONS};
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if !headers.contains_key(CACHE_CONTROL) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
}

fn request_id(headers: &HeaderMap) -> String {
    let brought = headers.get(REQUEST_ID).and_then(|id| id.to_str().ok());
    let is_fine = |id: &&str| {
        let visible = id
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && byte != b'"');
        visible && (1..=64).contains(&id.len())
    };
    match brought.filter(is_fine) {
        Some(id) => id.to_owned(),
        None => fresh_id(),
    }
}

/// The size of a body that is not sent.
struct Unsent(BodySize);

impl MessageBody for Unsent {
    type Error = std::convert::Infallible;

    fn size(&self) -> BodySize {
        self.0
    }

    fn poll_next(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Poll::Ready(None)
    }
}
