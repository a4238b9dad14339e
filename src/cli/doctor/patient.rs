//! What the checks look at, found out once.

use std::io::Read;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::super::health::{authority, get, url_of};
use super::super::{Stop, serve};
use crate::config::Config;
use crate::store::{self, Durability, StoreError, look_at_file};
use crate::surroundings::now_ms;

/// How long the server that runs may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// The settings, and the store and the server that they describe.
pub struct Patient {
    /// The settings; without those of the file if it cannot be read.
    pub config: Config,
    /// Why the file cannot be read.
    pub unreadable: Option<String>,
    /// The version of the server that runs at the address of the settings.
    pub running: Option<String>,
    pub store: Result<StoreLook, StoreError>,
}

/// What is known of a store.
pub struct StoreLook {
    pub found: String,
    /// Whether nothing survives the process.
    pub is_weak: bool,
    /// How far its clock, or the time of its last change, is before ours.
    pub ahead_ms: u64,
}

impl Patient {
    pub fn examine(args: serve::Args) -> Result<Patient, Stop> {
        let without_file = args.settings.clone();
        let (config, unreadable) = match serve::settings(args, "doctor") {
            Ok(config) => (config, None),
            Err(Stop::Usage(why)) => (without_file, Some(why)),
            Err(stop) => return Err(stop),
        };
        let running = running(&config.listen);
        let store = match config.store.strip_prefix("embedded:").map(Path::new) {
            Some(file) => look_at(file, running.is_some()),
            None => actix_web::rt::System::new().block_on(ask(&config.store)),
        };
        Ok(Patient {
            config,
            unreadable,
            running,
            store,
        })
    }

    /// Returns the file of an embedded store.
    pub fn file(&self) -> Option<&Path> {
        self.config.store.strip_prefix("embedded:").map(Path::new)
    }
}

/// Returns the version of the server that listens here.
fn running(listen: &str) -> Option<String> {
    let url = url_of(listen);
    let mut answer = get(authority(&url).ok()?, "/v1", "", PATIENCE).ok()?;
    let mut text = String::new();
    answer.read_to_string(&mut text).ok()?;
    let index: serde_json::Value = serde_json::from_str(text.split_once("\r\n\r\n")?.1).ok()?;
    let version = index.get("version")?.as_str()?;
    (index.get("name")? == "wyrmgate").then(|| version.to_owned())
}

async fn ask(spec: &str) -> Result<StoreLook, StoreError> {
    let store = store::open(spec).await?;
    store.probe().await?;
    let (facts, durability) = (store.facts().await?, store.durability());
    Ok(StoreLook {
        found: format!("{}, can be written, durability {durability}", facts.version),
        is_weak: durability == Durability::Memory,
        ahead_ms: facts.clock_ms.abs_diff(now_ms()),
    })
}

/// Only looks at a file, because nothing may change.
fn look_at(file: &Path, is_served: bool) -> Result<StoreLook, StoreError> {
    let changed = file.metadata().and_then(|found| found.modified());
    let changed = changed.unwrap_or(UNIX_EPOCH);
    let ahead = changed.duration_since(SystemTime::now());
    let found = match look_at_file(file) {
        _ if !file.exists() => "there is no file yet; the server creates it",
        Ok(()) => "the file has the format of this version",
        Err(StoreError::Misconfigured(_)) if is_served => "the server that runs has opened it",
        Err(error) => return Err(error),
    };
    Ok(StoreLook {
        found: found.to_owned(),
        is_weak: false,
        ahead_ms: ahead.unwrap_or_default().as_millis() as u64,
    })
}
