//! The rules folder is looked at while the service runs: a file that was edited is offered a moment later.
//!
//! Times of files are compared rather than the system asked to tell: that works on every disk, also on those that
//! containers share, and costs a look at some dozen files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::signal::Signal;
use wyrmgate_authoring::rules::Library;

/// The folder is looked at so often; what still changes is left to the next look, so that a file is not read while
/// somebody writes it.
const LOOK_EVERY: Duration = Duration::from_millis(400);
/// Folders inside one another: shelf, game, variants, variant.
const DEPTH_MAX: usize = 6;

/// When each file was written, and how long it is.
type Seen = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

/// Looks until the service stops.
pub fn watch(library: Arc<Library>, folder: PathBuf, shutdown: Signal) {
    let first = look(&folder);
    actix_web::rt::spawn(async move {
        let (mut read, mut last) = (first.clone(), first);
        loop {
            tokio::select! {
                () = shutdown.given() => return,
                () = tokio::time::sleep(LOOK_EVERY) => {}
            }
            let there = folder.clone();
            let Ok(seen) = actix_web::web::block(move || look(&there)).await else {
                return;
            };
            let is_quiet = seen == last;
            if is_quiet && seen != read {
                let (library, folder) = (library.clone(), folder.clone());
                let _ = actix_web::web::block(move || refresh(&library, &folder)).await;
                read = seen.clone();
            }
            last = seen;
        }
    });
}

fn refresh(library: &Library, folder: &Path) {
    match library.refresh(folder) {
        Ok(fresh) => {
            for name in fresh {
                tracing::info!(ruleset = name, "new rules");
            }
        }
        Err(error) => tracing::warn!(%error, "the rules folder cannot be read: it stays as it was"),
    }
    for broken in &library.catalogue().broken {
        let problems = broken.report.render(&broken.sources, false);
        tracing::warn!(
            ruleset = broken.name,
            "rules with errors are not offered; a version before stays\n{problems}"
        );
    }
}

fn look(folder: &Path) -> Seen {
    let mut seen = Seen::new();
    look_in(folder, DEPTH_MAX, &mut seen);
    seen
}

fn look_in(folder: &Path, depth: usize, seen: &mut Seen) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let path = entry.path();
        if path.is_dir() && depth > 0 && !path.ends_with("scenarios") {
            look_in(&path, depth - 1, seen);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "yaml")
        {
            let about = path.metadata().ok();
            let changed = about.as_ref().and_then(|about| about.modified().ok());
            seen.insert(path, (changed, about.map_or(0, |about| about.len())));
        }
    }
}
