//! A change of a session as one reader may know it.

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::api::response::patch::PatchOperation;
use crate::api::session::additions::Additions;
use crate::api::session::decisions::SessionDecision;
use crate::api::session::described::describe_events;
use crate::api::session::position::View;
use crate::api::session::terms::{self, TimeLeft};
use crate::api::shared::language::Listener;
use wyrmgate_sessions::{Deadline, Live, PastChange, Stage, rfc3339};
use wyrmgate_view::Doc;

/// A public change: the version it led to and its events, as far as the caller may know them.
#[derive(Serialize, ToSchema)]
#[schema(as = Change)]
pub struct PublicChange<'a> {
    /// The version after the change. It is also a cursor: `after=version` continues behind it.
    #[schema(minimum = 1)]
    pub version: u64,
    #[schema(format = DateTime)]
    pub at: String,
    /// The status after the change. Like `owing` and `deadlines`, it is absent in changes that earlier versions of this
    /// program have logged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Stage>,
    /// The seats that owe a decision after the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owing: Option<Vec<u8>>,
    /// When these seats run out of time, if the session has a clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadlines: Option<Vec<Deadline>>,
    /// The time that each seat had left for the whole game after the change, if that is limited.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub times: Vec<TimeLeft>,
    #[schema(value_type = Vec<GameEvent>)]
    pub events: Vec<Doc<'a>>,
    /// With `form=patch`: the operations from the caller's previous view (`GET …/view?at=version-1`) to the one after
    /// this change. Version 1 is patched from nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patch: Option<Vec<PatchOperation>>,
    /// With `include=view`: the caller's view after the change, as `GET …/view?at=version` returns it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<View>)]
    pub view: Option<Value>,
    /// With `include=actions`: the decisions that the caller owed after the change, with up to 500 choices each.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<SessionDecision>>)]
    pub decisions: Option<Value>,
}

impl<'a> PublicChange<'a> {
    /// Returns a change as this listener may know it.
    pub fn new(
        live: &'a Live,
        listener: Listener,
        past: &'a PastChange,
        additions: Additions,
    ) -> PublicChange<'a> {
        let viewer = listener.caller.seat();
        let after = past.entry.after.as_ref();
        let owed = || after.map(|after| after.owed_for(viewer));
        PublicChange {
            version: past.version,
            at: rfc3339(past.entry.at_ms),
            status: after.map(|after| after.stage),
            owing: owed().map(|owed| owed.map(|owed| owed.seat).collect()),
            deadlines: owed().map(|owed| owed.filter_map(Deadline::of).collect()),
            times: terms::times(&past.entry.times),
            events: describe_events(live, &past.entry, listener),
            patch: additions.patch,
            view: additions.view,
            decisions: additions.decisions,
        }
    }
}

/// An event. [`crate::api::document::event_shapes`] describes it.
#[derive(ToSchema)]
pub struct GameEvent;
