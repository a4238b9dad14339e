//! The position of a session as one caller may see it: the view, and what the caller owes.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::api::response::respond;
use crate::api::session::decisions::{self, ChoicesPart, SessionDecision};
use crate::api::session::described::describe_all;
use crate::api::session::sessions::{self, SessionOutcome};
use crate::api::session::state;
use crate::api::session::terms::SessionTimes;
use crate::api::shared::language::Listener;
use crate::api::shared::problem::{Problem, ProblemCode};
use serde_json::value::RawValue;
use wyrmgate_analysis::record;
use wyrmgate_sessions::{Caller, Live, Service, Stage};
use wyrmgate_view::{OwedDoc, ViewDoc, noted_position};

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
    #[serde(flatten)]
    times: SessionTimes,
    /// The state of the game. Null before it begins.
    #[schema(required, value_type = Option<state::GameState>)]
    state: Option<ViewDoc<Box<RawValue>>>,
    /// With `include=actions`: the decisions that the caller owes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decisions: Option<Vec<SessionDecision>>,
    /// With `include=actions`: the events of what the caller has answered in secret so far. `POST …/undos` withdraws the last of these
    /// answers, until all seats have given theirs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false, value_type = Vec<Object>)]
    pub given: Vec<Value>,
    /// The position as text, with which a session can begin, if the rules say how and hide nothing: in chess a FEN.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    /// The outcome, once the game is over.
    #[schema(required, value_type = Option<SessionOutcome>)]
    outcome: Option<record::Outcome>,
}

/// Returns the session as this caller may see it, now or at an earlier version.
pub async fn at(
    service: &Service,
    live: &Arc<Live>,
    caller: Caller,
    version: Option<u64>,
) -> Result<Arc<Live>, Problem> {
    let present = service.as_visible(live, caller).await?;
    match version {
        Some(version) if version <= present.version() => Ok(service.at(&present, version).await?),
        Some(_) => Err(Problem::new(ProblemCode::NotFound)
            .detail("the session has no such version yet; use at most its current `version`")),
        None => Ok(present),
    }
}

/// Returns the view with everything that the caller owes. A stream begins with it.
pub fn snapshot(live: &Live, listener: Listener) -> Result<View, Problem> {
    let mut view = describe(live, listener);
    view.decisions = Some(owed(live, listener)?);
    view.given = given(live, listener)?;
    Ok(view)
}

/// Returns what the caller has answered in secret so far.
pub fn given(live: &Live, listener: Listener) -> Result<Vec<Value>, Problem> {
    let (Some(play), Some(seat)) = (&live.play, listener.caller.seat()) else {
        return Ok(Vec::new());
    };
    let told = play.told_of_given(seat);
    let docs = describe_all(&live.program, &told, &[], listener.reader());
    docs.iter().map(respond::value).collect()
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
        times: SessionTimes::of(live, caller.seat()),
        decisions: None,
        given: Vec::new(),
        position: live
            .play
            .as_ref()
            .and_then(|play| noted_position(&live.program, play.state())),
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
fn state_to_send(live: &Live, listener: Listener, owing: &[u8]) -> Option<ViewDoc<Box<RawValue>>> {
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
pub fn owed(live: &Live, listener: Listener) -> Result<Vec<SessionDecision>, Problem> {
    let Some(seat) = listener.caller.seat() else {
        return Ok(Vec::new());
    };
    let owed = decisions::owed(live, seat, listener.language, ChoicesPart::FIRST)?;
    Ok(owed.into_iter().collect())
}
