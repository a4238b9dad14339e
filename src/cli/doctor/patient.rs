//! What the checks look at, found out once.

use std::io::Read;
use std::path::Path;
use std::time::Duration;

use super::super::health::{authority, get, url_of};
use super::super::{Stop, serve};
use crate::config::Config;
use crate::store::{self, Durability, StoreError, StoreFacts, look_at_file};

/// How long the server that runs may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// The settings, the store and the server that they describe.
pub struct Patient {
    /// The settings; without those of the file if it cannot be read.
    pub config: Config,
    /// Why the file cannot be read.
    pub unreadable: Option<String>,
    pub server: Option<RunningServer>,
    pub store: Result<OpenStore, StoreError>,
}

/// A server of ours that listens at the address of the settings.
pub struct RunningServer {
    pub version: String,
    /// Whether `/readyz` answers with 200.
    pub is_ready: bool,
}

/// What is known of a store.
pub enum OpenStore {
    /// It was opened and written.
    Opened {
        facts: StoreFacts,
        durability: Durability,
    },
    /// Its file has our format. It was not opened for writing, because nothing may change.
    File,
    /// There is no file yet.
    New,
    /// The server has opened the file.
    InUse,
}

impl Patient {
    pub fn examine(args: serve::Args) -> Result<Patient, Stop> {
        let without_file = args.settings.clone();
        let (config, unreadable) = match serve::settings(args, "doctor") {
            Ok(config) => (config, None),
            Err(Stop::Usage(why)) => (without_file, Some(why)),
            Err(stop) => return Err(stop),
        };
        let server = RunningServer::at(&config.listen);
        let store = OpenStore::of(&config.store, server.is_some());
        Ok(Patient {
            config,
            unreadable,
            server,
            store,
        })
    }

    /// Returns the file of an embedded store.
    pub fn file(&self) -> Option<&Path> {
        self.config.store.strip_prefix("embedded:").map(Path::new)
    }
}

impl RunningServer {
    fn at(listen: &str) -> Option<RunningServer> {
        let answer = answer(listen, "/v1")?;
        let body = answer.split_once("\r\n\r\n")?.1;
        let index: serde_json::Value = serde_json::from_str(body).ok()?;
        let is_ours = index.get("name").is_some_and(|name| name == "wyrmgate");
        let version = index
            .get("version")
            .filter(|_| is_ours)?
            .as_str()?
            .to_owned();
        let ready = answer_line(listen);
        Some(RunningServer {
            version,
            is_ready: ready.contains(" 200 "),
        })
    }
}

fn answer_line(listen: &str) -> String {
    let answer = answer(listen, "/readyz").unwrap_or_default();
    answer.lines().next().unwrap_or_default().to_owned()
}

fn answer(listen: &str, path: &str) -> Option<String> {
    let url = url_of(listen);
    let mut stream = get(authority(&url).ok()?, path, "", PATIENCE).ok()?;
    let mut text = String::new();
    stream.read_to_string(&mut text).ok()?;
    Some(text)
}

impl OpenStore {
    fn of(spec: &str, is_served: bool) -> Result<OpenStore, StoreError> {
        let Some(file) = spec.strip_prefix("embedded:").map(Path::new) else {
            return actix_web::rt::System::new().block_on(async {
                let store = store::open(spec).await?;
                store.probe().await?;
                let durability = store.durability();
                Ok(OpenStore::Opened {
                    facts: store.facts().await?,
                    durability,
                })
            });
        };
        if !file.exists() {
            return Ok(OpenStore::New);
        }
        match look_at_file(file) {
            Ok(()) => Ok(OpenStore::File),
            Err(StoreError::Misconfigured(why)) if is_served && why.contains("another process") => {
                Ok(OpenStore::InUse)
            }
            Err(error) => Err(error),
        }
    }
}
