//! The part of a session that changes rarely: seats, stage and settings.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::access::player::PlayerId;
use crate::access::token::{TokenHash, TokenRights};
use crate::content::clock::SeatClock;
use crate::content::contest::Contest;
use crate::content::encoding::{from_json, to_json};
use crate::content::outbox::Webhooks;
use crate::content::stage::Stage;
use crate::content::standing::Standing;
use crate::content::terms::Clock;
use crate::content::tolerant::known_members;
use crate::content::waiting::WaitState;
use wyrmgate_analysis::record::Entropy;
use wyrmgate_base::presume::BrokenInvariant;
use wyrmgate_search::bot::Bot;
use wyrmgate_store::{Bytes, StoreError};

/// The small mutable part of a session.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Status {
    pub stage: Stage,
    /// The seats, seat 1 first.
    pub seats: Vec<Seat>,
    #[serde(default, skip_serializing_if = "Roster::is_empty")]
    pub roster: Roster,
    /// The open undo request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo: Option<UndoWish>,
    /// The seats that want a draw, the one that offered it first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub draw_offer: Vec<u8>,
    #[serde(default, skip_serializing_if = "PauseState::is_none")]
    pub pause: PauseState,
    /// Renewed tokens. All other tokens are those of the facts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub renewed: Vec<(TokenRights, TokenHash)>,
    /// Standing orders, seat 1 first. Empty until a seat sets some.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub standing: Vec<Standing>,
    /// The clocks, seat 1 first. Empty for sessions without a clock.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clocks: Vec<SeatClock>,
    /// Since when a bot owes a decision, in Unix milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bots_since_ms: Option<u64>,
    /// Entropy of the seats, in order of the seats. Constant once the game has begun.
    #[serde(
        default,
        deserialize_with = "known_members",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub entropy: Vec<Entropy>,
    /// Whether the session was forked before its end, so that its random numbers may be known.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub was_forked: bool,
    /// Whether choices were undone although someone had learned something from them, or may have.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub undid_information: bool,
    /// Whether the owner has removed the session. Its data go next.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_removed: bool,
    /// The webhooks. `None` if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub webhooks: Option<Box<Webhooks>>,
}

/// What is known of players besides their seats.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Roster {
    /// Who has opened the session and manages it, if it is known across sessions.
    pub host: Option<PlayerId>,
    /// Who alone can take an open seat.
    pub reserved: Vec<Reservation>,
    /// The seats that want those replaced who owe a decision, until somebody moves.
    pub absence_votes: Vec<u8>,
    /// Seats of players who are forgotten: the names of all who ever sat there are shown nowhere.
    pub nameless: Vec<u8>,
    /// When the game ended, in Unix milliseconds.
    pub finished_at_ms: Option<u64>,
    /// Set from the beginning of a game on whose result counts elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contest: Option<Box<Contest>>,
    #[serde(skip_serializing_if = "WaitState::is_none")]
    pub wait: WaitState,
}

impl Roster {
    fn is_empty(&self) -> bool {
        *self == Roster::default()
    }
}

/// Whether the clocks stand still, or who wants that.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PauseState {
    pub is_on: bool,
    /// The seats that want a pause, the one that asked first.
    pub wanted_by: Vec<u8>,
}

impl PauseState {
    fn is_none(&self) -> bool {
        !self.is_on && self.wanted_by.is_empty()
    }
}

/// An undo request that is not granted yet.
// The next move, or another player of a seat, cancels it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = OpenUndo)]
pub struct UndoWish {
    /// The seat that requests the undo.
    #[schema(minimum = 1, maximum = 8)]
    pub seat: u8,
    /// The version to go back to.
    #[schema(minimum = 1)]
    pub to: u64,
    /// The seats that have agreed.
    pub agreed: Vec<u8>,
}

/// A seat that waits for one player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reservation {
    pub seat: u8,
    pub player: PlayerId,
}

/// The player of a seat.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    Open,
    Taken {
        token: TokenHash,
        name: Option<String>,
        /// The player, if it is known across sessions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        player: Option<PlayerId>,
    },
    Bot(Bot),
}

impl Seat {
    /// Returns whether this is the token of the player.
    pub(crate) fn has_token(&self, other: Option<TokenHash>) -> bool {
        matches!((self, other), (Seat::Taken { token, .. }, Some(other)) if token.matches(&other))
    }

    pub(crate) fn token(&self) -> Option<TokenHash> {
        match self {
            Seat::Taken { token, .. } => Some(*token),
            Seat::Open | Seat::Bot(_) => None,
        }
    }

    /// Returns the player, if it is known across sessions.
    pub fn player(&self) -> Option<PlayerId> {
        match self {
            Seat::Taken { player, .. } => *player,
            Seat::Open | Seat::Bot(_) => None,
        }
    }
}

impl Status {
    /// Returns whether someone may know the random numbers from what has become of the session.
    pub fn is_practice(&self) -> bool {
        self.was_forked || self.undid_information
    }

