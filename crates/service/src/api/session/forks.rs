//! `/v1/sessions/{id}/forks`: new sessions that continue from this one.

use serde::Deserialize;
use utoipa::ToSchema;

use crate::api::request::access::OperatorScope;
use crate::api::request::call::{BodyCall, Handled};
use crate::api::request::extract::OptionalJson;
use crate::api::request::numbers;
use crate::api::session::creation::{self, CreatedSession};
use crate::api::session::new_seats::PlainSeat;
use crate::api::session::sessions::SessionPath;
use wyrmgate_sessions::Seat;

/// The position and the seats of the fork.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"version": 5, "seats": ["open", "random"]}))]
pub struct NewFork {
    /// The version to continue from. Defaults to the current version.
    #[serde(default, deserialize_with = "numbers::version")]
    #[schema(minimum = 1, maximum = 9_007_199_254_740_991_u64)]
    version: Option<u64>,
    /// The seats, seat 1 first. By default all seats are open.
    #[schema(min_items = 1, max_items = 8)]
    seats: Option<Vec<PlainSeat>>,
}

/// Fork a session
///
/// Allowed for its players and its owner, as configured when the session was created. The new session has its own seats
/// and continues at once; people can take seats while it runs. It counts as practice, because its past and its seed may
/// be known.
///
/// If the original session is not over, it becomes practice too. It shares hidden information and random numbers with
/// the fork, whose players see them and whose record contains the seed. The event `forked` announces this, and
/// `practice` is true from then on.
#[utoipa::path(
    post, path = "/v1/sessions/{session}/forks",
    operation_id = "forkSession", tag = "sessions", params(SessionPath), request_body = Option<NewFork>,
    responses((status = 201, description = "The new session, with the tokens of its creator", body = CreatedSession,
        headers(("Location" = String, description = "URL of the session")))),
    extensions(("x-codes" = json!(["unprocessable", "forbidden", "session-running", "rules-budget-exceeded"]))),
)]
pub async fn fork(call: BodyCall<OptionalJson<NewFork>, SessionPath>) -> Handled {
    let (context, path, OptionalJson(wanted)) = (call.context, call.path, call.body);
    if context.holds_key() {
        context.require(OperatorScope::Create)?;
    }
    let (live, _) = context.look(&path.session, None).await?;
    let version = wanted.version.unwrap_or(live.version());
    let seats = wanted.seats;
    let seats = seats.map(|seats| {
        seats
            .into_iter()
            .map(PlainSeat::seat)
            .collect::<Vec<Seat>>()
    });
    let service = context.service();
    let describe = context.storing(creation::created);
    let token = context.token.as_ref();
    let forked = service.fork(&live, token, version, seats, context.key(), &describe);
    creation::respond(&context, forked.await?)
}
