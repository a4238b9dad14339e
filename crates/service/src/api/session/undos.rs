//! `/v1/sessions/{id}/undos`: undo requests.

use actix_web::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::request::call::{ApiCall, BodyCall, Handled};
use crate::api::request::extract::OptionalJson;
use crate::api::request::numbers;
use crate::api::response::respond;
use crate::api::response::stored_response::StoredResponse;
use crate::api::session::sessions::SessionPath;
use crate::api::shared::problem::Problem;
use wyrmgate_sessions::{Call, CommittedChange, Live, UndoOffers, UndoOrder, UndoWish};

/// An undo request, or the answer to another seat's request.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"to": 11}))]
pub struct NewUndo {
    /// The version to go back to. Defaults to the version before the last choice of the seat; an answer that is still secret
    /// is withdrawn. The owner must name one.
    #[serde(default, deserialize_with = "numbers::version")]
    #[schema(minimum = 1, maximum = 9_007_199_254_740_991_u64)]
    to: Option<u64>,
    /// Accepts or declines another seat's request.
    agree: Option<bool>,
}

/// The state of the undo request.
#[derive(Serialize, ToSchema)]
pub struct UndoState {
    /// The current version of the session.
    #[schema(minimum = 1)]
    version: u64,
    /// The request that waits for other seats, if any.
    #[schema(required)]
    open: Option<UndoWish>,
}

/// List the undos that you can request
///
/// Empty if there are none.
#[utoipa::path(
    get, path = "/v1/sessions/{session}/undos",
    operation_id = "listUndos", tag = "play", params(SessionPath),
    responses((status = 200, description = "The undos", body = UndoOffers)),
    extensions(("x-codes" = json!(["forbidden", "rules-budget-exceeded", "overloaded"]))),
)]
pub async fn list(ApiCall { context, path, .. }: ApiCall<SessionPath>) -> Handled {
    let service = context.service();
    let offers = service.undos(&path.session, context.token.as_ref()).await?;
    respond::ok(&offers)
}

/// Request an undo, or accept or decline another seat's request
///
/// An undo goes back past choices of the seat, replies of bots, and, if all people agree, replies of people. Past information
/// gains it goes only if the session allows that. A secret answer can be withdrawn in every session until all are given; this
/// changes no version, and others do not learn of it. The server derives from what each seat can see whether there was one. The
/// owner of a practice session goes back to any version at once.
#[utoipa::path(
    post, path = "/v1/sessions/{session}/undos",
    operation_id = "undo", tag = "play", params(SessionPath), request_body = Option<NewUndo>,
    responses((status = 200, description = "The choices are undone, or the request waits for other seats", body = UndoState)),
    extensions(("x-codes" = json!(["unprocessable", "forbidden", "session-over", "not-undoable", "rules-budget-exceeded", "stale-version"]))),
)]
pub async fn undo(call: BodyCall<OptionalJson<NewUndo>, SessionPath>) -> Handled {
    let (context, path, OptionalJson(wanted)) = (call.context, call.path, call.body);
    let order = order(&wanted)?;
    let describe =
        |made: &CommittedChange| StoredResponse::new(StatusCode::OK, None, &state(&made.live));
    let undo = async |call: Call<'_>| context.service().undo(call, order).await;
    context.change(&path.session, describe, undo).await
}

fn order(wanted: &NewUndo) -> Result<UndoOrder, Problem> {
    match (wanted.to, wanted.agree) {
        (to, None) => Ok(UndoOrder::Ask(to)),
        (None, Some(true)) => Ok(UndoOrder::Agree),
        (None, Some(false)) => Ok(UndoOrder::Refuse),
        (Some(_), Some(_)) => Err(Problem::malformed(
            "",
            "`to` and `agree` exclude each other; send only one of them",
        )),
    }
}

fn state(live: &Live) -> UndoState {
    UndoState {
        version: live.version(),
        open: live.status.undo.clone(),
    }
}
