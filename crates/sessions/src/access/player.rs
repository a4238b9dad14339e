//! Players: people who are known across sessions.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use wyrmgate_base::hex;

/// Identifies a player. It follows from what proves who the player is, so that nobody can choose it, and tells nothing of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PlayerId([u8; PlayerId::BYTES]);

/// The error for a text that is not the id of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the id of a player is `p_` and 32 hexadecimal digits")]
pub struct NoPlayerId;

impl PlayerId {
    const BYTES: usize = 16;
    const PREFIX: &str = "p_";

    /// Returns the id of the holder of an operator key, which gets webhook messages as if it played in all sessions of the key.
    pub fn of_key(name: &str) -> PlayerId {
        PlayerId::of(&blake3::derive_key(
            "wyrmgate 1 holder of a key",
            name.as_bytes(),
        ))
    }

    /// Returns the player whose proof has this digest.
    pub(crate) fn of(digest: &[u8; 32]) -> PlayerId {
        let [first, _] = digest.as_chunks::<{ PlayerId::BYTES }>().0 else {
            return PlayerId([0; PlayerId::BYTES]);
        };
        PlayerId(*first)
    }
}

impl fmt::Display for PlayerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", PlayerId::PREFIX, hex::encode(&self.0))
    }
}

impl FromStr for PlayerId {
    type Err = NoPlayerId;

    fn from_str(text: &str) -> Result<PlayerId, NoPlayerId> {
        let digits = text.strip_prefix(PlayerId::PREFIX).ok_or(NoPlayerId)?;
        let padded = format!("{digits}{digits}");
        let bytes = hex::decode(&padded).ok_or(NoPlayerId)?;
        Ok(PlayerId::of(&bytes))
    }
}

impl TryFrom<String> for PlayerId {
    type Error = NoPlayerId;

    fn try_from(text: String) -> Result<PlayerId, NoPlayerId> {
        text.parse()
    }
}

impl From<PlayerId> for String {
    fn from(id: PlayerId) -> String {
        id.to_string()
    }
}
