//! How a game ended between its seats, for those who count it.

use std::cmp::Ordering;

use skillratings::Outcomes;

use crate::content::contest::Contest;
use crate::content::live::Live;
use crate::content::rating::{Duel, RatingClass};
use wyrmgate_engine::{EndReason, GameOutcome, sides};

/// The order of the seats at the end, the best first: those whose player has gone come last, winners come first.
type EndOrder = (bool, bool, u8);

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
        RatingClass::of(&self.facts.game, self.facts.terms.clock.as_ref())
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
