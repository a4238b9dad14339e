//! `/v1/sessions/{id}/undos`: taking back.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::context::Context;
use super::extract::{Asked, MaySend, Nothing};
use super::idempotency;
use super::numbers;
use super::path::Named;
use super::problem::Problem;
use super::sessions::SessionPath;
use super::stored_response::StoredResponse;
use crate::session::{Live, Made, UndoOrder, UndoWish};

/// A wish to take something back, or the answer to another seat's.
#[derive(Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"to": 11}))]
pub struct NewUndo {
    /// The version to go back to; the one before the last choice, if nothing is said.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "numbers::version"
    )]
    #[schema(minimum = 1, maximum = 9_007_199_254_740_991_u64)]
    to: Option<u64>,
    /// The answer to what another seat wishes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agree: Option<bool>,
}

/// How it stands with taking back.
#[derive(Serialize, ToSchema)]
pub struct UndoState {
    /// The version of the session now.
    #[schema(minimum = 1)]
    version: u64,
    /// What waits for an answer of other seats, if anything does.
    #[schema(required)]
    open: Option<OpenUndo>,
}

/// A wish that is not granted yet.
#[derive(Serialize, ToSchema)]
pub struct OpenUndo {
    /// Who wishes it.
    #[schema(minimum = 1, maximum = 8)]
    seat: u8,
    /// The version to go back to.
    #[schema(minimum = 1)]
    to: u64,
    /// Who has agreed.
    agreed: Vec<u8>,
}

/// Take back, or answer another seat that wants to
///
/// Goes back exactly to the last point where somebody learnt something or another seat acted, and no further; which that
/// is follows from what each seat can see. Whether the others are asked was settled when the session was created.
#[utoipa::path(
    post, path = "/v1/sessions/{session}/undos",
    operation_id = "undo", tag = "play", params(SessionPath), request_body = Option<NewUndo>,
    responses((status = 200, description = "It is taken back, or waits for the others", body = UndoState)),
    extensions(("x-codes" = json!(["malformed", "unauthenticated", "forbidden", "not-found", "session-over",
        "not-undoable", "rules-budget-exceeded", "stale-version", "idempotency-in-flight", "idempotency-mismatch", "too-large",
        "unsupported-media-type", "outcome-unknown"]))),
)]
pub async fn undo(
    context: Context,
    path: Named<SessionPath>,
    _: Asked<Nothing>,
    body: MaySend<NewUndo>,
) -> Result<HttpResponse, Problem> {
    let MaySend(wanted) = body;
    let token = context.token.as_ref();
    let order = order(&wanted)?;
    let describe = |made: &Made| StoredResponse::new(StatusCode::OK, None, &state(&made.live));
    let storing = context.storing(&describe);
    let service = context.service();
    let answered = service
        .undo(&path.session, token, order, context.key(), &storing)
        .await?;
    idempotency::respond(&context, answered, describe)
}

fn order(wanted: &NewUndo) -> Result<UndoOrder, Problem> {
    match (wanted.to, wanted.agree) {
        (to, None) => Ok(UndoOrder::Ask(to)),
        (None, Some(true)) => Ok(UndoOrder::Agree),
        (None, Some(false)) => Ok(UndoOrder::Refuse),
        (Some(_), Some(_)) => Err(Problem::malformed("", "send either `to` or `agree`")),
    }
}

fn state(live: &Live) -> UndoState {
    let open = |wish: &UndoWish| OpenUndo {
        seat: wish.seat,
        to: wish.to,
        agreed: wish.agreed.clone(),
    };
    UndoState {
        version: live.version(),
        open: live.status.undo.as_ref().map(open),
    }
}
