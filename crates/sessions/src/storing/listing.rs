//! The indexes and list entries of a session.

use serde::{Deserialize, Serialize};

use crate::content::deadline::{earliest, earliest_reply, punctual};
use crate::content::encoding::{from_json, to_json};
use crate::content::facts::{SessionFacts, Visibility, game_and_variant};
use crate::content::stage::Stage;
use crate::content::status::Status;
use wyrmgate_base::presume::BrokenInvariant;
use wyrmgate_store::{Bytes, Index, Listing, Placement, StoreError};

/// An entry of the lobby.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct LobbyEntry {
    pub game: String,
    pub ruleset: String,
    pub stage: Stage,
    pub seats: u8,
    pub open_seats: Vec<u8>,
    pub practice: bool,
    pub created_at_ms: u64,
}

/// Returns the index for a stage. Waiting and abandoned sessions have open seats.
pub fn index(stage: Stage) -> Index {
    match stage {
        Stage::Waiting => Index::OPEN,
        Stage::Running => Index::RUNNING,
        Stage::Finished => Index::FINISHED,
    }
}

/// Returns where a session is listed. Private sessions appear only in the internal indexes that nodes read: deadlines,
/// pending bot moves and pending webhooks. Removed sessions appear nowhere.
pub fn listing(facts: &SessionFacts, status: &Status) -> Result<Listing, BrokenInvariant> {
    if status.is_removed {
        return Ok(Listing::default());
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
    ];
    let for_nodes = for_nodes.into_iter().filter_map(|(index, score)| {
        let score = score?;
        Some(Placement { index, score })
    });
    if facts.visibility == Visibility::Private {
        return Ok(Listing {
            placements: for_nodes.collect(),
            summary: Bytes::default(),
        });
    }
    let index = index(status.stage);
    let of_game = index.of(game_and_variant(&facts.game).0);
    let in_lobby = [of_game, index].map(|index| Placement {
        index,
        score: facts.created_at_ms,
    });
    Ok(Listing {
        placements: in_lobby.into_iter().chain(for_nodes).collect(),
        summary: LobbyEntry::of(facts, status).encode()?,
    })
}

impl LobbyEntry {
    fn of(facts: &SessionFacts, status: &Status) -> LobbyEntry {
        LobbyEntry {
            game: facts.game.clone(),
            ruleset: facts.ruleset.clone(),
            stage: status.stage,
            seats: facts.seats,
            open_seats: status.open_seats().collect(),
            practice: facts.practice || status.is_practice(),
            created_at_ms: facts.created_at_ms,
        }
    }

    fn encode(&self) -> Result<Bytes, BrokenInvariant> {
        to_json(self)
    }

    pub fn decode(bytes: &[u8]) -> Result<LobbyEntry, StoreError> {
        from_json(bytes)
    }
}
