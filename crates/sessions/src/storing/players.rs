//! What the server keeps of a player: a name, in a record of its own.
//!
//! The record is no register: a player exists as soon as somebody proves to be one. It gets a new version with each new session
//! of the player, which wakes the streams of the player. Only the sessions say who sits where.

use serde::{Deserialize, Serialize};

use crate::Refusal;
use crate::access::player::PlayerId;
use crate::content::encoding::{from_json, to_json};
use crate::content::webhook::WebhookOrder;
use crate::service::Service;
use wyrmgate_base::hex;
use wyrmgate_store::{Bytes, ChangeMark, Commit, Committed, Create};

/// Number of attempts to write when other writers interfere.
const TRIES: usize = 8;

/// The settings of a player. Others see the name alone.
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

    /// Changes what is kept of a player, whoever else changes it at the same time; returns it.
    pub async fn change_player(
        &self,
        player: PlayerId,
        change: &(dyn Fn(&mut PlayerProfile) + Sync),
    ) -> Result<PlayerProfile, Refusal> {
        self.write_player(player, Some(change)).await
    }

    /// Tells those who watch players that they have a new session. It is stored already, so failures only delay that.
    pub(crate) async fn tell_players(&self, players: impl IntoIterator<Item = PlayerId>) {
        for player in players {
            if let Err(refusal) = self.write_player(player, None).await {
                tracing::warn!(%player, %refusal, "cannot tell a player of a new session");
            }
        }
    }

    /// Changes the record of a player, or, without a change, announces a new session in it.
    async fn write_player(
        &self,
        player: PlayerId,
        change: Option<&(dyn Fn(&mut PlayerProfile) + Sync)>,
    ) -> Result<PlayerProfile, Refusal> {
        let name = record_of(player);
        for _ in 0..TRIES {
            let Some(record) = self.store.load(&name).await? else {
                let mut create = Create::new(&name);
                create.mark = ChangeMark::draw()?;
                create.status = to_json(&PlayerProfile::default())?;
                create.expires_at_ms = Some(self.expiry());
                // Only a commit is heard by those who watch.
                self.store.create(create).await?;
                continue;
            };
            let mut profile: PlayerProfile = from_json(&record.status)?;
            let mut commit = Commit::new(&name, record.position.revision);
            (commit.expected_mark, commit.mark) = (record.mark, ChangeMark::draw()?);
            commit.expires_at_ms = Some(self.expiry());
            match change {
                Some(change) => {
                    change(&mut profile);
                    commit.status = Some(to_json(&profile)?);
                }
                // A new version, which watchers hear of. It says nothing, so that nothing stays of it.
                None => commit.entry = Some(Bytes::default()),
            }
            if let Committed::Done(_) = self.store.commit(commit).await? {
                return Ok(profile);
            }
        }
        Err(Refusal::Overloaded)
    }
}

/// The name is longer than any session id, so the two cannot collide.
pub(crate) fn record_of(player: PlayerId) -> String {
    format!("player-{player}")
}
