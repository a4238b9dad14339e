//! What the server keeps of a player, or of the holder of an operator key, in a record of its own.
//!
//! The record is no register: a player exists as soon as somebody proves to be one. It gets a new version with each new session
//! of the player, which wakes the streams of the player. Only the sessions say who sits where.

use serde::{Deserialize, Serialize};

use crate::Refusal;
use crate::access::player::PlayerId;
use crate::content::encoding::from_json;
use crate::content::rating::{Rating, RatingClass, Ratings};
use crate::content::webhook::WebhookOrder;
use crate::service::Service;
use crate::storing::records::{RecordChange, TRIES};
use crate::webhook_sender::BrowserKeys;
use wyrmgate_base::hex;
use wyrmgate_base::presume::BrokenInvariant;
use wyrmgate_store::{Index, Listing, Placement, StoreError};

/// Minimum time between two messages that say how many games wait.
pub(crate) const DAY_MS: u64 = 86_400_000;
const RECORD: &str = "player-";

/// What is kept of a player. Others see its name and its ratings.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlayerProfile {
    pub name: Option<String>,
    pub webhook: Option<ProfileWebhook>,
    /// The browsers that get messages, also while the page is closed; the latest last.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub browsers: Vec<ProfileWebhook>,
    /// When the next message says how many games wait, if the player wants it daily, and when the last one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest_at_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digested_ms: Option<u64>,
    #[serde(skip_serializing_if = "Ratings::is_empty")]
    pub ratings: Ratings,
    /// The rated games that count already and of which the sessions may not know it yet.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub counted: Vec<CountedGame>,
}

/// What a rated game did to the rating of a player.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CountedGame {
    pub session: String,
    pub before: Rating,
    pub after: Rating,
}

impl PlayerProfile {
    pub fn decode(bytes: &[u8]) -> Result<PlayerProfile, StoreError> {
        from_json(bytes)
    }

    /// Returns everything that tells the player of its sessions.
    pub(crate) fn hooks(&self) -> impl Iterator<Item = &ProfileWebhook> {
        self.webhook.iter().chain(&self.browsers)
    }

    /// Returns how a record is written after a change, given how the player was listed before.
    pub(crate) fn written(
        &self,
        before: &Listing,
        is_announced: bool,
    ) -> Result<RecordChange, BrokenInvariant> {
        // Nothing is written here when a key creates a session, so its webhook stays until it is deleted.
        let of_key = self.webhook.as_ref().and_then(|of| of.tags.as_ref());
        let listing = self.listing();
        Ok(RecordChange {
            is_announced,
            stays: of_key.is_some() || !self.ratings.is_empty(),
            listing: (listing != *before).then_some(listing),
        })
    }

    /// Returns where the player is listed: for the nodes, if something becomes due, and by each rating that is not provisional.
    pub(crate) fn listing(&self) -> Listing {
        let mut placements: Vec<Placement> = Vec::new();
        placements.extend(self.digest_at_ms.map(|score| Index::DIGESTS.at(score)));
        let ranked = self.ratings.iter();
        let ranked = ranked.filter(|(_, rating)| !rating.is_provisional());
        placements.extend(ranked.map(|(class, rating)| {
            let score = rating.rating.max(0.0).round() as u64;
            rating_index(class).at(score)
        }));
        Listing { placements }
    }
}

/// Returns the index of the players with a rating in a class of games.
pub fn rating_index(class: &RatingClass) -> Index {
    Index::RATINGS.of(&class.to_string())
}

/// How the webhook of a player, or of the holder of a key, differs from that of a session.
#[derive(Debug, Clone, Default)]
pub struct HookTerms {
    /// See [`ProfileWebhook::tags`].
    pub tags: Option<Vec<String>>,
    /// Whether it also tells once a day how many games wait.
    pub is_daily: bool,
}

/// The webhook of a player, for all of its sessions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileWebhook {
    pub id: String,
    pub order: WebhookOrder,
    #[serde(with = "hex")]
    pub secret: [u8; 32],
    /// Set for the holder of a key: it is told of the sessions with one of these tags, or, if there are none, of all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    /// Set for a browser.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub push: Option<BrowserKeys>,
}

impl Service {
    /// Returns what is kept of a player.
    pub async fn player(&self, player: PlayerId) -> Result<PlayerProfile, Refusal> {
        Ok(self.kept_record(&record_of(player)).await?.0)
    }

    /// Changes what is kept of a player, whoever else changes it at the same time; returns it.
    pub async fn change_player(
        &self,
        player: PlayerId,
        change: &(dyn Fn(&mut PlayerProfile) + Sync),
    ) -> Result<PlayerProfile, Refusal> {
        let change = |profile: &mut PlayerProfile, _: u64| {
            let before = profile.listing();
            change(profile);
            Ok(profile.written(&before, false)?)
        };
        self.change_record(&record_of(player), &change).await
    }

    /// Tells those who watch players that they have a new session. It is stored already, so failures only delay that.
    pub(crate) async fn tell_players(&self, players: impl IntoIterator<Item = PlayerId>) {
        for player in players {
            if let Err(refusal) = self.tell_player(&record_of(player)).await {
                tracing::warn!(%player, %refusal, "cannot tell a player of a new session");
            }
        }
    }

    async fn tell_player(&self, record: &str) -> Result<(), Refusal> {
        let mut first = None;
        for _ in 0..TRIES {
            let read = self.record_to_change::<PlayerProfile>(record).await?;
            let version = read.position.version;
            // A version of somebody else in the meantime tells of this session, too.
            if *first.get_or_insert(version) != version {
                return Ok(());
            }
            let profile: PlayerProfile = from_json(&read.status)?;
            let told = profile.written(&profile.listing(), true)?;
            if self.write_record(record, &read, &profile, told).await? {
                return Ok(());
            }
        }
        Err(Refusal::Overloaded)
    }
}

/// Returns the player of a record.
pub fn player_of(record: &str) -> Option<PlayerId> {
    record.strip_prefix(RECORD)?.parse().ok()
}

/// The name is longer than any session id, so the two cannot collide.
pub(crate) fn record_of(player: PlayerId) -> String {
    format!("{RECORD}{player}")
}
