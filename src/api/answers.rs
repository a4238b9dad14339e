//! The recorded form of an answer, so that a retry gets the first one again.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, HeaderValue, LOCATION};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::context::Context;
use super::headers;
use super::language::{self, Accepted};
use super::problem::{Code, Problem};
use crate::session::{Answers, Made, Refusal};
use crate::store::Bytes;

/// An answer as it is kept.
#[derive(Serialize, Deserialize)]
pub struct Kept {
    status: u16,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    location: Option<String>,
    /// The language of the game's texts in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    language: Option<String>,
    /// The body: JSON.
    body: String,
}

/// Makes kept answers: says what a change is answered with, and in which language refusals are told.
pub struct Keeping<F>(pub F, pub Accepted);

impl Kept {
    pub fn new(status: StatusCode, location: Option<String>, body: &impl Serialize) -> Kept {
        Kept {
            status: status.as_u16(),
            location,
            language: None,
            body: written(body),
        }
    }

    /// 204
    pub fn empty() -> Kept {
        Kept {
            status: StatusCode::NO_CONTENT.as_u16(),
            location: None,
            language: None,
            body: String::new(),
        }
    }

    pub fn in_language(self, tag: &str) -> Kept {
        Kept {
            language: Some(tag.to_owned()),
            ..self
        }
    }

    fn encode(&self) -> Bytes {
        serde_json::to_vec(self).unwrap_or_default().into()
    }

    fn decode(bytes: &[u8]) -> Result<Kept, Problem> {
        serde_json::from_slice(bytes).map_err(damaged)
    }

    /// The answer itself.
    pub fn respond(self, context: &Context) -> HttpResponse {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::OK);
        let mut response = HttpResponse::build(status);
        if !self.body.is_empty() {
            let json = HeaderValue::from_static(super::accept::JSON);
            response.insert_header((CONTENT_TYPE, json));
        }
        if let Some(location) = self.location {
            response.insert_header((LOCATION, location));
        }
        let durability = context.service().store().durability().name();
        response.insert_header((headers::DURABILITY, HeaderValue::from_static(durability)));
        let mut response = response.body(self.body);
        if let Some(tag) = &self.language {
            language::say(&mut response, [tag.as_str()]);
        }
        response
    }
}

impl<F: Fn(&Made) -> Kept> Answers for Keeping<F> {
    fn made(&self, made: &Made) -> Bytes {
        (self.0)(made).encode()
    }

    /// What depends on the moment alone is not kept, nor what a wrong request got.
    fn refused(&self, refusal: &Refusal) -> Option<Bytes> {
        if refusal.is_passing() {
            return None;
        }
        let problem = Problem::from(refusal.clone()).told_in(&self.1);
        let kept = Kept::new(problem.status(), None, &problem);
        let kept = match problem.language() {
            Some(tag) => kept.in_language(tag),
            None => kept,
        };
        Some(kept.encode())
    }
}

/// The kept answer again: a problem as a problem.
pub fn replay(context: &Context, kept: &[u8]) -> Result<HttpResponse, Problem> {
    replay_with(context, kept, |_| ())
}

/// The kept answer again, with something in it that is not kept.
pub fn replay_with(
    context: &Context,
    kept: &[u8],
    complete: impl FnOnce(&mut Map<String, Value>),
) -> Result<HttpResponse, Problem> {
    let mut kept = Kept::decode(kept)?;
    if kept.status >= 400 {
        let problem: Problem = serde_json::from_str(&kept.body).map_err(damaged)?;
        return Err(problem.in_language(kept.language).replayed());
    }
    if !kept.body.is_empty() {
        let mut body: Map<String, Value> = serde_json::from_str(&kept.body).map_err(damaged)?;
        complete(&mut body);
        kept.body = Value::Object(body).to_string();
    }
    let mut response = kept.respond(context);
    let replayed = HeaderValue::from_static("true");
    response.headers_mut().insert(headers::REPLAYED, replayed);
    Ok(response)
}

/// As long as most answers to a move.
const ROOM: usize = 1024;

/// Our own answers always have a JSON form, and JSON is UTF-8.
fn written(body: &impl Serialize) -> String {
    let mut bytes = Vec::with_capacity(ROOM);
    match serde_json::to_writer(&mut bytes, body) {
        Ok(()) => String::from_utf8(bytes).unwrap_or_default(),
        Err(_) => String::new(),
    }
}

fn damaged(error: serde_json::Error) -> Problem {
    tracing::error!(%error, "a kept answer is damaged");
    Problem::new(Code::Internal)
}
