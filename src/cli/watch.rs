//! `--watch`: runs a command again whenever a file of the rules changes.
//!
//! It polls several times a second, because that works on every file system and with every editor. Notifications would
//! save only a few milliseconds.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use super::fmt::files;
use super::setup::with_variants;
use super::{Stop, Verdict, interrupt};
use crate::lang::load::is_rules_file;

const LOOK_EVERY: Duration = Duration::from_millis(150);
/// Time without changes before a run, because an editor writes a file in several steps and a checkout many files.
const SETTLED_AFTER: Duration = Duration::from_millis(100);
const CLEAR: &str = "\x1b[2J\x1b[3J\x1b[H";

/// The modification time and size of every YAML file.
type Picture = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

/// Returns the folders of the files that a name stands for.
fn paths(game: &str, rules: &Path) -> Result<Vec<PathBuf>, Stop> {
    let mut paths = vec![PathBuf::from(game)];
    for stack in with_variants(game, rules)? {
        paths.push(stack.folder);
        paths.extend(stack.overlays);
    }
    Ok(paths)
}

/// Runs once or, to watch, now and after every change of the files that a name stands for, until Ctrl-C. Returns the result of
/// the last run.
pub fn run(
    is_watching: bool,
    game: &str,
    rules: &Path,
    mut run: impl FnMut() -> Result<Verdict, Stop>,
) -> Result<Verdict, Stop> {
    if !is_watching {
        return run();
    }
    let paths = &paths(game, rules)?;
    let interrupted = interrupt::flag()?;
    let is_over = || interrupted.load(Ordering::Relaxed);
    loop {
        let before = picture(paths);
        if std::io::stdout().is_terminal() {
            let _ = std::io::stdout().write_all(CLEAR.as_bytes());
        }
        let verdict = match run() {
            Err(Stop::Failure(message) | Stop::Usage(message)) => {
                complain!("error: {message}");
                Verdict::Problems
            }
            other => other?,
        };
        say!("watching for changes; press Ctrl-C to stop");
        while picture(paths) == before {
            std::thread::sleep(LOOK_EVERY);
            if is_over() {
                return Ok(verdict);
            }
        }
        settle(paths);
    }
}

fn settle(paths: &[PathBuf]) {
    let mut last = picture(paths);
    loop {
        std::thread::sleep(SETTLED_AFTER);
        let now = picture(paths);
        if now == last {
            return;
        }
        last = now;
    }
}

fn picture(paths: &[PathBuf]) -> Picture {
    // A folder that cannot be read now is looked at again soon.
    let files = paths
        .iter()
        .flat_map(|path| files(path, is_rules_file).unwrap_or_default());
    let looked_at = files.map(|file| {
        let about = std::fs::metadata(&file).ok();
        let written = about.as_ref().and_then(|about| about.modified().ok());
        (file, (written, about.map_or(0, |about| about.len())))
    });
    looked_at.collect()
}
