//! Problems: why a request fails, as `application/problem+json` (RFC 9457).

use std::ops::{Deref, DerefMut};

use actix_web::body::BoxBody;
use actix_web::http::StatusCode;
use actix_web::http::header::{
    ALLOW, CONTENT_LANGUAGE, HeaderName, HeaderValue, RETRY_AFTER, VARY, WWW_AUTHENTICATE,
};
use actix_web::{HttpResponse, ResponseError};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use crate::api::shared::code::ProblemCode;
use crate::api::shared::finding::Finding;
use crate::api::shared::headers;
use crate::api::shared::language::Accepted;
use wyrmgate_base::diagnostic::did_you_mean;

/// Problems quote this much of a name that a client sent.
const NAME_MAX: usize = 80;

/// Sent in place of a problem that cannot be serialized.
const BROKEN: &[u8] =
    br#"{"type":"about:blank","title":"Internal server error","status":500,"code":"internal"}"#;

/// Why a request fails. It lies in memory of its own: every extractor and every handler may return one, and whatever waits for
/// them would be as large.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Problem(Box<ProblemDocument>);

impl Deref for Problem {
    type Target = ProblemDocument;

    fn deref(&self) -> &ProblemDocument {
        &self.0
    }
}

impl DerefMut for Problem {
    fn deref_mut(&mut self) -> &mut ProblemDocument {
        &mut self.0
    }
}

/// A problem, in the form of RFC 9457.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = Problem)]
pub struct ProblemDocument {
    /// Link to the explanation of this kind of problem on this server.
    #[serde(rename = "type")]
    #[schema(format = "uri-reference", example = "/problems/stale-version")]
    pub type_: String,
    /// A short title, the same for every occurrence of a code.
    pub title: String,
    /// The HTTP status code.
    #[schema(minimum = 400, maximum = 599)]
    pub status: u16,
    /// Stable code for programs.
    #[schema(example = "stale-version")]
    pub code: String,
    /// The problem with this request.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub detail: Option<String>,
    /// Identifies this request in the log of the server. Also in the header `X-Request-Id`.
    pub request_id: String,
    /// The parts of the request that are wrong.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub errors: Vec<FieldError>,
    /// The current version of the session.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub version: Option<u64>,
    /// The rule that forbids the choice.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<Reason>,
    /// The limit that was exceeded.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(example = "fuel")]
    pub limit: Option<String>,
    /// With `not-found`: what exists instead, as far as the caller may know.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub available: Vec<String>,
    /// The first 100 errors in the rules.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub diagnostics: Vec<Finding>,
    /// Seconds to wait before a retry. Also in the header `Retry-After`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(minimum = 0, maximum = 3600)]
    pub retry_after: Option<u32>,
    #[serde(skip)]
    beside: Beside,
}

/// What the headers of the response say beside the problem.
#[derive(Debug, Clone, Default)]
struct Beside {
    allow: Option<String>,
    is_replayed: bool,
    language: Option<String>,
}

/// A part of the request that is wrong.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct FieldError {
    /// A JSON Pointer into the body, or the name of a parameter or header.
    #[schema(example = "/seats/0")]
    pub pointer: String,
    pub code: String,
    pub detail: String,
}

/// The rule that forbids a choice or a setup.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Reason {
    pub message: String,
    /// The clauses of the rules that forbid it.
    pub clauses: Vec<ClauseText>,
    /// The file of the ruleset with the condition that failed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(example = "some-game/game.yaml")]
    pub file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(minimum = 1)]
    pub line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(minimum = 1)]
    pub column: Option<usize>,
}

/// A numbered clause of a game's rules.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ClauseText {
    #[schema(example = "WAY-05")]
    pub id: String,
    pub text: String,
    /// The text in each language, until one of them is chosen.
    #[serde(skip)]
    texts: Vec<(String, String)>,
}

impl ClauseText {
    /// Creates a clause in the first language; [`Problem::localized`] selects another one.
    pub fn new(id: String, texts: Vec<(String, String)>) -> ClauseText {
        let text = texts.first().map(|(_, text)| text.clone());
        ClauseText {
            id,
            text: text.unwrap_or_default(),
            texts,
        }
    }

