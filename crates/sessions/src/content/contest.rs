//! A game whose result counts elsewhere: for the ratings of its players, or in a tournament.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use skillratings::Outcomes;

use crate::access::player::PlayerId;
use crate::content::live::Live;
use crate::content::rating::{ClockClass, Duel, Rating, RatingClass};
use wyrmgate_engine::{EndReason, GameOutcome, sides};

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

/// The order of the seats at the end, the best first: those whose player has gone come last, winners come first.
type EndOrder = (bool, bool, u8);

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

    pub fn forget(&mut self, player: PlayerId) {
        for contestant in &mut self.contestants {
            *contestant = contestant.filter(|of| *of != player);
        }
    }
}

/// Returns whether a game counts that ended like this.
pub fn counts(outcome: &GameOutcome) -> bool {
    !matches!(outcome.reason, EndReason::Aborted | EndReason::Abandoned)
}

impl Live {
    pub fn contest(&self) -> Option<&Contest> {
        self.status.roster.contest.as_deref()
    }

    /// Returns the contest, if its results wait for being worked off.
    pub fn due_contest(&self) -> Option<&Contest> {
        self.contest().filter(|contest| contest.due_at_ms.is_some())
    }

    /// Returns whether the result counts for ratings.
    pub(crate) fn is_to_rate(&self) -> bool {
        self.facts.terms.rated && !self.is_practice() && self.outcome().is_some_and(counts)
    }

    pub fn rating_class(&self) -> RatingClass {
        RatingClass {
            game: self.facts.game.clone(),
            clock: ClockClass::of(self.facts.terms.clock.as_ref()),
        }
    }

    pub(crate) fn outcome(&self) -> Option<&GameOutcome> {
        self.play.as_ref()?.state().outcome()
    }

    /// Returns the results of a seat against its opponents, by their noted ratings.
    pub(crate) fn duels(&self, seat: u8) -> Vec<Duel> {
        let noted = |of: u8| {
            let ratings = self.contest().map(|contest| contest.ratings.as_slice());
            let mut ratings = ratings.unwrap_or_default().iter();
            ratings.find(|noted| noted.seat == of)
        };
        let duel = |(of, result)| {
            let outcome = match result {
                Ordering::Less => Outcomes::WIN,
                Ordering::Equal => Outcomes::DRAW,
                Ordering::Greater => Outcomes::LOSS,
            };
            Some((noted(of)?.before, outcome))
        };
        self.results(seat).into_iter().filter_map(duel).collect()
    }

    /// Returns the part of a point for a seat: for each opponent that it left behind one, for a tie a half, divided by their
    /// number. A game that was called off is a tie.
    pub(crate) fn points(&self, seat: u8) -> f64 {
        if !self.outcome().is_some_and(counts) {
            return 0.5;
        }
        let results = self.results(seat);
        let points = results.iter().map(|(_, result)| match result {
            Ordering::Less => 1.0,
            Ordering::Equal => 0.5,
            Ordering::Greater => 0.0,
        });
        points.sum::<f64>() / results.len().max(1) as f64
    }

    /// Returns the other seats that are not on the same side, and where a seat ended by the side of each: before it (`Less`),
    /// with it, or behind it.
    fn results(&self, seat: u8) -> Vec<(u8, Ordering)> {
        let Some(outcome) = self.outcome() else {
            return Vec::new();
        };
        let (side, end) = (self.side_of(seat), self.end_of(seat, outcome));
        let others = (1..=self.facts.seats).filter(|of| self.side_of(*of) != side);
        others
            .map(|of| (of, end.cmp(&self.end_of(of, outcome))))
            .collect()
    }

    fn side_of(&self, seat: u8) -> Option<usize> {
        let all = sides(&self.program);
        all.iter()
            .position(|side| side.contains(&seat.saturating_sub(1)))
    }

    fn end_of(&self, seat: u8, outcome: &GameOutcome) -> EndOrder {
        let index = seat.saturating_sub(1);
        let contestant = self.contest().and_then(|contest| contest.contestant(seat));
        let present = self.status.seat(seat).and_then(|of| of.player());
        let place = outcome.ranking.iter().find(|row| row.seat == index);
        (
            contestant.is_none() || contestant != present,
            !outcome.winners.contains(&index),
            place.map_or(u8::MAX, |row| row.place),
        )
    }
}
