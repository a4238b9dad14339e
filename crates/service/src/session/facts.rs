//! What is fixed when a session is created.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::terms::Terms;
use super::token::TokenHash;
use wyrmgate_base::presume::Broken;
use wyrmgate_store::{Bytes, StoreError};

/// The number this version writes.
pub(super) const FORMAT: u32 = 1;

/// The immutable part of a session.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Facts {
    pub(super) format: u32,
    /// With its overlays: `cliff-race+short`.
    pub game: String,
    /// The digest of the ruleset that this session is pinned to.
    pub ruleset: String,
    pub seats: u8,
    /// Every declared option with its value.
    pub options: Map<String, Value>,
    pub visibility: Visibility,
    /// The client brought the seed, so chance was known to it.
    pub practice: bool,
    /// The BLAKE3 hash of the seed.
    pub commitment: String,
    pub created_at_ms: u64,
    pub owner: TokenHash,
    /// Only private sessions have one.
    pub invite: Option<TokenHash>,
    /// For spectators of a private session.
    #[serde(default)]
    pub watch: Option<TokenHash>,
    #[serde(default)]
    pub terms: Terms,
}

/// Who finds a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Visibility {
    /// Listed; anybody may watch what the public sees and take an open seat.
    Public,
    /// Exists only for those who hold one of its tokens or its invite code.
    Private,
}

/// The game and its variant, of their common name.
pub fn game_and_variant(name: &str) -> (&str, Option<&str>) {
    match name.split_once('+') {
        Some((game, variant)) => (game, Some(variant)),
        None => (name, None),
    }
}

impl Facts {
    pub fn encode(&self) -> Result<Bytes, Broken> {
        super::to_json(self)
    }

    pub fn decode(bytes: &[u8]) -> Result<Facts, StoreError> {
        let facts: Facts = super::from_json(bytes)?;
        if facts.format != FORMAT {
            return Err(StoreError::Corrupt(format!(
                "a session of format {}, and this version reads format {FORMAT}",
                facts.format
            )));
        }
        Ok(facts)
    }
}
