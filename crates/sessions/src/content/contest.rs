//! A game whose result counts elsewhere: for the ratings of its players, or in a tournament.

use serde::{Deserialize, Serialize};

use crate::access::player::PlayerId;
use crate::content::rating::Rating;

/// What is known of such a game besides its outcome.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Contest {
    /// Who sat where when the game began, seat 1 first, until the results are worked off. `None` for forgotten players.
    pub contestants: Vec<Option<PlayerId>>,
    /// Since when the results wait for being worked off, in Unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due_at_ms: Option<u64>,
    /// The ratings that the game is about. Empty before its end.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ratings: Vec<SeatRating>,
}

/// What a game did to the rating of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SeatRating {
    pub seat: u8,
    pub before: Rating,
    /// `None` while the results wait, and for players who were forgotten meanwhile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Rating>,
}

impl Contest {
    pub fn of(seats: impl Iterator<Item = Option<PlayerId>>) -> Contest {
        Contest {
            contestants: seats.collect(),
            ..Contest::default()
        }
    }

    /// Returns who sat on a seat when the game began.
    pub fn contestant(&self, seat: u8) -> Option<PlayerId> {
        let at = usize::from(seat).checked_sub(1)?;
        *self.contestants.get(at)?
    }

    /// Returns the seats with a player who is not forgotten.
    pub fn seats(&self) -> impl Iterator<Item = (u8, PlayerId)> {
        let seats = (1..).zip(&self.contestants);
        seats.filter_map(|(seat, player)| Some((seat, (*player)?)))
    }

    /// Forgets a player of these seats. As long as results wait, others are compared with its rating.
    pub fn forget(&mut self, player: PlayerId, seats: &[u8]) {
        if self.due_at_ms.is_none() {
            self.ratings.retain(|of| !seats.contains(&of.seat));
        }
        for contestant in &mut self.contestants {
            *contestant = contestant.filter(|of| *of != player);
        }
    }
}
