//! The outcome of a game.

use serde::{Deserialize, Serialize};

wyrmgate_base::named_enum! {
    /// Why a game is over.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum EndReason {
        /// Its rules ended it. All other reasons lie outside of them.
        #[default]
        Rules = "rules",
        /// A side resigned.
        Resigned = "resigned",
        /// All sides agreed on a draw.
        Agreed = "agreed",
        /// A side ran out of time.
        Time = "time",
        /// A side claimed the win because the other one was absent.
        Claimed = "claimed",
        /// It was called off before it had really begun.
        Aborted = "aborted",
        /// Nobody goes on with it.
        Abandoned = "abandoned",
    }
}

impl EndReason {
    pub fn is_by_rules(&self) -> bool {
        *self == EndReason::Rules
    }

    /// Returns whether one seat can leave for this reason. Earlier versions noted the rules instead.
    pub fn is_of_one_seat(self) -> bool {
        matches!(
            self,
            EndReason::Rules | EndReason::Resigned | EndReason::Time | EndReason::Claimed
        )
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "StoredOutcome", into = "StoredOutcome")]
pub struct GameOutcome {
    /// Seats from 0; empty for a drawn game.
    pub winners: Vec<u8>,
    pub drawn: bool,
    /// All seats, the best first; seats that share a place are in seat order.
    pub ranking: Vec<Ranked>,
    pub reason: EndReason,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ranked {
    /// Counted from 0.
    pub seat: u8,
    /// From 1; seats with equal keys share one.
    pub place: u8,
    /// The compared numbers, most important first.
    pub keys: Vec<i32>,
}

impl GameOutcome {
    /// Returns the outcome of a game that ends for a reason outside of its rules: these seats share the first place, or
    /// everybody if there are none.
    pub fn outside_of_rules(seats: usize, winners: &[u8], reason: EndReason) -> GameOutcome {
        let lower = winners.len() as u8 + 1;
        let row = |seat: u8| Ranked {
            seat,
            place: if winners.contains(&seat) { 1 } else { lower },
            keys: Vec::new(),
        };
        let mut ranking: Vec<Ranked> = (0..seats as u8).map(row).collect();
        ranking.sort_by_key(|row| row.place);
        GameOutcome {
            winners: winners.to_vec(),
            drawn: reason == EndReason::Agreed,
            ranking,
            reason,
        }
    }
}

/// An outcome as it is stored.
#[derive(Serialize, Deserialize)]
struct StoredOutcome {
    winners: Vec<u8>,
    /// Twice the number of the reason, and one more if the game is drawn: as long as rules alone ended games, only that was
    /// stored.
    ended: u8,
    ranking: Vec<Ranked>,
}

impl From<GameOutcome> for StoredOutcome {
    fn from(outcome: GameOutcome) -> StoredOutcome {
        StoredOutcome {
            winners: outcome.winners,
            ended: outcome.reason as u8 * 2 + u8::from(outcome.drawn),
            ranking: outcome.ranking,
        }
    }
}

impl TryFrom<StoredOutcome> for GameOutcome {
    type Error = &'static str;

    fn try_from(stored: StoredOutcome) -> Result<GameOutcome, &'static str> {
        let reason = EndReason::ALL.get(usize::from(stored.ended / 2));
        Ok(GameOutcome {
            winners: stored.winners,
            drawn: stored.ended % 2 == 1,
            ranking: stored.ranking,
            reason: *reason.ok_or("unknown-reason")?,
        })
    }
}
