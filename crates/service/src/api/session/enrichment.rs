//! `form=patch` and `include=…`: adds to each change how it changed the caller's view, the view itself, and what the caller
//! owed then.
//!
//! A patch applies to the document that `GET …/view?at=version` returns to this caller. All additions follow from the log
//! alone, so pages, lines and streams contain the same ones at any time and on every node. Callers who may see the same
//! receive the same additions, which a node computes once; see [`crate::api::session::shared_changes`].

use std::sync::Arc;

use actix_web::web::Data;
use serde_json::Value;

use crate::api::response::{patch, respond};
use crate::api::session::additions::{Additions, Extras};
use crate::api::session::position;
use crate::api::session::rendered::{RenderedChange, SessionSeen};
use crate::api::session::shared_changes::{ChangeKey, SharedChanges};
use crate::api::shared::language::Listener;
use crate::api::shared::problem::Problem;
use wyrmgate_sessions::{Live, PastChange, Service};

/// The successive additions for one caller.
pub struct Enrichment {
    shared: Data<SharedChanges>,
    listener: Listener,
    extras: Extras,
    seen: Arc<SessionSeen>,
}

impl Enrichment {
    /// Prepares the extras of the change after this version. `None` if the client wants none.
    pub async fn after(
        service: &Service,
        shared: &Data<SharedChanges>,
        live: &Arc<Live>,
        listener: Listener,
        version: u64,
        extras: Extras,
    ) -> Result<Option<Enrichment>, Problem> {
        if extras == Extras::default() {
            return Ok(None);
        }
        // Others may already watch from this version.
        let known = (version == live.version()).then(|| {
            let key = ChangeKey::of(live, listener, version, live.version_mark, extras);
            shared.cached(&key)
        });
        let known = known.flatten().and_then(|rendered| rendered.seen.clone());
        let seen = match known {
            Some(seen) => seen,
            None => {
                let playback = service.playback(live, version).await?;
                let is_wanted = version > 0 && extras.need_view();
                let view = is_wanted.then(|| describe(&playback.live(), listener));
                let view = view.transpose()?;
                Arc::new(SessionSeen { playback, view })
            }
        };
        Ok(Some(Enrichment {
            shared: shared.clone(),
            listener,
            extras,
            seen,
        }))
    }

    /// Returns the view to which the next patch applies.
    pub fn view(&self) -> Option<&Value> {
        self.seen.view.as_ref()
    }

    pub fn has_patches(&self) -> bool {
        self.extras.patch
    }

    /// Returns the next change, computed here or by another watcher who may see the same.
    pub async fn next(
        &mut self,
        live: &Arc<Live>,
        past: &PastChange,
    ) -> Result<Arc<RenderedChange>, Problem> {
        let (listener, extras) = (self.listener, self.extras);
        let key = ChangeKey::of(live, listener, past.version, past.mark, extras);
        let before = self.seen.clone();
        let rendered = self.shared.rendered(key, || {
            let (additions, seen) = step(&before, listener, past, extras)?;
            let seen = Some(Arc::new(seen));
            RenderedChange::new(live, listener, past, additions, seen)
        });
        let rendered = rendered.await?;
        if let Some(seen) = &rendered.seen {
            self.seen = seen.clone();
        }
        Ok(rendered)
    }
}

fn step(
    before: &SessionSeen,
    listener: Listener,
    past: &PastChange,
    extras: Extras,
) -> Result<(Additions, SessionSeen), Problem> {
    let mut playback = before.playback.clone();
    playback.go_on(past)?;
    let live = playback.live();
    let view = extras.need_view().then(|| describe(&live, listener));
    let view = view.transpose()?;
    let patch = view.as_ref().filter(|_| extras.patch);
    let patch = patch.map(|view| patch::between(before.view.as_ref(), view));
    let decisions = extras.included.actions.then(|| owed(&live, listener, past));
    let additions = Additions {
        patch,
        view: view.clone().filter(|_| extras.included.view),
        decisions: decisions.transpose()?,
    };
    Ok((additions, SessionSeen { playback, view }))
}

/// Returns the decisions that the caller owed after a change. The log does not contain secret answers, only who has given
/// them.
fn owed(live: &Live, listener: Listener, past: &PastChange) -> Result<Value, Problem> {
    let after = past.entry.after.as_ref();
    let has_answered = listener
        .caller
        .seat()
        .zip(after)
        .is_some_and(|(seat, after)| after.has_answered(seat));
    if has_answered {
        return Ok(Value::Array(Vec::new()));
    }
    respond::value(&position::owed(live, listener)?)
}

fn describe(live: &Live, listener: Listener) -> Result<Value, Problem> {
    respond::value(&position::describe(live, listener))
}
