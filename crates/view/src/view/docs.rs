//! The parts of a view that are documents of their own: zones, pending decisions, the outcome.

use serde::Serialize;
use wyrmgate_engine::{EndReason, GameOutcome};

use crate::doc::Members;
use indexmap::IndexMap;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ZoneDoc {
    pub family: String,
    /// The title for people.
    pub title: String,
    pub keys: Members<'static>,
    /// Constants of the zone: the value of a space, its color. They follow from its keys, so they hide nothing.
    #[serde(skip_serializing_if = "Members::is_empty")]
    pub fields: Members<'static>,
    /// The number of components; null if even that is secret.
    pub count: Option<i32>,
    /// First to last. Components that the viewer cannot identify have their place and their back; they are omitted in
    /// piles and hands where no back can be read (in a pile, all but the top one).
    pub components: Vec<Members<'static>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct OwedDoc {
    /// From 1.
    pub seat: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OutcomeDoc {
    /// Seats from 1; empty for a drawn game.
    pub winners: Vec<u32>,
    pub drawn: bool,
    /// All seats, the best first.
    pub ranking: Vec<RankedDoc>,
    pub reason: EndReason,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RankedDoc {
    pub seat: u32,
    /// From 1; shared by seats that are equal.
    pub place: u32,
    /// The compared numbers.
    pub keys: Vec<i32>,
}

/// Returns the outcome of a game, with seats from 1.
pub fn outcome_doc(outcome: &GameOutcome) -> OutcomeDoc {
    OutcomeDoc {
        winners: outcome.winners.iter().map(|&seat| from_one(seat)).collect(),
        drawn: outcome.drawn,
        ranking: outcome
            .ranking
            .iter()
            .map(|row| RankedDoc {
                seat: from_one(row.seat),
                place: u32::from(row.place),
                keys: row.keys.clone(),
            })
            .collect(),
        reason: outcome.reason,
    }
}

fn from_one(seat: u8) -> u32 {
    u32::from(seat) + 1
}

/// A view. Its zones are documents, or JSON already.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ViewDoc<Zones = IndexMap<String, ZoneDoc>> {
    pub game: String,
    pub seats: usize,
    /// The active seat, from 1.
    pub active: Option<u32>,
    pub round: i32,
    pub turn: i32,
    pub phase: Option<String>,
    pub scores: Vec<i32>,
    /// The variables of the game that this viewer may see; single words that it may not see are null.
    pub vars: Members<'static>,
    /// By name, in the order of the rules.
    pub zones: Zones,
    /// The pending decisions.
    pub decisions: Vec<OwedDoc>,
    pub outcome: Option<OutcomeDoc>,
}
