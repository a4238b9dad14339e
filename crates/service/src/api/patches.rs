//! `form=patch`: with each change, how the caller's view has changed by it.
//!
//! The document that is patched is what `GET …/view?at=version` answers this caller. It follows from the log alone, so
//! that pages, lines and streams tell the same patches, now and later, on every node. Whoever may see the same gets the
//! same patch: it is computed once for all watchers of a node, see [`super::shared_changes`].

use std::sync::Arc;

use serde_json::Value;

use super::context::App;
use super::language::Listener;
use super::patch::{self, Operation};
use super::problem::{Code, Problem};
use super::shared_changes::{ChangeKey, Told};
use super::view;
use crate::session::{Live, Past, Playback};

/// The views of one caller, one after the other.
pub struct Patches {
    listener: Listener,
    seen: Arc<Seen>,
}

/// A session as it was at one version, and what a caller saw of it.
pub struct Seen {
    playback: Playback,
    /// `None` before the first version.
    view: Option<Value>,
}

impl Patches {
    /// Ready for the change after a version.
    pub async fn after(
        app: &App,
        live: &Arc<Live>,
        listener: Listener,
        version: u64,
    ) -> Result<Patches, Problem> {
        // Others may watch from here already.
        let known = (version == live.version()).then(|| {
            let key = ChangeKey::of_patch(live, listener, version, live.version_mark);
            app.shared_changes.known(&key)
        });
        let known = known.flatten().and_then(|told| told.seen.clone());
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

    /// The view that the next patch begins with.
    pub fn view(&self) -> Option<&Value> {
        self.seen.view.as_ref()
    }

    /// What the next change has changed, computed here or by another watcher who may see the same.
    pub async fn next(
        &mut self,
        app: &App,
        live: &Arc<Live>,
        past: &Past,
    ) -> Result<Arc<Told>, Problem> {
        let key = ChangeKey::of_patch(live, self.listener, past.version, past.mark);
        let before = self.seen.clone();
        let listener = self.listener;
        let told = app.shared_changes.told(key, || {
            let (patch, seen) = step(&before, listener, past)?;
            Told::new(live, listener, past, Some((patch, Arc::new(seen))))
        });
        let told = told.await?;
        if let Some(seen) = &told.seen {
            self.seen = seen.clone();
        }
        Ok(told)
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
        tracing::error!(%error, "a view has no JSON form");
        Problem::new(Code::Internal)
    })
}
