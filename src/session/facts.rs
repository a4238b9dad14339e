//! What is fixed when a session is created.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::token::TokenHash;
use crate::store::{Bytes, StoreError};

/// The number this version writes.
const FORMAT: u32 = 1;

/// The immutable part of a session.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Facts {
    format: u32,
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

impl Facts {
    #[expect(
        clippy::too_many_arguments,
        reason = "the fields themselves, named at the only call"
    )]
    pub fn new(
        game: String,
        ruleset: String,
        seats: u8,
        options: Map<String, Value>,
        visibility: Visibility,
        practice: bool,
        commitment: String,
        created_at_ms: u64,
        owner: TokenHash,
        invite: Option<TokenHash>,
    ) -> Facts {
        Facts {
            format: FORMAT,
            game,
            ruleset,
            seats,
            options,
            visibility,
            practice,
            commitment,
            created_at_ms,
            owner,
            invite,
        }
    }

    pub fn encode(&self) -> Bytes {
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
