//! The immutable facts of a session.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use crate::access::player::PlayerId;
use crate::access::token::TokenHash;
use crate::content::encoding::{from_json, to_short_json};
use crate::content::terms::Terms;
use crate::content::waiting::WaitTerms;
use wyrmgate_base::presume::BrokenInvariant;
use wyrmgate_store::{Bytes, StoreError};

/// The format number that this version writes.
pub(crate) const FORMAT: u32 = 1;

/// The immutable part of a session.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SessionFacts {
    pub(crate) format: u32,
    /// The game with its overlays: `cliff-race+short`.
    pub game: String,
    /// The digest of the ruleset of this session.
    pub ruleset: String,
    pub seats: u8,
    /// Every declared option with its value.
    pub options: Map<String, Value>,
    pub visibility: Visibility,
    /// Whether the client supplied the seed and could predict random numbers.
    pub practice: bool,
    /// The BLAKE3 hash of the seed.
    pub commitment: String,
    pub created_at_ms: u64,
    pub owner: TokenHash,
    /// The hash of the invite code. Only private sessions have one.
    pub invite: Option<TokenHash>,
    /// The hash of the token for spectators of a private session.
    pub watch: Option<TokenHash>,
    #[serde(default)]
    pub terms: Terms,
    #[serde(default, skip_serializing_if = "SessionLabels::are_none")]
    pub labels: SessionLabels,
    #[serde(default, skip_serializing_if = "WaitTerms::are_none")]
    pub waits: WaitTerms,
}

/// What the creator of a session attached to it. It means nothing to the server.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionLabels {
    pub metadata: Map<String, Value>,
    pub tags: Vec<String>,
    /// The session's name in the creator's own books.
    pub external_id: Option<String>,
    /// The name of the operator key that created the session; empty on a server without keys.
    pub key: String,
    /// The tournament of which this is a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tournament: Option<String>,
}

impl SessionLabels {
    fn are_none(&self) -> bool {
        *self == SessionLabels::default()
    }

    /// Returns the holder of the operator key that created the session.
    pub(crate) fn key_holder(&self) -> Option<PlayerId> {
        (!self.key.is_empty()).then(|| PlayerId::of_key(&self.key))
    }

    /// Returns the labels of a rematch, which has no place in the creator's books yet.
    pub(crate) fn for_rematch(&self) -> SessionLabels {
        SessionLabels {
            external_id: None,
            tournament: None,
            ..self.clone()
        }
    }
}

/// Who can find a session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Visibility {
    /// Listed in the lobby. Anyone can watch the public view and take an open seat.
    #[default]
    Public,
    /// Visible only to holders of its tokens or its invite code.
    Private,
}

/// Splits a full name into the game and its variant.
pub fn game_and_variant(name: &str) -> (&str, Option<&str>) {
    match name.split_once('+') {
        Some((game, variant)) => (game, Some(variant)),
        None => (name, None),
    }
}

impl SessionFacts {
    pub fn encode(&self) -> Result<Bytes, BrokenInvariant> {
        let usual = json!({"invite": null, "watch": null, "terms": Terms::default()});
        to_short_json(self, &usual)
    }

    pub fn decode(bytes: &[u8]) -> Result<SessionFacts, StoreError> {
        let facts: SessionFacts = from_json(bytes)?;
        if facts.format != FORMAT {
            return Err(StoreError::Corrupt(format!(
                "a session has format {}; this version reads format {FORMAT}",
                facts.format
            )));
        }
        Ok(facts)
    }
}
