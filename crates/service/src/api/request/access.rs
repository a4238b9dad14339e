//! Operator keys: credentials for actions that no seat token or owner token covers. Each key has scopes.
//!
//! The server rereads the key file when it has changed, at most twice a second. A key that is removed from the file
//! stops working within half a second on every node that reads the file.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use wyrmgate_sessions::{Token, TokenHash};

/// An action that requires an operator key, once keys are configured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum OperatorScope {
    /// Create sessions and fork them.
    Create,
    /// Act as the owner of every session.
    Manage,
    /// Upload rules and check them.
    Upload,
    /// Run simulations and stateless steps.
    Simulate,
    /// Read the metrics of the service.
    Metrics,
    /// Read everything in the store, secrets included.
    Backup,
    /// Act for players of its own (`Act-As`).
    Players,
}

/// A key as the operator stores it: its hash, never the key itself.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnerKey {
    /// Identifies the key to the operator and in the log.
    pub name: String,
    /// SHA-256 of the key, in hexadecimal digits.
    pub hash: TokenHash,
    pub scopes: Vec<OperatorScope>,
}

/// The contents of the key file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyFile {
    keys: Vec<OwnerKey>,
}

/// Why the key file cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("cannot read the keys in `{file}`: {problem}")]
pub struct KeysError {
    file: String,
    problem: String,
}

/// Interval between checks of the key file for changes.
const LOOK_AGAIN: Duration = Duration::from_millis(500);

/// All keys in the key file.
#[derive(Debug)]
pub struct KeyRing {
    file: PathBuf,
    read: Mutex<KeysRead>,
}

#[derive(Debug)]
struct KeysRead {
    keys: Arc<[OwnerKey]>,
    changed: Option<SystemTime>,
    looked: Instant,
}

impl KeyRing {
    pub fn open(file: &Path) -> Result<KeyRing, KeysError> {
        let read = KeysRead {
            changed: changed(file),
            keys: keys(file)?,
            looked: Instant::now(),
        };
        Ok(KeyRing {
            file: file.to_owned(),
            read: Mutex::new(read),
        })
    }

    /// Returns the key with this text. Compares with every key, so that the time taken reveals nothing.
    pub fn find(&self, token: &Token) -> Option<OwnerKey> {
        let hash = token.hash();
        let keys = self.present();
        let mut found = None;
        for key in keys.iter() {
            if key.hash.matches(&hash) {
                found = Some(key);
            }
        }
        found.cloned()
    }

    /// Returns the current keys. If the file cannot be read, no key is valid, not even those read before.
    fn present(&self) -> Arc<[OwnerKey]> {
        let mut read = self.read.lock();
        if read.looked.elapsed() >= LOOK_AGAIN {
            read.looked = Instant::now();
            let changed = changed(&self.file);
            if changed.is_none() || changed != read.changed {
                read.changed = changed;
                read.keys = keys(&self.file).unwrap_or_else(|error| {
                    tracing::error!(%error, "cannot read the key file; no key is valid");
                    Arc::default()
                });
            }
        }
        read.keys.clone()
    }
}

fn changed(file: &Path) -> Option<SystemTime> {
    std::fs::metadata(file)
        .and_then(|about| about.modified())
        .ok()
}

fn keys(file: &Path) -> Result<Arc<[OwnerKey]>, KeysError> {
    let problem = |problem: String| KeysError {
        file: file.display().to_string(),
        problem,
    };
    let text = std::fs::read_to_string(file).map_err(|error| problem(error.to_string()))?;
    let read: KeyFile = serde_yaml::from_str(&text).map_err(|error| problem(error.to_string()))?;
    Ok(read.keys.into())
}