    /// Returns all open seats, numbered from 1.
    pub fn open_seats(&self) -> impl Iterator<Item = u8> {
        (1..)
            .zip(&self.seats)
            .filter(|(_, seat)| matches!(seat, Seat::Open))
            .map(|(number, _)| number)
    }

    pub fn is_full(&self) -> bool {
        self.open_seats().next().is_none()
    }

    /// Returns `None` if there is no such seat.
    pub fn seat(&self, number: u8) -> Option<&Seat> {
        self.seats.get(usize::from(number).checked_sub(1)?)
    }

    pub fn seat_mut(&mut self, number: u8) -> Option<&mut Seat> {
        self.seats.get_mut(usize::from(number).checked_sub(1)?)
    }

    pub fn clock_of(&self, number: u8) -> Option<&SeatClock> {
        self.clocks.get(usize::from(number).checked_sub(1)?)
    }

    /// Returns when a seat runs out of time; nobody waits for a seat without a player.
    pub fn deadline_ms(&self, number: u8, clock: &Clock) -> Option<u64> {
        let is_open = matches!(self.seat(number), Some(Seat::Open) | None);
        let of_seat = self.clock_of(number).filter(|_| !is_open)?;
        of_seat.deadline_ms(clock)
    }

    pub fn clock_of_mut(&mut self, number: u8) -> Option<&mut SeatClock> {
        self.clocks.get_mut(usize::from(number).checked_sub(1)?)
    }

    /// Sets or clears the entropy of a seat.
    pub fn bring(&mut self, seat: u8, value: Option<String>) {
        self.entropy.retain(|brought| brought.seat != seat);
        let at = self.entropy.partition_point(|brought| brought.seat < seat);
        if let Some(value) = value {
            self.entropy.insert(at, Entropy { seat, value });
        }
    }

    /// Returns the bot of a seat.
    pub fn bot(&self, number: u8) -> Option<Bot> {
        match self.seat(number) {
            Some(Seat::Bot(bot)) => Some(*bot),
            _ => None,
        }
    }

    pub fn has_bots(&self) -> bool {
        self.seats.iter().any(|seat| matches!(seat, Seat::Bot(_)))
    }

    /// Returns the seat with this token. Compares with all seats, so that the time taken reveals nothing.
    pub fn seat_of(&self, hash: &TokenHash) -> Option<u8> {
        let mut found = None;
        for (number, seat) in (1..).zip(&self.seats) {
            if seat.has_token(Some(*hash)) {
                found = Some(number);
            }
        }
        found
    }

    /// Returns the seats of a player.
    pub fn seats_of(&self, player: PlayerId) -> impl Iterator<Item = u8> {
        let seats = (1..).zip(&self.seats);
        seats
            .filter(move |(_, seat)| seat.player() == Some(player))
            .map(|(number, _)| number)
    }

    /// Returns who alone can take a seat.
    pub fn reserved_for(&self, seat: u8) -> Option<PlayerId> {
        let mut reserved = self.roster.reserved.iter();
        let found = reserved.find(|reservation| reservation.seat == seat);
        found.map(|reservation| reservation.player)
    }

    /// Returns the first seat of a player, or else the one that is reserved for it.
    pub fn place_of(&self, player: PlayerId) -> Option<u8> {
        let mut reserved = self.roster.reserved.iter();
        let awaited = reserved.find(|reservation| reservation.player == player);
        let seat = self.seats_of(player).next();
        seat.or(awaited.map(|reservation| reservation.seat))
    }

    /// Returns the players who have a seat, for whom one is reserved, or who manage the session, each once; and those who left
    /// a game that counts for them.
    pub fn players(&self) -> Vec<PlayerId> {
        let seated = self.seats.iter().filter_map(Seat::player);
        let awaited = self
            .roster
            .reserved
            .iter()
            .map(|reservation| reservation.player);
        let contest = self.roster.contest.iter();
        let rated = contest.flat_map(|contest| contest.seats().map(|(_, player)| player));
        let all = seated.chain(awaited).chain(self.roster.host).chain(rated);
        let mut players: Vec<PlayerId> = all.collect();
        players.sort_unstable();
        players.dedup();
        players
    }

    /// Returns the most recently renewed token of this kind, if it was renewed after creation.
    pub fn renewed(&self, kind: TokenRights) -> Option<&TokenHash> {
        let found = self.renewed.iter().find(|(of, _)| *of == kind);
        found.map(|(_, hash)| hash)
    }

    pub fn renew(&mut self, kind: TokenRights, hash: TokenHash) {
        self.renewed.retain(|(of, _)| *of != kind);
        self.renewed.push((kind, hash));
    }

    pub fn encode(&self) -> Result<Bytes, BrokenInvariant> {
        to_json(self)
    }

    pub fn decode(bytes: &[u8]) -> Result<Status, StoreError> {
        from_json(bytes)
    }
}
