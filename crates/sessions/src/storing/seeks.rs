//! List entries of sessions that seek players, and the indexes with them.

use serde_json::{Map, Value};

use crate::access::player::PlayerId;
use crate::content::facts::SessionFacts;
use crate::content::status::{Seat, Status};
use crate::content::terms::Clock;
use crate::content::waiting::{RatingRange, SeekTerms};
use wyrmgate_store::Index;

/// What lists say of a session that seeks players.
#[derive(Debug)]
pub struct SeekEntry {
    pub options: Map<String, Value>,
    pub clock: Option<Clock>,
    pub rated: bool,
    pub rating: Option<i32>,
    pub range: RatingRange,
    /// Who sits there.
    pub players: Vec<SeatedPlayer>,
    pub until_ms: Option<u64>,
}

#[derive(Debug)]
pub struct SeatedPlayer {
    pub name: Option<String>,
    pub player: Option<PlayerId>,
}

impl SeekEntry {
    pub(crate) fn of(facts: &SessionFacts, status: &Status, seek: &SeekTerms) -> SeekEntry {
        let seated = status.seats.iter().filter_map(|seat| match seat {
            Seat::Taken { name, player, .. } => Some(SeatedPlayer {
                name: name.clone(),
                player: *player,
            }),
            Seat::Open | Seat::Bot(_) => None,
        });
        SeekEntry {
            options: facts.options.clone(),
            clock: facts.terms.clock,
            rated: facts.terms.rated,
            rating: seek.rating,
            range: seek.range,
            players: seated.collect(),
            until_ms: facts.waits.until_ms,
        }
    }
}

/// Returns the index of a part of a pool.
pub(crate) fn pool_index(pool: &str, part: &str) -> Index {
    Index::POOLS.of(&format!("{pool}{part}"))
}
