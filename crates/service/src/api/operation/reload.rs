//! Reloads the rules folder while the service runs: an edited file takes effect within a second.
//!
//! The server polls modification times instead of using file notifications. Polling works on every file system,
//! including volumes that containers share, and costs two `stat` calls for each file. In a folder with thousands of files
//! the server polls less often.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use crate::api::request::signal::Signal;
use wyrmgate_authoring::rules::{Library, is_rules_file};

/// Polling interval. A file that is still changing is left for the next poll, so that a partly written file is not
/// read.
const LOOK_EVERY: Duration = Duration::from_millis(400);
/// Minimum pause after a poll, as a multiple of the duration of the poll.
const PAUSE_MIN: u32 = 20;
/// Maximum depth of nested folders: shelf, game, variants, variant.
const DEPTH_MAX: usize = 6;

/// The modification time and the size of each file.
type Seen = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

/// Polls until the service stops.
pub fn watch(library: Arc<Library>, folder: PathBuf, shutdown: Signal) {
    let first = look(&folder);
    actix_web::rt::spawn(async move {
        let (mut read, mut last) = (first.clone(), first);
        let mut pause = LOOK_EVERY;
        loop {
            tokio::select! {
                () = shutdown.given() => return,
                () = tokio::time::sleep(pause) => {}
            }
            let there = folder.clone();
            let timed = move || (Instant::now(), look(&there), Instant::now());
            let Ok((began, seen, ended)) = actix_web::web::block(timed).await else {
                return;
            };
            pause = LOOK_EVERY.max(PAUSE_MIN * (ended - began));
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
                tracing::info!(ruleset = name, "rules reloaded");
            }
        }
        Err(error) => {
            tracing::warn!(%error, "cannot read the rules folder; the current rules stay in use")
        }
    }
    for broken in &library.catalog().broken {
        let problems = broken.report.render(&broken.sources, false);
        tracing::warn!(
            ruleset = broken.name,
            "rules with errors are not loaded; earlier valid versions stay in use\n{problems}"
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
        } else if path.to_str().is_some_and(is_rules_file) {
            let about = path.metadata().ok();
            let changed = about.as_ref().and_then(|about| about.modified().ok());
            seen.insert(path, (changed, about.map_or(0, |about| about.len())));
        }
    }
}
