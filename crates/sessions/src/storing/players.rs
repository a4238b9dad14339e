//! What the server keeps of a player: a name, in a record of its own.
//!
//! The record is no register: a player exists as soon as somebody proves to be one. It gets a new version with each new session
//! of the player, so that whoever watches the player hears of it. Where the player sits is in the sessions alone.

use serde::{Deserialize, Serialize};

use crate::Refusal;
use crate::access::player::PlayerId;
use crate::content::encoding::{from_json, to_json};
use crate::content::webhook::WebhookOrder;
use crate::service::Service;
use wyrmgate_base::hex;
use wyrmgate_store::{Bytes, ChangeMark, Commit, Committed, Create, Created};

/// Number of attempts to write when other writers interfere.
const TRIES: usize = 8;

/// A player as others may see it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlayerProfile {
    pub name: Option<String>,
    pub webhook: Option<ProfileWebhook>,
}

/// The webhook of a player, for all of its sessions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileWebhook {
    pub id: String,
    pub order: WebhookOrder,
    #[serde(with = "hex")]
    pub secret: [u8; 32],
}

impl Service {
    /// Returns what is kept of a player.
    pub async fn player(&self, player: PlayerId) -> Result<PlayerProfile, Refusal> {
        match self.store.load(&record_of(player)).await? {
            Some(record) => Ok(from_json(&record.status)?),
            None => Ok(PlayerProfile::default()),
        }
    }

    /// Replaces what is kept of a player.
    pub async fn keep_player(
        &self,
        player: PlayerId,
        profile: &PlayerProfile,
    ) -> Result<(), Refusal> {
        self.write_player(player, Some(profile), false).await
    }

    /// Tells those who watch players that they have a new session. It is stored already, so failures only delay that.
    pub(crate) async fn tell_players(&self, players: impl IntoIterator<Item = PlayerId>) {
        for player in players {
            if let Err(refusal) = self.write_player(player, None, true).await {
                tracing::warn!(%player, %refusal, "cannot tell a player of a new session");
            }
        }
    }

    async fn write_player(
        &self,
        player: PlayerId,
        profile: Option<&PlayerProfile>,
        has_joined: bool,
    ) -> Result<(), Refusal> {
        let name = record_of(player);
        let status = profile.map(to_json).transpose()?;
        // A new version, which watchers hear of. It says nothing, so that nothing stays of it.
        let entry = has_joined.then(Bytes::default);
        for _ in 0..TRIES {
            let Some(record) = self.store.load(&name).await? else {
                let mut create = Create::new(&name);
                create.mark = ChangeMark::draw()?;
                create.status = match &status {
                    Some(status) => status.clone(),
                    None => to_json(&PlayerProfile::default())?,
                };
                create.expires_at_ms = Some(self.expiry());
                match self.store.create(create).await? {
                    Created::Done(_) if entry.is_none() => return Ok(()),
                    Created::Removed => return Err(Refusal::NotFound),
                    // Only a commit is heard by those who watch.
                    Created::Done(_) | Created::Duplicate(_) | Created::Exists => continue,
                }
            };
            let mut commit = Commit::new(&name, record.position.revision);
            (commit.expected_mark, commit.mark) = (record.mark, ChangeMark::draw()?);
            (commit.status, commit.entry) = (status.clone(), entry.clone());
            commit.expires_at_ms = Some(self.expiry());
            if let Committed::Done(_) = self.store.commit(commit).await? {
                return Ok(());
            }
        }
        Err(Refusal::Overloaded)
    }
}

/// The name is longer than any session id, so the two cannot collide.
pub(crate) fn record_of(player: PlayerId) -> String {
    format!("player-{player}")
}
