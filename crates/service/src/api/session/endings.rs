//! `/v1/sessions/{id}/resignations`, `/draw-offers`, `/abort`, `/claims` and `/pause`: ends that no rule describes, and
//! pauses.

use actix_web::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::request::call::{ApiCall, BodyCall, Handled};
use crate::api::request::context::JsonContext;
use crate::api::request::extract::{Json, OptionalJson};
use crate::api::response::stored_response::StoredResponse;
use crate::api::session::sessions::{self, SessionOutcome, SessionPath};
use crate::api::session::terms::TableRequests;
use crate::api::shared::problem::Problem;
use wyrmgate_analysis::record;
use wyrmgate_sessions::{Answered, Call, CommittedChange, Endings, Refusal, Stage};

/// An offer of a draw, or the answer to one.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"agree": false}))]
pub struct NewDrawOffer {
    /// Accepts another seat's offer, or declines it; `false` also withdraws your own. Without it, you offer a draw, or accept
    /// if there is an offer.
    agree: Option<bool>,
}

/// Whether the game should be paused.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"paused": true}))]
pub struct NewPause {
    /// `true` asks for a pause or agrees to one; `false` ends it, or declines or withdraws a request.
    paused: bool,
}

/// How the game stands after a request to end or to pause it.
#[derive(Serialize, ToSchema)]
pub struct EndState {
    /// The current version of the session.
    #[schema(minimum = 1)]
    version: u64,
    status: Stage,
    #[serde(flatten)]
    requests: TableRequests,
    /// The outcome, once the game is over.
    #[schema(required, value_type = Option<SessionOutcome>)]
    outcome: Option<record::Outcome>,
}

/// Resign
///
/// The seat loses as the rules of the game say, the other one of two sides wins, or a built-in player plays on, as `endings` of
/// the session says.
#[utoipa::path(
    post, path = "/v1/sessions/{session}/resignations",
    operation_id = "resign", tag = "play", params(SessionPath),
    responses((status = 200, description = "The seat has resigned", body = EndState)),
    extensions(("x-codes" = json!(["forbidden", "session-over", "not-now"]))),
)]
pub async fn resign(ApiCall { context, path, .. }: ApiCall<SessionPath>) -> Handled {
    let resign = async |call: Call<'_>| context.service().resign(call).await;
    ended(&context, &path, resign).await
}

/// Offer a draw, or answer an offer
///
/// The game is drawn when every seat agrees. An offer lapses with the next move.
#[utoipa::path(
    post, path = "/v1/sessions/{session}/draw-offers",
    operation_id = "offerDraw", tag = "play", params(SessionPath), request_body = Option<NewDrawOffer>,
    responses((status = 200, description = "The offer is open or answered", body = EndState)),
    extensions(("x-codes" = json!(["forbidden", "session-over", "not-now"]))),
)]
pub async fn draw(call: BodyCall<OptionalJson<NewDrawOffer>, SessionPath>) -> Handled {
    let (context, path, OptionalJson(wanted)) = (call.context, call.path, call.body);
    let draw = async |call: Call<'_>| context.service().draw(call, wanted.agree).await;
    ended(&context, &path, draw).await
}

/// Call the game off
///
/// A seat can while no seat has moved twice (`aborted`); the owner can at any time (`abandoned` later on). Nobody wins.
#[utoipa::path(
    post, path = "/v1/sessions/{session}/abort",
    operation_id = "abort", tag = "play", params(SessionPath),
    responses((status = 200, description = "The game is over", body = EndState)),
    extensions(("x-codes" = json!(["forbidden", "session-over", "not-now", "stale-version"]))),
)]
pub async fn abort(ApiCall { context, path, .. }: ApiCall<SessionPath>) -> Handled {
    let abort = async |call: Call<'_>| context.service().abort(call).await;
    ended(&context, &path, abort).await
}

/// Claim that the others are absent
///
/// Possible when nothing has changed for `endings.claims_after_ms` and other seats owe a decision. With two seats you win;
/// with more, those seats are played by the built-in player of `endings.resignations`, or become open. Earlier than that it is
/// a vote: it passes as soon as all other people want it, if there are several (`absence_votes`). With a clock, it is always a
/// vote.
#[utoipa::path(
    post, path = "/v1/sessions/{session}/claims",
    operation_id = "claimAbsence", tag = "play", params(SessionPath),
    responses((status = 200, description = "The claim is granted", body = EndState)),
    extensions(("x-codes" = json!(["forbidden", "session-over", "not-now", "stale-version"]))),
)]
pub async fn claim(ApiCall { context, path, .. }: ApiCall<SessionPath>) -> Handled {
    let claim = async |call: Call<'_>| context.service().claim_absence(call).await;
    ended(&context, &path, claim).await
}

/// Pause the game, or go on
///
/// All people at the table must agree to a pause; the owner needs nobody. The clocks stand still, and nobody can move. Any
/// seat, or the owner, ends it; the clocks run again ten seconds later.
#[utoipa::path(
    put, path = "/v1/sessions/{session}/pause",
    operation_id = "pause", tag = "play", params(SessionPath), request_body = NewPause,
    responses((status = 200, description = "How the game stands", body = EndState)),
    extensions(("x-codes" = json!(["forbidden", "session-over", "not-now"]))),
)]
pub async fn pause(call: BodyCall<Json<NewPause>, SessionPath>) -> Handled {
    let (context, path, Json(wanted)) = (call.context, call.path, call.body);
    let pause = async |call: Call<'_>| context.service().pause(call, wanted.paused).await;
    ended(&context, &path, pause).await
}

async fn ended(
    context: &JsonContext,
    path: &SessionPath,
    change: impl AsyncFn(Call<'_>) -> Result<Answered, Refusal>,
) -> Handled {
    let describe = |made: &CommittedChange| StoredResponse::new(StatusCode::OK, None, &state(made));
    context.change(&path.session, describe, change).await
}

fn state(made: &CommittedChange) -> EndState {
    EndState {
        version: made.live.version(),
        status: made.live.stage(),
        requests: TableRequests::of(&made.live),
        outcome: sessions::outcome(&made.live),
    }
}

/// Refuses times out of range.
pub fn checked(endings: Endings) -> Result<Endings, Problem> {
    let range = CLAIM_MS_MIN..=CLAIM_MS_MAX;
    if !endings.claims_after_ms.is_none_or(|ms| range.contains(&ms)) {
        let wanted = "`claims_after_ms` must be between a second and 30 days";
        return Err(Problem::unprocessable("/endings/claims_after_ms", wanted));
    }
    Ok(endings)
}

const CLAIM_MS_MIN: u64 = 1_000;
const CLAIM_MS_MAX: u64 = 30 * 86_400_000;
