//! `/mcp`: the protocol over streamable HTTP, for many models at once.
//!
//! Calls of tools become requests to the API on behalf of the client that asked: they carry its operator key, its languages,
//! and its address, as a reverse proxy passes it on.

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{ACCEPT, ACCEPT_LANGUAGE, HeaderMap, HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::session::local::{LocalSessionManager, SessionConfig};
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};

use super::client::Api;
use super::handler::Handler;
use super::room::OpenSessions;

const PATHS: [&str; 2] = ["/mcp", "/mcp/"];
const SESSION: &str = "mcp-session-id";
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
/// The forms of answers. The SDK wants both spelled out, and also serves clients that allow them by `*/*` or say nothing.
const FORMS: [&str; 2] = ["application/json", EVENT_STREAM];
const BOTH_FORMS: &str = "application/json, text/event-stream";
const EVENT_STREAM: &str = "text/event-stream";
const NO_FORM: &str = "an answer is application/json or text/event-stream, so `Accept` must allow both, as `*/*` does";
const NO_ROOM: &str = "too many sessions are open; end one with DELETE, or try again later";
const NO_BODY: &str = "the body is longer than 64 KiB, or takes longer than 30 seconds";
/// A model that is silent for so long has left, and its seats can be taken over by the owner of the table.
const SILENCE: Duration = Duration::from_secs(12 * 3600);
/// Time limits for the head and for the body of a request.
const HEAD: Duration = Duration::from_secs(10);
const BODY: Duration = Duration::from_secs(30);
/// Delay after a connection that could not be accepted.
const PAUSE: Duration = Duration::from_millis(100);
const BODY_BYTES_MAX: usize = 64 * 1024;

type Answer = Response<BoxBody<Bytes, Infallible>>;

/// The endpoint.
pub struct Endpoint {
    service: StreamableHttpService<Handler, LocalSessionManager>,
    room: OpenSessions,
    proxies: usize,
}

impl Endpoint {
    /// Creates the endpoint. Pages of these origins may use it; each of the proxies in front of it adds the address that it
    /// saw to `X-Forwarded-For`.
    pub fn new(api: Api, origins: Vec<String>, proxies: usize) -> Endpoint {
        let mut sessions = LocalSessionManager::default();
        sessions.session_config = SessionConfig::default();
        sessions.session_config.keep_alive = Some(SILENCE);
        // The program listens where its operator says, under any name. Pages need permission, as for the API.
        let config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .with_allowed_origins(origins)
            .enforce_origin_validation();
        let repeated: Arc<[HeaderName]> = Arc::new([ACCEPT_LANGUAGE, FORWARDED_FOR]);
        let handler = move || Ok(Handler::new(api.clone(), repeated.clone()));
        let sessions = Arc::new(sessions);
        Endpoint {
            room: OpenSessions::of(sessions.clone()),
            service: StreamableHttpService::new(handler, sessions, config),
            proxies,
        }
    }

    /// Serves the connections of a listener until its task ends.
    pub async fn serve(self, listener: TcpListener) {
        let endpoint = Arc::new(self);
        loop {
            match listener.accept().await {
                Ok((stream, peer)) => {
                    drop(tokio::spawn(endpoint.clone().connected(stream, peer.ip())))
                }
                // Files are used up, or the client has left; neither lasts.
                Err(_) => sleep(PAUSE).await,
            }
        }
    }

    async fn connected(self: Arc<Self>, stream: TcpStream, peer: IpAddr) {
        let answer = service_fn(|request| {
            let endpoint = self.clone();
            async move { Ok::<_, Infallible>(endpoint.answer(request, peer).await) }
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD)
            .serve_connection(TokioIo::new(stream), answer);
        // An error means that the client has broken the connection.
        let _ = connection.await;
    }

    async fn answer(&self, request: Request<Incoming>, peer: IpAddr) -> Answer {
        let (mut head, body) = request.into_parts();
        if !PATHS.contains(&head.uri.path()) {
            return refused(StatusCode::NOT_FOUND, "the endpoint is `/mcp`");
        }
        if !forms_of(&head.method)
            .iter()
            .all(|form| allows(&head.headers, form))
        {
            return refused(StatusCode::NOT_ACCEPTABLE, NO_FORM);
        }
        head.headers
            .insert(ACCEPT, HeaderValue::from_static(BOTH_FORMS));
        let client = self.client_of(&head.headers, peer);
        if let Ok(client) = HeaderValue::from_str(&client) {
            head.headers.insert(FORWARDED_FOR, client);
        }
        let reading = timeout(BODY, Limited::new(body, BODY_BYTES_MAX).collect()).await;
        let Ok(Ok(body)) = reading else {
            return refused(StatusCode::PAYLOAD_TOO_LARGE, NO_BODY);
        };
        let method = head.method.clone();
        let is_opening = method == Method::POST && !head.headers.contains_key(SESSION);
        if is_opening && !self.room.is_there(&client).await {
            return refused(StatusCode::SERVICE_UNAVAILABLE, NO_ROOM);
        }
        let request = Request::from_parts(head, Full::new(body.to_bytes()));
        let mut response = self.service.handle(request).await;
        let opened = response.headers().get(SESSION).filter(|_| is_opening);
        if let Some(Ok(id)) = opened.map(HeaderValue::to_str) {
            self.room.note(id, client);
        }
        // The session has ended. Clients take 202 for a failure.
        if method == Method::DELETE && response.status() == StatusCode::ACCEPTED {
            *response.status_mut() = StatusCode::NO_CONTENT;
        }
        response
    }

    /// Returns the address of the client: the peer, or what the outermost proxy saw.
    fn client_of(&self, headers: &HeaderMap, peer: IpAddr) -> String {
        let named = headers.get_all(FORWARDED_FOR).iter();
        let named = named.map(|value| value.to_str().unwrap_or("unknown"));
        let named = named.flat_map(|value| value.split(','));
        let mut way: Vec<String> = named.map(|address| address.trim().to_owned()).collect();
        way.push(peer.to_string());
        let client = way.len().saturating_sub(self.proxies + 1);
        way.swap_remove(client)
    }
}

fn refused(status: StatusCode, reason: &'static str) -> Answer {
    let mut response = Response::new(Full::from(reason).boxed());
    *response.status_mut() = status;
    response
}

/// Returns the forms that the answers to a method may have.
fn forms_of(method: &Method) -> &'static [&'static str] {
    match *method {
        Method::POST => &FORMS,
        Method::GET => &[EVENT_STREAM],
        _ => &[],
    }
}

/// Returns whether the `Accept` headers of a request allow a form of answers.
fn allows(headers: &HeaderMap, form: &str) -> bool {
    let accepted = headers.get_all(ACCEPT).iter();
    let accepted: Vec<&str> = accepted.filter_map(|value| value.to_str().ok()).collect();
    let (whole_type, _) = form.split_once('/').unwrap_or((form, ""));
    let is_range = |range: &str| {
        let range = range.split(';').next().unwrap_or_default();
        let range = range.trim().to_ascii_lowercase();
        range == form || range == "*/*" || range.strip_suffix("/*") == Some(whole_type)
    };
    accepted.is_empty() || accepted.iter().any(|value| value.split(',').any(is_range))
}
