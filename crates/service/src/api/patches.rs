//! `form=patch`: adds to each change how it changed the caller's view.
//!
//! A patch applies to the document that `GET …/view?at=version` returns to this caller. It follows from the log alone,
//! so pages, lines and streams contain the same patches at any time and on every node. Callers who may see the same
//! receive the same patch, which a node computes once; see [`super::shared_changes`].

use std::sync::Arc;

use serde_json::Value;

use super::context::App;
use super::language::Listener;
use super::patch::{self, Operation};
use super::problem::{Code, Problem};
use super::shared_changes::{ChangeKey, RenderedChange};
use super::view;
use crate::session::{Live, Past, Playback};

/// The successive views of one caller.
pub struct Patches {
    listener: Listener,
    seen: Arc<Seen>,
}

/// A session at one version, and the caller's view of it.
pub struct Seen {
    playback: Playback,
    /// `None` before the first version.
    view: Option<Value>,
}

impl Patches {
    /// Prepares for the change after this version.
    pub async fn after(
        app: &App,
        live: &Arc<Live>,
        listener: Listener,
        version: u64,
    ) -> Result<Patches, Problem> {
        // Others may already watch from this version.
        let known = (version == live.version()).then(|| {
            let key = ChangeKey::of_patch(live, listener, version, live.version_mark);
            app.shared_changes.cached(&key)
        });
        let known = known.flatten().and_then(|rendered| rendered.seen.clone());
        if let Some(seen) = known {
            return Ok(Patches { listener, seen });
        }
        let playback = app.service.playback(live, version).await?;
        let view = (version > 0).then(|| seen(&playback, listener));
        let view = view.transpose()?;
        Ok(Patches {
            listener,
            seen: Arc::new(Seen { playback, view }),
        })
    }

    /// Returns the view to which the next patch applies.
    pub fn view(&self) -> Option<&Value> {
        self.seen.view.as_ref()
    }

    /// Returns the patch of the next change, computed here or by another watcher who may see the same.
    pub async fn next(
        &mut self,
        app: &App,
        live: &Arc<Live>,
        past: &Past,
    ) -> Result<Arc<RenderedChange>, Problem> {
        let key = ChangeKey::of_patch(live, self.listener, past.version, past.mark);
        let before = self.seen.clone();
        let listener = self.listener;
        let rendered = app.shared_changes.rendered(key, || {
            let (patch, seen) = step(&before, listener, past)?;
            RenderedChange::new(live, listener, past, Some((patch, Arc::new(seen))))
        });
        let rendered = rendered.await?;
        if let Some(seen) = &rendered.seen {
            self.seen = seen.clone();
        }
        Ok(rendered)
    }
}

fn step(before: &Seen, listener: Listener, past: &Past) -> Result<(Vec<Operation>, Seen), Problem> {
    let mut playback = before.playback.clone();
    playback.go_on(past)?;
    let view = seen(&playback, listener)?;
    let patch = patch::between(before.view.as_ref(), &view);
    let view = Some(view);
    Ok((patch, Seen { playback, view }))
}

fn seen(playback: &Playback, listener: Listener) -> Result<Value, Problem> {
    let view = view::describe(&playback.live(), listener);
    serde_json::to_value(view).map_err(|error| {
        tracing::error!(%error, "cannot serialize a view");
        Problem::new(Code::Internal)
    })
}
