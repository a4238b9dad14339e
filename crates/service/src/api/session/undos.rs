//! `/v1/sessions/{id}/undos`: undo requests.

use actix_web::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::request::call::{BodyCall, Handled};
use crate::api::request::extract::OptionalJson;
use crate::api::request::numbers;
use crate::api::response::stored_response::StoredResponse;
use crate::api::session::sessions::SessionPath;
use crate::api::shared::problem::Problem;
use wyrmgate_sessions::{Call, CommittedChange, Live, UndoOrder, UndoWish};

/// An undo request, or the answer to another seat's request.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"to": 11}))]
pub struct NewUndo {
    /// The version to go back to. Defaults to the version before the last choice.
    #[serde(default, deserialize_with = "numbers::version")]
    #[schema(minimum = 1, maximum = 9_007_199_254_740_991_u64)]
    to: Option<u64>,
    /// Accepts or declines another seat's request.
    #[serde(default)]
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

/// Request an undo, or accept or decline another seat's request
///
/// An undo can go back to the last point at which someone gained information or another seat acted, and no further. The
/// server derives this point from what each seat can see. Whether other seats must agree was configured when the
/// session was created.
#[utoipa::path(
    post, path = "/v1/sessions/{session}/undos",
    operation_id = "undo", tag = "play", params(SessionPath), request_body = Option<NewUndo>,
    responses((status = 200, description = "The choices are undone, or the request waits for other seats", body = UndoState)),
    extensions(("x-codes" = json!(["forbidden", "session-over", "not-undoable", "rules-budget-exceeded", "stale-version"]))),
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