    /// Selects a language and returns its tag.
    fn localize(&mut self, accepted: &Accepted) -> Option<String> {
        let texts = std::mem::take(&mut self.texts);
        let tags: Vec<String> = texts.iter().map(|(tag, _)| tag.clone()).collect();
        let chosen = usize::from(accepted.among(&tags).0);
        let (tag, text) = texts.into_iter().nth(chosen)?;
        self.text = text;
        Some(tag)
    }
}

impl Problem {
    pub fn new(code: ProblemCode) -> Problem {
        let row = code.row();
        Problem(Box::new(ProblemDocument {
            type_: format!("/problems/{}", row.code),
            title: row.title.into(),
            status: row.status,
            code: row.code.into(),
            detail: None,
            request_id: String::new(),
            errors: Vec::new(),
            version: None,
            reason: None,
            limit: None,
            available: Vec::new(),
            diagnostics: Vec::new(),
            retry_after: code.retry_after(),
            beside: Beside::default(),
        }))
    }

    /// Returns the parts of the problem.
    pub fn into_document(self) -> ProblemDocument {
        *self.0
    }

    pub fn detail(mut self, detail: impl Into<String>) -> Problem {
        self.detail = Some(detail.into());
        self
    }

    /// Returns a `malformed` problem that points at a part of the request.
    pub fn malformed(pointer: &str, detail: impl Into<String>) -> Problem {
        Problem::pointing(ProblemCode::Malformed, pointer, detail.into())
    }

    /// Returns an `unprocessable` problem that points at a part of the request.
    pub fn unprocessable(pointer: &str, detail: impl Into<String>) -> Problem {
        Problem::pointing(ProblemCode::Unprocessable, pointer, detail.into())
    }

    /// Returns a `not-found` problem that lists what exists.
    pub fn unknown(what: &str, name: &str, available: Vec<String>) -> Problem {
        let meant = did_you_mean(name, available.iter().map(String::as_str));
        let meant = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
        let end = if meant.is_empty() { "." } else { "" };
        let mut detail = format!("there is no {what} `{}`{meant}", shortened(name));
        if !available.is_empty() {
            let listed: Vec<String> = available.iter().map(|name| format!("`{name}`")).collect();
            detail = format!("{detail}{end} Available: {}", listed.join(", "));
        }
        let mut problem = Problem::new(ProblemCode::NotFound).detail(detail);
        problem.available = available;
        problem
    }

    fn pointing(code: ProblemCode, pointer: &str, detail: String) -> Problem {
        let mut problem = Problem::new(code).detail(detail.clone());
        problem.errors.push(FieldError {
            pointer: pointer.into(),
            code: code.row().code.into(),
            detail,
        });
        problem
    }

    /// Makes the places of errors those in a list of steps.
    pub fn in_list(mut self, number: usize) -> Problem {
        for error in &mut self.errors {
            error.pointer = format!("/steps/{number}{}", error.pointer);
        }
        self
    }

    pub fn version(mut self, version: u64) -> Problem {
        self.version = Some(version);
        self
    }

    pub fn reason(mut self, reason: Reason) -> Problem {
        self.reason = Some(reason);
        self
    }

    /// Selects the client's preferred language for texts from the rules.
    pub fn localized(mut self, accepted: &Accepted) -> Problem {
        let clauses = self
            .reason
            .iter_mut()
            .flat_map(|reason| &mut reason.clauses);
        let chosen = clauses
            .filter_map(|clause| clause.localize(accepted))
            .last();
        self.beside.language = chosen.or(self.beside.language.take());
        self
    }

    /// Sets the language of a problem that was stored under an `Idempotency-Key`.
    pub fn in_language(mut self, language: Option<String>) -> Problem {
        self.beside.language = language;
        self
    }

    /// Returns the language of the texts from the rules, once it is selected.
    pub fn language(&self) -> Option<&str> {
        self.beside.language.as_deref()
    }

    pub fn limit(mut self, limit: &str) -> Problem {
        self.limit = Some(limit.into());
        self
    }

