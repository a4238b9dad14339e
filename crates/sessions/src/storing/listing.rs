//! The indexes and list entries of a session.

use serde::Deserialize;
use utoipa::ToSchema;

use crate::access::player::PlayerId;
use crate::content::deadline::{earliest, earliest_reply, punctual};
use crate::content::facts::{SessionFacts, Visibility, game_and_variant};
use crate::content::live::{Live, seek_of};
use crate::content::stage::Stage;
use crate::content::status::Status;
use crate::storing::seeks::{SeekEntry, pool_index};
use wyrmgate_base::hex;
use wyrmgate_store::{Index, ListedSession, Listing, StoreError};

/// An entry of the lobby.
#[derive(Debug)]
pub struct LobbyEntry {
    pub game: String,
    pub ruleset: String,
    pub stage: Stage,
    pub seats: u8,
    pub open_seats: Vec<u8>,
    pub practice: bool,
    pub created_at_ms: u64,
    /// Set while the session seeks players.
    pub seek: Option<SeekEntry>,
}

/// Returns the index for a stage. Waiting and abandoned sessions have open seats.
pub fn index(stage: Stage) -> Index {
    match stage {
        Stage::Waiting => Index::OPEN,
        Stage::Running => Index::RUNNING,
        Stage::Finished => Index::FINISHED,
    }
}

/// Returns where a session is listed: in the lobby, unless it is private; for the nodes, if something becomes due; for each of
/// its players, and for the holder of its key while it goes on; and for each of its tags. Removed sessions appear nowhere.
pub fn listing(live: &Live) -> Listing {
    let (facts, status) = (&live.facts, &live.status);
    if status.is_removed {
        return Listing::default();
    }
    let clock = facts.terms.clock.as_ref();
    let deadline = clock.and_then(|clock| earliest(clock, status));
    let reply = earliest_reply(status).map(punctual);
    let deadline = deadline.into_iter().chain(reply).min();
    let webhooks = status.webhooks.as_ref();
    let for_nodes = [
        (Index::DEADLINES, deadline),
        (Index::BOTS, status.bots_since_ms),
        (Index::WEBHOOKS, webhooks.and_then(|all| all.due_at_ms())),
        (
            Index::RESULTS,
            live.due_contest().and_then(|of| of.due_at_ms),
        ),
        (Index::WAITS, live.wait_due()),
    ];
    let for_nodes = for_nodes.into_iter().filter_map(|(index, score)| {
        let score = score?;
        Some(index.at(score))
    });
    let is_public = facts.visibility == Visibility::Public && !live.is_closed();
    let index = index(status.stage);
    let game = game_and_variant(&facts.game).0;
    let lobby = [index.of(game), index].into_iter().filter(|_| is_public);
    let seek = live.seek();
    let seeks = seek.map(|_| [Index::SEEKS.of(game), Index::SEEKS]);
    let lobby = lobby.chain(seeks.into_iter().flatten());
    // On a server without keys, everybody can ask for a tag.
    let is_found = is_public || !facts.labels.key.is_empty();
    let tags = facts.labels.tags.iter().filter(|_| is_found);
    let tags = tags.map(|tag| tag_index(&facts.labels.key, tag));
    let in_order_of_creation = lobby.chain(tags).map(|index| index.at(facts.created_at_ms));
    let of_players = status
        .players()
        .into_iter()
        .map(|player| player_index(player).at(urgency(live, player)));
    let of_key = facts.labels.key_holder();
    let of_key = of_key.filter(|_| status.stage != Stage::Finished);
    let of_key = of_key.map(|holder| {
        let score = Urgency::Running.scores().start() | facts.created_at_ms.min(LATEST);
        player_index(holder).at(score)
    });
    // Lists begin with the highest score.
    let oldest_first = LATEST.saturating_sub(facts.created_at_ms);
    let pools = seek.into_iter().flat_map(|seek| {
        let parts = seek.range.parts().into_iter();
        parts.map(|part| pool_index(&seek.pool, &part).at(oldest_first))
    });
    let shown = in_order_of_creation.chain(pools).chain(of_players);
    Listing {
        placements: shown.chain(of_key).chain(for_nodes).collect(),
    }
}

/// Returns the index of the sessions of a player, in the order of [`urgency`].
pub fn player_index(player: PlayerId) -> Index {
    Index::PLAYERS.of(&player.to_string())
}

/// Returns the index of the sessions that the holder of a key created with a tag.
pub fn tag_index(key: &str, tag: &str) -> Index {
    let name = blake3::derive_key("wyrmgate 1 tag", format!("{key}\n{tag}").as_bytes());
    Index::TAGS.of(&hex::encode(&name))
}

/// What a session is to a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Urgency {
    /// The player owes a decision.
    Owing = 3,
    /// Others owe a decision.
    Running = 2,
    /// The game has not begun.
    Waiting = 1,
    Finished = 0,
}

/// Number of bits of the time in an urgency.
const TIME_BITS: u32 = 48;
const LATEST: u64 = (1 << TIME_BITS) - 1;

impl Urgency {
    /// Returns the scores of the sessions that are this to a player: from the first one to the last one. The more urgent, the
    /// higher.
    pub fn scores(self) -> std::ops::RangeInclusive<u64> {
        let first = (self as u64) << TIME_BITS;
        first..=first | LATEST
    }
}

/// Returns a number that is higher the sooner a player should look at a session: where it owes a decision, the earliest deadline
/// first; then what is played, what waits for players, and what is over, each from the newest on.
fn urgency(live: &Live, player: PlayerId) -> u64 {
    let (facts, status) = (&live.facts, &live.status);
    let clock = facts.terms.clock.as_ref();
    let owing = status
        .seats_of(player)
        .filter(|seat| live.owing(Some(*seat)).contains(seat));
    let deadline = |seat: u8| clock.and_then(|clock| status.deadline_ms(seat, clock));
    let owed = owing.map(|seat| match deadline(seat) {
        Some(deadline) => LATEST.saturating_sub(deadline),
        None => facts.created_at_ms,
    });
    let (urgency, time) = match (status.stage, owed.max()) {
        (Stage::Running, Some(time)) => (Urgency::Owing, time),
        (Stage::Running, None) => (Urgency::Running, facts.created_at_ms),
        (Stage::Waiting, _) => (Urgency::Waiting, facts.created_at_ms),
        (Stage::Finished, _) => {
            let at_ms = status.roster.finished_at_ms.unwrap_or(facts.created_at_ms);
            (Urgency::Finished, at_ms)
        }
    };
    urgency.scores().start() | time.min(LATEST)
}

impl LobbyEntry {
    /// Returns the entry of a session in a page.
    pub fn read(listed: &ListedSession) -> Result<LobbyEntry, StoreError> {
        let facts = SessionFacts::decode(&listed.fixed)?;
        Ok(LobbyEntry::of(&facts, &Status::decode(&listed.status)?))
    }

    pub fn of(facts: &SessionFacts, status: &Status) -> LobbyEntry {
        LobbyEntry {
            game: facts.game.clone(),
            ruleset: facts.ruleset.clone(),
            stage: status.stage,
            seats: facts.seats,
            open_seats: status
                .open_seats()
                .filter(|seat| status.reserved_for(*seat).is_none())
                .collect(),
            practice: facts.practice || status.is_practice(),
            created_at_ms: facts.created_at_ms,
            seek: seek_of(facts, status).map(|seek| SeekEntry::of(facts, status, seek)),
        }
    }
}
