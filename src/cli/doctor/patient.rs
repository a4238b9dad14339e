//! What the checks look at, found out once.

use std::io::Read;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

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
    /// Known of a store that was opened. Files are only looked at, because nothing may change.
    pub durability: Option<Durability>,
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
    let is_ours = index.get("name")? == "wyrmgate";
    Some(
        index
            .get("version")
            .filter(|_| is_ours)?
            .as_str()?
            .to_owned(),
    )
}

async fn ask(spec: &str) -> Result<StoreLook, StoreError> {
    let store = store::open(spec).await?;
    store.probe().await?;
    let (facts, durability) = (store.facts().await?, store.durability());
    Ok(StoreLook {
        found: format!("{}, can be written, durability {durability}", facts.version),
        durability: Some(durability),
        ahead_ms: facts.clock_ms.abs_diff(now_ms()),
    })
}

fn look_at(file: &Path, is_served: bool) -> Result<StoreLook, StoreError> {
    let changed = file.metadata().and_then(|found| found.modified()).ok();
    let changed = changed
        .and_then(|at| at.duration_since(UNIX_EPOCH).ok())
        .unwrap_or_default();
    let found = match look_at_file(file) {
        _ if !file.exists() => "there is no file yet; the server creates it",
        Ok(()) => "the file has the format of this version",
        Err(StoreError::Misconfigured(_)) if is_served => "the server that runs has opened it",
        Err(error) => return Err(error),
    };
    Ok(StoreLook {
        found: found.to_owned(),
        durability: None,
        ahead_ms: u64::try_from(changed.as_millis())
            .unwrap_or(u64::MAX)
            .saturating_sub(now_ms()),
    })
}
