//! `form=patch` and `include=…`: adds to each change how it changed the caller's view, the view itself, and what the caller
//! owed then.
//!
//! A patch applies to the document that `GET …/view?at=version` returns to this caller. All additions follow from the log
//! alone, so pages, lines and streams contain the same ones at any time and on every node. Callers who may see the same
//! receive the same additions, which a node computes once; see [`crate::api::session::shared_changes`].

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use crate::api::request::context::App;
use crate::api::request::language::Listener;
use crate::api::response::patch;
use crate::api::response::problem::{Code, Problem};
use crate::api::response::respond;
use crate::api::session::additions::{Additions, Extras};
use crate::api::session::events::Form;
use crate::api::session::include::Included;
use crate::api::session::shared_changes::{ChangeKey, RenderedChange};
use crate::api::session::view;
use wyrmgate_sessions::{Live, Past, Playback};

/// The successive additions for one caller.
pub struct Enrichment {
    listener: Listener,
    extras: Extras,
    seen: Arc<Seen>,
}

/// A session at one version, and the caller's view of it.
pub struct Seen {
    playback: Playback,
    /// `None` before the first version, and if nobody wants it.
    view: Option<Value>,
}

impl Extras {
    pub fn new(form: Option<Form>, included: Option<Included>) -> Extras {
        Extras {
            patch: form == Some(Form::Patch),
            included: included.unwrap_or_default(),
        }
    }

    fn need_view(self) -> bool {
        self.patch || self.included.view
    }
}

impl Enrichment {
    /// Prepares the extras of the change after this version. `None` if the client wants none.
    pub async fn after(
        app: &App,
        live: &Arc<Live>,
        listener: Listener,
        version: u64,
        extras: Extras,
    ) -> Result<Option<Enrichment>, Problem> {
        if extras == Extras::default() {
            return Ok(None);
        }
        let seen = Enrichment::seen(app, live, listener, version, extras).await?;
        Ok(Some(Enrichment {
            listener,
            extras,
            seen,
        }))
    }

    async fn seen(
        app: &App,
        live: &Arc<Live>,
        listener: Listener,
        version: u64,
        extras: Extras,
    ) -> Result<Arc<Seen>, Problem> {
        // Others may already watch from this version.
        let known = (version == live.version()).then(|| {
            let key = ChangeKey::of(live, listener, version, live.version_mark, extras);
            app.shared_changes.cached(&key)
        });
        let known = known.flatten().and_then(|rendered| rendered.seen.clone());
        if let Some(seen) = known {
            return Ok(seen);
        }
        let playback = app.service.playback(live, version).await?;
        let is_wanted = version > 0 && extras.need_view();
        let view = is_wanted.then(|| describe(&playback.live(), listener));
        let view = view.transpose()?;
        Ok(Arc::new(Seen { playback, view }))
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
        app: &App,
        live: &Arc<Live>,
        past: &Past,
    ) -> Result<Arc<RenderedChange>, Problem> {
        let (listener, extras) = (self.listener, self.extras);
        let key = ChangeKey::of(live, listener, past.version, past.mark, extras);
        let before = self.seen.clone();
        let rendered = app.shared_changes.rendered(key, || {
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
    before: &Seen,
    listener: Listener,
    past: &Past,
    extras: Extras,
) -> Result<(Additions, Seen), Problem> {
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
    Ok((additions, Seen { playback, view }))
}

/// Returns the decisions that the caller owed after a change. The log does not contain secret answers, only who has given
/// them.
fn owed(live: &Live, listener: Listener, past: &Past) -> Result<Value, Problem> {
    let after = past.entry.after.as_ref();
    let has_answered = listener
        .caller
        .seat()
        .zip(after)
        .is_some_and(|(seat, after)| after.has_answered(seat));
    if has_answered {
        return Ok(Value::Array(Vec::new()));
    }
    value(&view::owed(live, listener)?)
}

fn describe(live: &Live, listener: Listener) -> Result<Value, Problem> {
    value(&view::describe(live, listener))
}

pub fn value(of: &impl Serialize) -> Result<Value, Problem> {
    serde_json::from_slice(&respond::bytes(of)?).map_err(|error| {
        tracing::error!(%error, "cannot serialize a part of a response");
        Problem::new(Code::Internal)
    })
}