    /// Sets the time after which a retry makes sense.
    pub fn retry_after(mut self, wait: std::time::Duration) -> Problem {
        let seconds = wait.as_millis().div_ceil(1000).max(1);
        self.retry_after = Some(u32::try_from(seconds).unwrap_or(u32::MAX));
        self
    }

    pub fn allow(mut self, methods: String) -> Problem {
        self.beside.allow = Some(methods);
        self
    }

    /// Marks the problem as an idempotent replay.
    pub fn replayed(mut self) -> Problem {
        self.beside.is_replayed = true;
        self
    }

    pub fn is_replayed(&self) -> bool {
        self.beside.is_replayed
    }

    /// Returns whether the same request, served before, may have caused the problem: by removing the session, by replacing
    /// the caller's credential, or by changing the state.
    pub fn may_follow_success(&self) -> bool {
        let unfound = [ProblemCode::Unauthenticated, ProblemCode::NotFound];
        let is = |code: &ProblemCode| self.code == code.row().code;
        self.is_lasting() || unfound.iter().any(is)
    }

    /// Returns whether the problem is a verdict on the request itself. Problems of the moment, of the form of the
    /// request or of an unknown caller are not.
    pub fn is_lasting(&self) -> bool {
        let passing = [
            ProblemCode::Malformed,
            ProblemCode::Unauthenticated,
            ProblemCode::NotFound,
            ProblemCode::MethodNotAllowed,
            ProblemCode::NotAcceptable,
            ProblemCode::Timeout,
            ProblemCode::IdempotencyInFlight,
            ProblemCode::TooLarge,
            ProblemCode::UnsupportedMediaType,
            ProblemCode::IdempotencyMismatch,
            ProblemCode::RateLimited,
            ProblemCode::HeadersTooLarge,
        ];
        let is = |code: &ProblemCode| self.code == code.row().code;
        (400..500).contains(&self.status) && !passing.iter().any(is)
    }

    pub fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// Sets the request id.
    pub fn named(mut self, request_id: &str) -> Problem {
        self.request_id = request_id.into();
        self
    }

    /// Returns the response to the request with this id.
    pub fn respond(self, request_id: &str) -> HttpResponse {
        let problem = self.named(request_id);
        let mut response = HttpResponse::build(problem.status());
        response.content_type("application/problem+json");
        for (name, value) in problem.headers() {
            response.insert_header((name, value));
        }
        response.body(problem.json())
    }

    /// Returns the document as JSON.
    pub fn json(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_else(|error| {
            tracing::error!(%error, "cannot serialize a problem");
            BROKEN.to_vec()
        })
    }

    fn headers(&self) -> Vec<(HeaderName, HeaderValue)> {
        let mut headers = Vec::new();
        if let Some(seconds) = self.retry_after {
            headers.push((RETRY_AFTER, HeaderValue::from(seconds)));
        }
        if self.status == 401 {
            let challenge = HeaderValue::from_static("Bearer realm=\"wyrmgate\"");
            headers.push((WWW_AUTHENTICATE, challenge));
        }
        let allow = self.beside.allow.as_deref().map(HeaderValue::from_str);
        if let Some(Ok(allow)) = allow {
            headers.push((ALLOW, allow));
        }
        let language = self.beside.language.as_deref().map(HeaderValue::from_str);
        if let Some(Ok(language)) = language {
            headers.push((CONTENT_LANGUAGE, language));
            headers.push((VARY, HeaderValue::from_static("Accept-Language")));
        }
        if self.beside.is_replayed {
            headers.push((headers::REPLAYED, HeaderValue::from_static("true")));
        }
        headers
    }
}

/// Returns the beginning of a name that a client sent.
fn shortened(name: &str) -> String {
    name.chars().take(NAME_MAX).collect()
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.code)
    }
}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        self.status()
    }

    /// Attaches the problem to the response. The envelope writes the body with the request id.
    fn error_response(&self) -> HttpResponse<BoxBody> {
        let mut response = HttpResponse::new(self.status());
        response.extensions_mut().insert(self.clone());
        response
    }
}
