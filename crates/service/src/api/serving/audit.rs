//! The lines of the log that say who did what. No line has a credential.

use std::borrow::Cow;
use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::http::Method;
use tracing::Level;
use tracing::field::display;

use crate::api::request::app::{App, credential};
use crate::api::request::client::client_of;
use wyrmgate_sessions::Token;
use wyrmgate_sessions::trace::AnsweredRequest;

/// How the routes of writes end that change nothing that lasts.
const PASSING: [&str; 2] = ["/steps", "-checks"];
/// What concerns the whole server, whoever does it.
const OF_SERVER: [&str; 2] = ["/v1/rulesets", "/backup"];

/// Returns whether anybody reads these lines: what they say is found out only then.
pub fn is_told() -> bool {
    tracing::enabled!(Level::INFO) || tracing::enabled!(target: "audit", Level::INFO)
}

/// Logs an answer at level `info`, and again under `audit` if somebody has acted with the rights of an operator or an owner, has
/// deleted something, or has changed what all share.
pub fn tell(app: &App, request: &HttpRequest, answer: &AnsweredRequest<'_>, took: Duration) {
    let AnsweredRequest {
        method,
        path,
        route,
        status,
    } = *answer;
    let (headers, micros) = (request.headers(), took.as_micros() as u64);
    let key = app.key_of(headers).map(|key| key.name);
    let (key, by) = (key.as_deref(), kind_of(credential(headers)));
    let address = client_of(request.peer_addr(), headers, app.config.proxies).map(display);
    tracing::info!(
        method, path, route, status, micros, by, key, address, "answered"
    );
    let is_passing = PASSING.iter().any(|end| route.ends_with(end));
    let is_write = *request.method() != Method::GET && !is_passing;
    let is_privileged = ["key", "owner"].contains(&by) || method == "DELETE";
    if (is_write && is_privileged) || OF_SERVER.contains(&route) {
        tracing::info!(target: "audit", method, path, route, status, by, key, address, "acted");
    }
}

/// Returns a path without credentials: some clients put them where an id belongs.
pub fn shown(path: &str) -> Cow<'_, str> {
    match path.split_once("wg_") {
        Some((before, _)) => format!("{before}wg_…").into(),
        None => path.into(),
    }
}

/// Returns the kind of a credential: `seat`, `owner`, `invite`, `watch`, `key`, `player`, `other` or `nobody`.
fn kind_of(credential: Option<&str>) -> &'static str {
    let kind = |token: Token| token.kind().name().trim_start_matches("wg_");
    let kind = |text| Token::parse(text).map_or("other", kind);
    credential.map_or("nobody", kind).trim_end_matches('_')
}
