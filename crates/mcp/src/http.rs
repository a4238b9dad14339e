//! `/mcp`: the protocol over streamable HTTP, in the same server as the API.
//!
//! The SDK's service answers requests of the crate `http` 1; the server's are those of `http` 0.2. The two are translated
//! here. Calls of tools become requests of the API to this server itself, on behalf of the client that asked: they carry its
//! operator key, its languages, and its address for the rate limit.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use actix_web::error::InternalError;
use actix_web::http::header::CONTENT_LENGTH;
use actix_web::http::{Method, StatusCode};
use actix_web::web::{Bytes, Data, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse, web};
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::header::{ACCEPT, ACCEPT_LANGUAGE, HeaderName, HeaderValue};
use rmcp::transport::streamable_http_server::session::local::{LocalSessionManager, SessionConfig};
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use super::client::{Api, NoApi};
use super::handler::Handler;
use super::room::Room;

const PATH: &str = "/mcp";
const SESSION: &str = "mcp-session-id";
/// The forms of answers. The SDK wants both spelled out, and also serves clients that allow them by `*/*` or say nothing.
const FORMS: [&str; 2] = ["application/json", EVENT_STREAM];
const EVENT_STREAM: &str = "text/event-stream";
const NO_FORM: &str = "an answer is application/json or text/event-stream, so `Accept` must allow both, as `*/*` does";
const NO_ROOM: &str = "too many sessions are open; end one with DELETE, or try again later";
/// A model that is silent for so long has left, and its seats can be taken over by the owner of the table.
const SILENCE: Duration = Duration::from_secs(12 * 3600);

/// The endpoint, shared by all workers.
pub struct Mcp {
    service: StreamableHttpService<Handler, LocalSessionManager>,
    caller: Caller,
    room: Room,
}

/// Names the client of a request in the calls of the API that follow from it.
pub struct Caller {
    /// The header that names the client. Clients cannot send it themselves.
    pub header: &'static str,
    /// Returns the value of that header.
    pub name: Box<NameCaller>,
}

/// Names the client that sent a request, if its address is known.
pub type NameCaller = dyn Fn(&HttpRequest) -> Option<String> + Send + Sync;

impl Mcp {
    /// Creates the endpoint of the server that listens on this address. Pages of these origins may use it.
    pub fn new(
        address: SocketAddr,
        origins: impl IntoIterator<Item = String>,
        caller: Caller,
    ) -> Result<Mcp, NoApi> {
        let mut own = address;
        if own.ip().is_unspecified() {
            own.set_ip(match own {
                SocketAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
                SocketAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
            });
        }
        let api = Api::at(&format!("http://{own}"), None)?;
        let mut sessions = LocalSessionManager::default();
        sessions.session_config = SessionConfig::default();
        sessions.session_config.keep_alive = Some(SILENCE);
        // The server listens where its operator says, under any name. Pages need permission, as for the API.
        let config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .with_allowed_origins(origins)
            .enforce_origin_validation();
        let repeated = [ACCEPT_LANGUAGE, HeaderName::from_static(caller.header)];
        let repeated: Arc<[HeaderName]> = Arc::new(repeated);
        let handler = move || Ok(Handler::new(api.clone(), repeated.clone()));
        let sessions = Arc::new(sessions);
        Ok(Mcp {
            room: Room::of(sessions.clone()),
            service: StreamableHttpService::new(handler, sessions, config),
            caller,
        })
    }

    /// Ends all sessions, so that their streams close.
    pub fn stop(&self) {
        self.service.config.cancellation_token.cancel();
    }
}

/// Registers the endpoint, if there is one.
pub fn register(config: &mut ServiceConfig, mcp: Option<&Data<Mcp>>) {
    if let Some(mcp) = mcp {
        config.app_data(mcp.clone());
        for path in [PATH, "/mcp/"] {
            config.route(path, web::to(answer));
        }
    }
}

async fn answer(request: HttpRequest, body: Bytes, mcp: Data<Mcp>) -> HttpResponse {
    let mut asked = Request::builder()
        .method(request.method().as_str())
        .uri(PATH);
    let headers = request.headers().iter();
    let repeated = |name: &str| name != mcp.caller.header && name != ACCEPT.as_str();
    for (name, value) in headers.filter(|(name, _)| repeated(name.as_str())) {
        asked = asked.header(name.as_str(), value.as_bytes());
    }
    // Other methods have no answer.
    let wanted = |form: &&&str| match request.method().as_str() {
        "POST" => true,
        "GET" => **form == EVENT_STREAM,
        _ => false,
    };
    if !FORMS
        .iter()
        .filter(wanted)
        .all(|form| allows(&request, form))
    {
        return refused(StatusCode::NOT_ACCEPTABLE, NO_FORM.to_owned());
    }
    asked = asked.header(ACCEPT, FORMS.join(", "));
    let caller = (mcp.caller.name)(&request);
    if let Some(caller) = &caller {
        asked = asked.header(mcp.caller.header, caller);
    }
    let is_opening = request.method() == Method::POST && !request.headers().contains_key(SESSION);
    if is_opening && !mcp.room.is_there(caller.as_deref()).await {
        return HttpResponse::ServiceUnavailable().body(NO_ROOM);
    }
    let Ok(asked) = asked.body(Full::new(body)) else {
        return HttpResponse::BadRequest().finish();
    };
    let (head, body) = mcp.service.handle(asked).await.into_parts();
    let opened = head.headers.get(SESSION).filter(|_| is_opening);
    if let Some(Ok(id)) = opened.map(HeaderValue::to_str) {
        mcp.room.note(id, caller);
    }
    let status = StatusCode::from_u16(head.status.as_u16());
    let status = match status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR) {
        // The session has ended. Clients take 202 for a failure.
        StatusCode::ACCEPTED if request.method() == Method::DELETE => StatusCode::NO_CONTENT,
        status => status,
    };
    if status.is_client_error() {
        let reason = body.collect().await.map(|body| body.to_bytes());
        let reason = reason.unwrap_or_default();
        return refused(status, String::from_utf8_lossy(&reason).into_owned());
    }
    let mut response = HttpResponse::build(status);
    for (name, value) in &head.headers {
        if *name != CONTENT_LENGTH.as_str() {
            response.append_header((name.as_str(), value.as_bytes()));
        }
    }
    response.streaming(body.into_data_stream())
}

/// Returns an error response. The server makes a problem of it, with this reason.
fn refused(status: StatusCode, reason: String) -> HttpResponse {
    HttpResponse::from_error(InternalError::new(reason, status))
}

/// Returns whether the `Accept` headers of a request allow a form of answers.
fn allows(request: &HttpRequest, form: &str) -> bool {
    let accepted = request.headers().get_all(ACCEPT.as_str());
    let accepted: Vec<&str> = accepted.filter_map(|value| value.to_str().ok()).collect();
    let (whole_type, _) = form.split_once('/').unwrap_or((form, ""));
    let is_range = |range: &str| {
        let range = range
            .split(';')
            .next()
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase();
        range == form || range == "*/*" || range.strip_suffix("/*") == Some(whole_type)
    };
    accepted.is_empty() || accepted.iter().any(|value| value.split(',').any(is_range))
}
