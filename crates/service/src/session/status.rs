//! What changes seldom: who sits where, and how far the session has come.

use serde::{Deserialize, Serialize};

use super::standing::Standing;
use super::timing::SeatClock;
use super::token::{Kind, TokenHash};
use super::undo::UndoWish;
use super::webhook::Webhooks;
use wyrmgate_analysis::record::Entropy;
use wyrmgate_base::presume::Broken;
use wyrmgate_search::bot::Bot;
use wyrmgate_store::{Bytes, StoreError};

/// The small changeable part of a session.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Status {
    pub stage: Stage,
    /// Seat 1 first.
    pub seats: Vec<Seat>,
    /// Somebody wants to take something back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo: Option<UndoWish>,
    /// Tokens that were given out anew; the others are those of the facts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub renewed: Vec<(Kind, TokenHash)>,
    /// Answers in advance, seat 1 first; empty as long as nobody has given any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub standing: Vec<Standing>,
    /// Seat 1 first; empty without clocks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clocks: Vec<SeatClock>,
    /// Since when a built-in player owes a decision, in Unix milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bots_since_ms: Option<u64>,
    /// What seats have brought for the seed, in their order; changes no more once the game has begun.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entropy: Vec<Entropy>,
    /// Another session went on from this one before it was over: its chance may be known.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub was_forked: bool,
    /// Servers that are called when something happens; `None` if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub webhooks: Option<Box<Webhooks>>,
}

/// How far a session has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// Some seat has never been taken: the game has not begun.
    Waiting,
    Running,
    Finished,
}

/// Who sits on a seat.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    Open,
    Taken {
        token: TokenHash,
        name: Option<String>,
    },
    Bot(Bot),
}

impl Status {
    /// All seats that nobody sits on, numbered from 1.
    pub fn open_seats(&self) -> impl Iterator<Item = u8> {
        (1..)
            .zip(&self.seats)
            .filter(|(_, seat)| matches!(seat, Seat::Open))
            .map(|(number, _)| number)
    }

    pub fn is_full(&self) -> bool {
        self.open_seats().next().is_none()
    }

    /// `None` if there is no such seat.
    pub fn seat(&self, number: u8) -> Option<&Seat> {
        self.seats.get(usize::from(number).checked_sub(1)?)
    }

    pub fn seat_mut(&mut self, number: u8) -> Option<&mut Seat> {
        self.seats.get_mut(usize::from(number).checked_sub(1)?)
    }

    pub fn clock_of(&self, number: u8) -> Option<&SeatClock> {
        self.clocks.get(usize::from(number).checked_sub(1)?)
    }

    pub fn clock_of_mut(&mut self, number: u8) -> Option<&mut SeatClock> {
        self.clocks.get_mut(usize::from(number).checked_sub(1)?)
    }

    /// What a seat brings for the seed, or no longer brings.
    pub fn bring(&mut self, seat: u8, value: Option<String>) {
        self.entropy.retain(|brought| brought.seat != seat);
        let at = self.entropy.partition_point(|brought| brought.seat < seat);
        if let Some(value) = value {
            self.entropy.insert(at, Entropy { seat, value });
        }
    }

    pub fn is_bot(&self, number: u8) -> bool {
        matches!(self.seat(number), Some(Seat::Bot(_)))
    }

    /// The built-in player on a seat.
    pub fn bot(&self, number: u8) -> Option<Bot> {
        match self.seat(number) {
            Some(Seat::Bot(bot)) => Some(*bot),
            _ => None,
        }
    }

    pub fn has_bots(&self) -> bool {
        self.seats.iter().any(|seat| matches!(seat, Seat::Bot(_)))
    }

    /// The seat whose token this is. Looks at all of them, so that the time it takes tells nothing.
    pub fn seat_of(&self, hash: &TokenHash) -> Option<u8> {
        let mut found = None;
        for (number, seat) in (1..).zip(&self.seats) {
            if matches!(seat, Seat::Taken { token, .. } if token.matches(hash)) {
                found = Some(number);
            }
        }
        found
    }

    /// The token of this kind that was given out last, if any was after the session's creation.
    pub fn renewed(&self, kind: Kind) -> Option<&TokenHash> {
        let found = self.renewed.iter().find(|(of, _)| *of == kind);
        found.map(|(_, hash)| hash)
    }

    pub fn renew(&mut self, kind: Kind, hash: TokenHash) {
        self.renewed.retain(|(of, _)| *of != kind);
        self.renewed.push((kind, hash));
    }

    pub fn encode(&self) -> Result<Bytes, Broken> {
        super::to_json(self)
    }

    pub fn decode(bytes: &[u8]) -> Result<Status, StoreError> {
        super::from_json(bytes)
    }
}
