//! `/v1/sessions/{id}/view`: what this caller may see. With `include=actions` enough to play by.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::context::Context;
use super::decisions::{self, Decision, Part};
use super::extract::Asked;
use super::language::Listener;
use super::numbers;
use super::path::Named;
use super::problem::{Code, Problem};
use super::respond;
use super::sessions::{self, Outcome, SessionPath, SessionStatus};
use super::terms::{self, Deadline};
use crate::session::{Caller, Live};
use wyrmgate_engine::Viewer;
use wyrmgate_view::{OwedDoc, ViewDoc};

/// Choices that come with a view; a longer list goes on at `actions`.
const CHOICES_MAX: usize = 500;

/// What this caller may see.
#[derive(Serialize, ToSchema)]
pub struct View {
    /// The id of the session.
    session: String,
    #[schema(minimum = 1)]
    version: u64,
    status: SessionStatus,
    /// The caller's seat, if it has one.
    #[schema(required)]
    seat: Option<u8>,
    /// The seats that owe a decision.
    owing: Vec<u8>,
    /// When their time is up, where there are clocks.
    deadlines: Vec<Deadline>,
    /// The game; null before it has begun.
    #[schema(required, value_type = Option<super::state::GameState>)]
    state: Option<ViewDoc>,
    /// With `include=actions`: what the caller owes.
    #[serde(skip_serializing_if = "Option::is_none")]
    decisions: Option<Vec<Decision>>,
    /// How the game ended, once it has.
    #[schema(required)]
    outcome: Option<Outcome>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ViewQuery {
    /// The game as it was at this version, instead of now. There are no decisions in the past.
    #[param(minimum = 1, maximum = 9_007_199_254_740_991_u64)]
    #[serde(default, deserialize_with = "numbers::asked_version")]
    at: Option<u64>,
    /// What else is wanted in the answer.
    #[param(inline)]
    include: Option<Include>,
    /// Waits, for a short time, until the session has this version.
    #[param(minimum = 0, maximum = 9_007_199_254_740_991_u64)]
    #[serde(default, deserialize_with = "numbers::asked_version")]
    min_version: Option<u64>,
}

/// What can be wanted in addition.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Include {
    /// The decisions that the caller owes.
    Actions,
}

/// What this caller may see of the game
///
/// With a seat token: what that seat sees. Without: what the public sees.
#[utoipa::path(
    get, path = "/v1/sessions/{session}/view",
    operation_id = "getView", tag = "play", params(SessionPath, ViewQuery),
    responses(
        (status = 200, description = "The game as the caller sees it", body = View),
        (status = 304, description = "Nothing has changed for this caller"),
    ),
    extensions(("x-codes" = json!(["malformed", "unauthenticated", "forbidden", "not-found", "stale-version", "rules-budget-exceeded"])),
        ("x-tag" = json!(true)), ("x-language" = json!(true))),
)]
pub async fn get(
    context: Context,
    request: HttpRequest,
    path: Named<SessionPath>,
    query: Asked<ViewQuery>,
) -> Result<HttpResponse, Problem> {
    let Asked(query) = query;
    let (live, caller) = context
        .look_to_see(&request, &path.session, query.min_version)
        .await?;
    let live = at(&context, &live, caller, query.at).await?;
    let is_past = query.at.is_some();
    let listener = context.listener(&live, caller);
    respond::told(&request, &live, listener, || {
        let mut view = describe(&live, listener);
        if let Some(Include::Actions) = query.include {
            view.decisions = Some(if is_past {
                Vec::new()
            } else {
                owed(&live, listener)?
            });
        }
        Ok(view)
    })
}

/// The session as this caller may see it, now or at a version it has had.
pub async fn at(
    context: &Context,
    live: &Arc<Live>,
    caller: Caller,
    version: Option<u64>,
) -> Result<Arc<Live>, Problem> {
    let service = context.service();
    let present = service.as_visible(live, caller).await?;
    match version {
        Some(version) if version <= present.version() => Ok(service.at(&present, version).await?),
        Some(_) => Err(Problem::new(Code::NotFound).detail("there is no such version")),
        None => Ok(present),
    }
}

/// The view, and everything the caller owes: what a stream begins with.
pub fn snapshot(live: &Live, listener: Listener) -> Result<View, Problem> {
    let mut view = describe(live, listener);
    view.decisions = Some(owed(live, listener)?);
    Ok(view)
}

/// Without what is owed.
pub fn describe(live: &Live, listener: Listener) -> View {
    let caller = listener.caller;
    let owing = live.owing(caller.seat());
    View {
        session: live.id.to_string(),
        version: live.version(),
        status: live.stage().into(),
        seat: caller.seat(),
        state: state(live, listener, &owing),
        owing,
        deadlines: terms::deadlines(live, caller.seat()),
        decisions: None,
        outcome: sessions::outcome(live),
    }
}

/// Who owes is told by the session: the engine knows of secret answers that nobody else may know of.
pub fn state(live: &Live, listener: Listener, owing: &[u8]) -> Option<ViewDoc> {
    let play = live.play.as_ref()?;
    let mut state = wyrmgate_view::view(&live.program, play.state(), listener.reader());
    let owed = owing.iter().map(|seat| OwedDoc {
        seat: u32::from(*seat),
    });
    state.decisions = owed.collect();
    Some(state)
}

fn owed(live: &Live, listener: Listener) -> Result<Vec<Decision>, Problem> {
    let Some(seat) = listener.caller.seat() else {
        return Ok(Vec::new());
    };
    let all = Part {
        offset: 0,
        limit: CHOICES_MAX,
    };
    let owed = decisions::owed(live, seat, listener.language, all)?;
    Ok(owed.into_iter().collect())
}

/// The eyes that the engine lends a caller.
pub fn viewer(caller: Caller) -> Viewer {
    match caller.seat() {
        Some(seat) => Viewer::Seat(seat.saturating_sub(1)),
        None => Viewer::Public,
    }
}
