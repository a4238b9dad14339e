//! Who may do what no seat or owner of a single session can allow: keys that the operator hands out, each with scopes.
//!
//! The file of keys is looked at again when it has changed, at most twice a second: a key taken out of it is of no use
//! a moment later, on every node that reads the file.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use serde::{Deserialize, Serialize};

use crate::session::{Token, TokenHash};

/// Something that needs a key, once there are keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Create sessions and fork them.
    Create,
    /// Be the owner of every session.
    Manage,
    /// Upload rules and have them checked.
    Upload,
    /// Run simulations and stateless steps.
    Simulate,
    /// Read the numbers of the service.
    Metrics,
    /// Read everything in the store, secrets included.
    Backup,
}

/// A key as the operator keeps it: never the key itself.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnerKey {
    /// For the operator and the log.
    pub name: String,
    /// SHA-256 of the key, in hexadecimal digits.
    pub hash: TokenHash,
    pub scopes: Vec<Scope>,
}

/// The file of keys.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyFile {
    keys: Vec<OwnerKey>,
}

/// Why there are no keys.
#[derive(Debug, thiserror::Error)]
#[error("the keys in `{file}` cannot be read: {problem}")]
pub struct KeysError {
    file: String,
    problem: String,
}

/// The file is looked at so often.
const LOOK_AGAIN: Duration = Duration::from_millis(500);

/// All keys, as the file has them.
#[derive(Debug)]
pub struct KeyRing {
    file: PathBuf,
    read: Mutex<Read>,
}

#[derive(Debug)]
struct Read {
    keys: Arc<[OwnerKey]>,
    changed: Option<SystemTime>,
    looked: Instant,
}

impl KeyRing {
    pub fn open(file: &Path) -> Result<KeyRing, KeysError> {
        let read = Read {
            changed: changed(file),
            keys: keys(file)?,
            looked: Instant::now(),
        };
        Ok(KeyRing {
            file: file.to_owned(),
            read: Mutex::new(read),
        })
    }

    /// The key with this text. Looks at all, so that the time it takes tells nothing.
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

    /// A file that cannot be read opens nothing: the keys of before are of no use either.
    fn present(&self) -> Arc<[OwnerKey]> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if read.looked.elapsed() >= LOOK_AGAIN {
            read.looked = Instant::now();
            let changed = changed(&self.file);
            if changed.is_none() || changed != read.changed {
                read.changed = changed;
                read.keys = keys(&self.file).unwrap_or_else(|error| {
                    tracing::error!(%error, "no key opens anything");
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
