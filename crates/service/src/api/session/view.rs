//! `/v1/sessions/{id}/view`: the caller's view of the game. With `include=actions` it is enough to play.

use crate::api::session::state;
use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::request::context::{AnyContext, Context};
use crate::api::request::extract::Query;
use crate::api::request::language::Listener;
use crate::api::request::numbers;
use crate::api::request::path::Path;
use crate::api::response::problem::{Code, Problem};
use crate::api::response::respond;
use crate::api::session::board::Table;
use crate::api::session::decisions::{self, Decision, Part};
use crate::api::session::sessions::{self, Outcome, SessionPath};
use crate::api::session::terms::{self, Deadline, TimeLeft};
use crate::api::session::text;
use wyrmgate_analysis::record;
use wyrmgate_sessions::{Caller, Live, Stage};
use wyrmgate_view::{OwedDoc, ViewDoc, Written};

/// Maximum number of choices in a view; `actions` returns the rest of a longer list.
const CHOICES_MAX: usize = 500;

/// A session as this caller may see it.
#[derive(Serialize, ToSchema)]
pub struct View {
    /// The id of the session.
    session: String,
    #[schema(minimum = 1)]
    version: u64,
    status: Stage,
    /// The caller's seat, if it has one.
    #[schema(required)]
    seat: Option<u8>,
    /// The seats that owe a decision.
    owing: Vec<u8>,
    /// Deadlines of owed decisions, if the session has a clock.
    deadlines: Vec<Deadline>,
    /// The time that each seat has left for the whole game, if that is limited. Absent in past versions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    times: Vec<TimeLeft>,
    /// The state of the game. Null before it begins.
    #[schema(required, value_type = Option<state::GameState>)]
    state: Option<ViewDoc<Written>>,
    /// With `include=actions`: the decisions that the caller owes.
    #[serde(skip_serializing_if = "Option::is_none")]
    decisions: Option<Vec<Decision>>,
    /// The outcome, once the game is over.
    #[schema(required, value_type = Option<Outcome>)]
    outcome: Option<record::Outcome>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ViewQuery {
    /// The version to show. Defaults to the current version. Past versions have no decisions.
    #[param(minimum = 1, maximum = 9_007_199_254_740_991_u64)]
    #[serde(default, deserialize_with = "numbers::asked_version")]
    at: Option<u64>,
    /// Additional content of the response.
    #[param(inline)]
    include: Option<Include>,
    /// Waits for a few seconds until the session has reached this version.
    #[param(minimum = 0, maximum = 9_007_199_254_740_991_u64)]
    #[serde(default, deserialize_with = "numbers::asked_version")]
    min_version: Option<u64>,
}

/// Additional content of a view.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Include {
    /// The decisions that the caller owes.
    Actions,
}

/// Get the caller's view of the game
///
/// With a seat token: everything that this seat may see. Without one: the public view. `Accept: text/plain` gets the same in
/// few words, for language models; with `include=actions` each choice carries the end of its id.
#[utoipa::path(
    get, path = "/v1/sessions/{session}/view",
    operation_id = "getView", tag = "play", params(SessionPath, ViewQuery),
    responses(
        (status = 200, description = "The caller's view of the game", content((View = "application/json"), (String = "text/plain"))),
        (status = 304, description = "Not modified"),
    ),
    extensions(("x-lenient" = json!(true)),
        ("x-codes" = json!(["forbidden", "stale-version", "rules-budget-exceeded"])), ("x-tag" = json!(true)),
        ("x-language" = json!(true))),
)]
pub async fn get(
    context: AnyContext,
    request: HttpRequest,
    path: Path<SessionPath>,
    query: Query<ViewQuery>,
) -> Result<HttpResponse, Problem> {
    let (AnyContext(context), Query(query)) = (context, query);
    let (live, caller) = context
        .look_to_see(&request, &path.session, query.min_version)
        .await?;
    let live = at(&context, &live, caller, query.at).await?;
    let is_past = query.at.is_some();
    let listener = context.listener(&live, caller);
    if text::is_wanted(&request) {
        let has_decisions = query.include.is_some() && !is_past;
        return in_text(&context, &request, live, listener, has_decisions).await;
    }
    respond::localized(&request, &live, listener, || {
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

async fn in_text(
    context: &Context,
    request: &HttpRequest,
    live: Arc<Live>,
    listener: Listener,
    has_decisions: bool,
) -> Result<HttpResponse, Problem> {
    let table = Table::at(context, live, listener).await?;
    let live = &table.live;
    text::respond(request, live, listener, || {
        let mut words = text::position(&table);
        if has_decisions {
            words += &text::decisions(live, listener, &owed(live, listener)?)?;
        }
        Ok(words)
    })
}

/// Returns the session as this caller may see it, now or at an earlier version.
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
        Some(_) => Err(Problem::new(Code::NotFound)
            .detail("the session has no such version yet; use at most its current `version`")),
        None => Ok(present),
    }
}

/// Returns the view with everything that the caller owes. A stream begins with it.
pub fn snapshot(live: &Live, listener: Listener) -> Result<View, Problem> {
    let mut view = describe(live, listener);
    view.decisions = Some(owed(live, listener)?);
    Ok(view)
}

/// Returns the view without decisions.
pub fn describe(live: &Live, listener: Listener) -> View {
    let caller = listener.caller;
    let owing = live.owing(caller.seat());
    View {
        session: live.id.to_string(),
        version: live.version(),
        status: live.stage(),
        seat: caller.seat(),
        state: state_to_send(live, listener, &owing),
        owing,
        deadlines: terms::deadlines(live, caller.seat()),
        times: terms::times(live),
        decisions: None,
        outcome: sessions::outcome(live),
    }
}

/// Returns the state. The session supplies `owing`, because the engine also knows secret answers that nobody else may
/// know.
pub fn state(live: &Live, listener: Listener, owing: &[u8]) -> Option<ViewDoc> {
    let play = live.play.as_ref()?;
    let state = wyrmgate_view::view(&live.program, play.state(), listener.reader());
    Some(owed_by(state, owing))
}

/// Returns the state as text that can only be sent; see [`state`].
fn state_to_send(live: &Live, listener: Listener, owing: &[u8]) -> Option<ViewDoc<Written>> {
    let play = live.play.as_ref()?;
    let state = wyrmgate_view::view_to_send(&live.program, play.state(), listener.reader());
    Some(owed_by(state, owing))
}

fn owed_by<Zones>(state: ViewDoc<Zones>, owing: &[u8]) -> ViewDoc<Zones> {
    let owed = owing.iter().map(|seat| OwedDoc {
        seat: u32::from(*seat),
    });
    ViewDoc {
        decisions: owed.collect(),
        ..state
    }
}

/// Returns everything that the caller owes.
pub fn owed(live: &Live, listener: Listener) -> Result<Vec<Decision>, Problem> {
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
