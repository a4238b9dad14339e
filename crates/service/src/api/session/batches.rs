//! `/v1/session-batches`: many sessions with one request.

use futures_util::future::join_all;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::request::access::OperatorScope;
use crate::api::request::call::{ApiCall, BodyCall, Handled, NoParameters};
use crate::api::request::extract::LargeJson;
use crate::api::response::respond;
use crate::api::session::creation::{self, CreatedSession, NewSession};
use crate::api::session::sessions::{self, Session};
use crate::api::shared::problem::{Problem, ProblemDocument};
use wyrmgate_sessions::Refusal;

/// Maximum number of sessions in one request, with an operator key and without one.
const CREATED_MAX: [usize; 2] = [500, 20];
const READ_MAX: usize = 100;
/// Number of sessions that are created at the same time.
const AT_ONCE: usize = 16;

/// Sessions to create.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"sessions": [{"game": "demo", "seats": ["open", "random"]}]}))]
pub struct NewSessionBatch {
    /// Up to 500 with an operator key, up to 20 without one. None of them can be a rematch.
    #[schema(min_items = 1, max_items = 500)]
    sessions: Vec<NewSession>,
}

/// A session of the batch, or why there is none.
#[derive(Serialize, ToSchema)]
pub struct BatchItem {
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<CreatedSession>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<ProblemDocument>)]
    problem: Option<Problem>,
}

#[derive(Serialize, ToSchema)]
pub struct CreatedBatch {
    /// In the order of the request.
    items: Vec<BatchItem>,
}

/// Create many sessions
///
/// Each of them is created or refused by itself. With an `Idempotency-Key`, or with an `external_id` for each, the request can be
/// repeated until all of them exist.
#[utoipa::path(
    post, path = "/v1/session-batches",
    operation_id = "createSessions", tag = "sessions", request_body = NewSessionBatch,
    responses((status = 200, description = "The sessions, with the tokens of their creator", body = CreatedBatch)),
    extensions(("x-codes" = json!(["forbidden", "unprocessable"]))),
)]
pub async fn create(call: BodyCall<LargeJson<NewSessionBatch>>) -> Handled {
    let (context, LargeJson(wanted)) = (call.context, call.body);
    context.require(OperatorScope::Create)?;
    let [with_key, without] = CREATED_MAX;
    let count = wanted.sessions.len();
    if !(1..=with_key).contains(&count) {
        let range = format!("a batch has 1 to {with_key} sessions");
        return Err(Problem::malformed("/sessions", range));
    }
    if count > without && !context.holds_key() {
        let range = format!("without an operator key, a batch has 1 to {without} sessions");
        return Err(Problem::unprocessable("/sessions", range));
    }
    let mut items = Vec::with_capacity(wanted.sessions.len());
    let mut rest = wanted.sessions.into_iter().enumerate();
    loop {
        let next = rest.by_ref().take(AT_ONCE);
        let creations = next.map(|(number, new)| creation::create_one(&context, number, new));
        let made = join_all(creations).await;
        if made.is_empty() {
            return respond::ok(&CreatedBatch { items });
        }
        items.extend(made.into_iter().map(|made| BatchItem {
            problem: made.as_ref().err().cloned(),
            session: made.ok(),
        }));
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct BatchQuery {
    /// Up to 100 ids of sessions, with commas between them.
    #[param(min_length = 1)]
    ids: String,
}

#[derive(Serialize, ToSchema)]
pub struct SessionBatch {
    /// In the order of the request, without those that do not exist for the caller.
    items: Vec<Session>,
}

/// Get many sessions
///
/// Sessions that do not exist for the caller are left out.
#[utoipa::path(
    get, path = "/v1/session-batches",
    operation_id = "getSessions", tag = "sessions", params(BatchQuery),
    responses((status = 200, description = "The sessions", body = SessionBatch)),
)]
pub async fn get(call: ApiCall<NoParameters, BatchQuery>) -> Handled {
    let (context, query) = (call.context, call.query);
    let ids: Vec<&str> = query.ids.split(',').collect();
    if ids.len() > READ_MAX || query.ids.is_empty() {
        let wanted = format!("`ids` names 1 to {READ_MAX} sessions, with commas between them");
        return Err(Problem::malformed("ids", wanted));
    }
    let found = join_all(ids.iter().map(|id| sessions::seen(&context, id))).await;
    let mut items = Vec::with_capacity(found.len());
    for session in found {
        match session {
            Ok(session) => items.push(session),
            Err(Refusal::NotFound | Refusal::Unauthenticated) => {}
            Err(refusal) => return Err(refusal.into()),
        }
    }
    respond::ok(&SessionBatch { items })
}
