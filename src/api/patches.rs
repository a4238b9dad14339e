//! `form=patch`: with each change, how the caller's view has changed by it.
//!
//! The document that is patched is what `GET …/view?at=version` answers this caller. It follows from the log alone, so
//! that pages, lines and streams tell the same patches, now and later, on every node.

use std::sync::Arc;

use serde_json::Value;

use super::context::App;
use super::language::Listener;
use super::patch::{self, Operation};
use super::problem::{Code, Problem};
use super::view;
use crate::session::{Live, Past, Playback};

/// The views of one caller, one after the other.
pub struct Patches {
    listener: Listener,
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
        let playback = app.service.playback(live, version).await?;
        let view = (version > 0).then(|| seen(&playback, listener));
        Ok(Patches {
            listener,
            view: view.transpose()?,
            playback,
        })
    }

    /// The view that the next patch begins with.
    pub fn view(&self) -> Option<&Value> {
        self.view.as_ref()
    }

    /// What the next change has changed.
    pub fn next(&mut self, past: &Past) -> Result<Vec<Operation>, Problem> {
        self.playback.go_on(past)?;
        let view = seen(&self.playback, self.listener)?;
        let patch = patch::between(self.view.as_ref(), &view);
        self.view = Some(view);
        Ok(patch)
    }
}

fn seen(playback: &Playback, listener: Listener) -> Result<Value, Problem> {
    let view = view::describe(&playback.live(), listener);
    serde_json::to_value(view).map_err(|error| {
        tracing::error!(%error, "a view has no JSON form");
        Problem::new(Code::Internal)
    })
}
