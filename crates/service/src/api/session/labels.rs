//! What the creator of a session attaches to it: its own data, tags, and its own name for the session.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::api::request::context::JsonContext;
use crate::api::shared::problem::Problem;
use wyrmgate_sessions::{IdempotencyKey, PlayerId, SessionLabels};

/// Maximum size of the metadata as JSON, in bytes.
const METADATA_MAX: usize = 2_048;
const TAGS_MAX: usize = 8;
const TAG_MAX: usize = 64;

/// Labels of a session. Everyone who sees the session sees them.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = SessionLabels)]
pub struct NewLabels {
    /// Any JSON object of up to 2 KiB.
    #[serde(skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Object, additional_properties, required = false)]
    metadata: Map<String, Value>,
    /// Words by which `GET /v1/sessions?tag=` finds the session: for the operator key that created it, or, if it was created
    /// without one and is public, for everybody.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<String>, max_items = 8, required = false)]
    tags: Vec<String>,
    /// Your own name for the session. A second request of the same operator key, or without one of the same player, with the
    /// same name creates nothing and gets the first session.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^[A-Za-z0-9._:@|-]{1,64}$")]
    external_id: Option<String>,
}

impl NewLabels {
    pub fn of(labels: &SessionLabels) -> NewLabels {
        NewLabels {
            metadata: labels.metadata.clone(),
            tags: labels.tags.clone(),
            external_id: labels.external_id.clone(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.metadata.is_empty() && self.tags.is_empty() && self.external_id.is_none()
    }

    /// Returns the labels of a session that this caller creates.
    pub fn checked(self, context: &JsonContext) -> Result<SessionLabels, Problem> {
        let wrong = |member: &str, wanted: String| {
            Err(Problem::unprocessable(&format!("/labels/{member}"), wanted))
        };
        if Value::Object(self.metadata.clone()).to_string().len() > METADATA_MAX {
            let wanted = format!("`metadata` must have at most {METADATA_MAX} bytes as JSON");
            return wrong("metadata", wanted);
        }
        let tags = checked_tags(self.tags, "/labels/tags")?;
        if !self.external_id.iter().all(|id| is_word(id)) {
            return wrong("external_id", WORD.to_owned());
        }
        let key = key_of(context);
        // Everybody else would share one book, and find private sessions in it.
        if self.external_id.is_some() && key.is_empty() && context.player().is_err() {
            let whose = "an `external_id` belongs to an operator key or to a player; send the credential of one";
            return wrong("external_id", whose.to_owned());
        }
        Ok(SessionLabels {
            metadata: self.metadata,
            tags,
            external_id: self.external_id,
            key,
            tournament: None,
        })
    }
}

/// Returns tags in their order, each once.
pub fn checked_tags(mut tags: Vec<String>, pointer: &str) -> Result<Vec<String>, Problem> {
    if tags.len() > TAGS_MAX || !tags.iter().all(|tag| is_word(tag)) {
        let wanted = format!("use up to {TAGS_MAX} tags; {WORD}");
        return Err(Problem::unprocessable(pointer, wanted));
    }
    tags.sort_unstable();
    tags.dedup();
    Ok(tags)
}

pub const WORD: &str = "one has 1 to 64 letters, digits and `._:@|-`";

/// Returns whether a text is a tag or a name of a session.
pub fn is_word(text: &str) -> bool {
    let is_of_word = |byte: u8| byte.is_ascii_alphanumeric() || b"._:@|-".contains(&byte);
    (1..=TAG_MAX).contains(&text.len()) && text.bytes().all(is_of_word)
}

/// Returns the name of the caller's operator key; it is empty for callers without one.
pub fn key_of(context: &JsonContext) -> String {
    let key = context.operator_key();
    key.map_or_else(String::new, |key| key.name)
}

/// Returns the key that makes requests of the same operator key, or else of the same player, with the same external id the
/// same.
pub fn external_key(labels: &SessionLabels, host: Option<PlayerId>) -> Option<IdempotencyKey> {
    let id = labels.external_id.as_deref()?;
    let named = match host.filter(|_| labels.key.is_empty()) {
        // No key has a name with a line break, so the two cannot collide.
        Some(host) => format!("\n{host}\n{id}"),
        None => format!("{}\n{id}", labels.key),
    };
    let digest = blake3::derive_key("wyrmgate 1 external id", named.as_bytes());
    Some(IdempotencyKey {
        digest,
        fingerprint: digest,
    })
}
