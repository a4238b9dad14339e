//! `/v1/sessions/{id}/forks`: another session that goes on from here.

use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::access::Scope;
use super::context::Context;
use super::creation::{self, CreatedSession, NewSeat};
use super::extract::{Asked, MaySend, Nothing};
use super::numbers;
use super::path::Named;
use super::problem::Problem;
use super::sessions::SessionPath;
use crate::session::Seat;

/// Where the fork begins, and who sits there.
#[derive(Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"version": 5, "seats": ["open", "random"]}))]
pub struct NewFork {
    /// The version to go on from; the present one, if nothing is said.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "numbers::version"
    )]
    #[schema(minimum = 1, maximum = 9_007_199_254_740_991_u64)]
    version: Option<u64>,
    /// Who sits where, seat 1 first; all seats are open, if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_items = 1, max_items = 8)]
    seats: Option<Vec<NewSeat>>,
}

/// Fork a session
///
/// For its players and its owner, as settled when it was created. The new session has seats of its own and goes on at
/// once; its seats may be taken while it runs. Because its past and its seed may be known, it is practice.
///
/// So is the session it was forked from, if that is not over: its hidden things and its chance are those of the fork, whose
/// players see them and whose record shows the seed. The event `forked` tells everybody, and `practice` is true from then on.
#[utoipa::path(
    post, path = "/v1/sessions/{session}/forks",
    operation_id = "forkSession", tag = "sessions", params(SessionPath), request_body = Option<NewFork>,
    responses((status = 201, description = "The new session, and the tokens of its creator", body = CreatedSession,
        headers(("Location" = String, description = "Where the session is")))),
    extensions(("x-codes" = json!(["malformed", "unprocessable", "unauthenticated", "forbidden", "not-found", "session-running",
        "too-large", "unsupported-media-type", "idempotency-mismatch", "rules-budget-exceeded", "outcome-unknown"]))),
)]
pub async fn fork(
    context: Context,
    request: HttpRequest,
    path: Named<SessionPath>,
    _: Asked<Nothing>,
    body: MaySend<NewFork>,
) -> Result<HttpResponse, Problem> {
    if context.holds_key() {
        context.require(Scope::Create)?;
    }
    let MaySend(wanted) = body;
    let (live, caller) = context.look(&request, &path.session, None).await?;
    let version = wanted.version.unwrap_or(live.version());
    let seats = wanted.seats;
    let seats = seats.map(|seats| seats.into_iter().map(NewSeat::seat).collect::<Vec<Seat>>());
    let service = context.service();
    let describe = context.storing_creation(creation::created);
    let forked = service.fork(&live, caller, version, seats, context.key(), &describe);
    creation::respond(&context, forked.await?)
}
