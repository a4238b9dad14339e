//! Operator keys: credentials for actions that no seat token or owner token covers. Each key has scopes.
//!
//! A key that is removed from the file stops working within half a second on every node that reads the file.

use std::path::Path;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use crate::api::request::reread::{RereadFile, UnreadableFile};
use crate::config::Rates;
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
    /// Rate limits of all that the key asks for, from wherever: `[create=600/m]`. Without one of a bucket, that of the address.
    #[serde(default, skip_serializing, deserialize_with = "rates")]
    pub rates: Rates,
}

fn rates<'de, D: Deserializer<'de>>(from: D) -> Result<Rates, D::Error> {
    let rates = Vec::<String>::deserialize(from)?;
    rates.join(",").parse().map_err(D::Error::custom)
}

/// The contents of the key file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyFile {
    keys: Vec<OwnerKey>,
}

/// All keys in the key file.
#[derive(Debug)]
pub struct KeyRing(RereadFile<Vec<OwnerKey>>);

impl KeyRing {
    pub fn open(file: &Path) -> Result<KeyRing, UnreadableFile> {
        Ok(KeyRing(RereadFile::open("keys", file, keys)?))
    }

    /// Returns the key with this text. Compares with every key, so that the time taken reveals nothing.
    pub fn find(&self, token: &Token) -> Option<OwnerKey> {
        let hash = token.hash();
        let keys = self.0.present();
        let mut found = None;
        for key in keys.iter() {
            if key.hash.matches(&hash) {
                found = Some(key);
            }
        }
        found.cloned()
    }

    /// Returns whether the key is still there, with the same scopes.
    pub fn has(&self, key: &OwnerKey) -> bool {
        let is_same = |of: &OwnerKey| of.hash.matches(&key.hash) && of.scopes == key.scopes;
        self.0.present().iter().any(is_same)
    }
}

fn keys(text: &str, _: &Vec<OwnerKey>) -> Result<Vec<OwnerKey>, String> {
    let read: Result<KeyFile, _> = serde_yaml::from_str(text);
    let keys = read.map_err(|error| error.to_string())?.keys;
    // What a key has made is found by its name, and what nobody's key has made by an empty one.
    let is_unfit = |key: &OwnerKey| key.name.is_empty() || key.name.contains(char::is_control);
    match keys.iter().any(is_unfit) {
        true => Err("the name of a key must not be empty or contain control characters".into()),
        false => Ok(keys),
    }
}
