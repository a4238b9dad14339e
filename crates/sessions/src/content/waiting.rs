//! How a session waits for its players: until when, and whether it takes in those who seek the same game.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::content::tolerant::known_members;

/// How a session waits for players, as agreed on at its creation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct WaitTerms {
    /// When it ends unless its game has begun, in Unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until_ms: Option<u64>,
    /// Set if it seeks players for the same game.
    #[serde(
        deserialize_with = "known_members",
        skip_serializing_if = "Option::is_none"
    )]
    pub seek: Option<SeekTerms>,
}

/// When the server looks again for others who seek the same game: two sessions that were opened at the same moment may have
/// missed each other, and the lists of a cluster may lag a little.
const LOOKS_AFTER_MS: [u64; 2] = [2_000, 10_000];

impl WaitTerms {
    /// Returns the state of a session that begins to wait now.
    pub(crate) fn begun(&self, now_ms: u64) -> WaitState {
        WaitState {
            look_at_ms: self.look_after(now_ms, now_ms),
            ..WaitState::default()
        }
    }

    /// Returns when the server looks for the next time.
    pub(crate) fn look_after(&self, since_ms: u64, now_ms: u64) -> Option<u64> {
        self.seek.as_ref()?;
        let looks = LOOKS_AFTER_MS.map(|after| since_ms.saturating_add(after));
        looks.into_iter().find(|at| *at > now_ms)
    }

    pub(crate) fn are_none(&self) -> bool {
        *self == WaitTerms::default()
    }
}

/// Whom a session takes in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeekTerms {
    /// Digest of all that two seeks must have in common.
    pub pool: String,
    /// The rating of the player who began to seek, if it has one.
    pub rating: Option<i32>,
    /// Which ratings that player wants to meet.
    pub range: RatingRange,
}

/// A range of ratings; both ends belong to it. Without any limit, players without a rating fit, too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RatingRange {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 10_000)]
    pub least: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 10_000)]
    pub most: Option<i32>,
}

/// Width of the parts of a pool.
const PART: i32 = 100;
/// Maximum number of parts for one seek. A wider range has a part of its own.
const PARTS_MAX: i32 = 8;
const ANYBODY: &str = "";
const WIDE: &str = "-wide";

impl RatingRange {
    pub fn is_any(&self) -> bool {
        *self == RatingRange::default()
    }

    pub fn admits(&self, rating: Option<i32>) -> bool {
        let Some(rating) = rating else {
            return self.is_any();
        };
        self.least.is_none_or(|least| least <= rating)
            && self.most.is_none_or(|most| rating <= most)
    }

    /// Returns the parts of a pool in which a seek with this range is listed: those of the ratings that it admits. Thus seeks
    /// that admit nobody of the one who looks lie in nobody's way.
    pub(crate) fn parts(&self) -> Vec<String> {
        let (least, most) = match (self.least, self.most) {
            (None, None) => return vec![ANYBODY.to_owned()],
            (least, most) => (least.unwrap_or(i32::MIN), most.unwrap_or(i32::MAX)),
        };
        let (first, last) = (least.div_euclid(PART), most.div_euclid(PART));
        match last.saturating_sub(first) < PARTS_MAX {
            true => (first..=last).map(part_of).collect(),
            false => vec![WIDE.to_owned()],
        }
    }
}

/// Returns the parts of a pool that have all seeks which admit this rating.
pub(crate) fn parts_for(rating: Option<i32>) -> Vec<String> {
    let of_rating = rating.map(|rating| [part_of(rating.div_euclid(PART)), WIDE.to_owned()]);
    let anybody = [ANYBODY.to_owned()].into_iter();
    anybody.chain(of_rating.into_iter().flatten()).collect()
}

fn part_of(number: i32) -> String {
    format!("-{number}")
}

/// What has become of the waiting.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct WaitState {
    /// When the server looks for others again, or resumes a move, in Unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub look_at_ms: Option<u64>,
    /// The session into which the only player here moves, or has moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves_to: Option<String>,
    /// Number of moves that were begun.
    #[serde(skip_serializing_if = "is_zero")]
    pub moves: u32,
    /// Whether the session has ended before its game began.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_closed: bool,
}

impl WaitState {
    pub(crate) fn is_none(&self) -> bool {
        *self == WaitState::default()
    }

    /// Returns whether the only player is about to move.
    pub fn is_moving(&self) -> bool {
        self.moves_to.is_some() && !self.is_closed
    }

    /// Returns the session that has taken in the player.
    pub fn matched_in(&self) -> Option<&str> {
        self.moves_to.as_deref().filter(|_| self.is_closed)
    }
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(least: Option<i32>, most: Option<i32>) -> RatingRange {
        RatingRange { least, most }
    }

    #[test]
    fn who_is_admitted_finds_the_seek_and_a_range_admits_nobody_without_rating() {
        let ends = [
            None,
            Some(0),
            Some(1_499),
            Some(1_500),
            Some(1_599),
            Some(2_600),
        ];
        let ratings = [
            None,
            Some(-1),
            Some(0),
            Some(1_499),
            Some(1_500),
            Some(1_600),
            Some(9_999),
        ];
        for range in ends
            .iter()
            .flat_map(|least| ends.map(|most| range(*least, most)))
        {
            for rating in ratings {
                let read = parts_for(rating);
                let is_found = range.parts().iter().any(|part| read.contains(part));
                assert!(is_found || !range.admits(rating), "{range:?} {rating:?}");
            }
            assert_eq!(range.admits(None), range.is_any());
            assert!(range.parts().len() <= PARTS_MAX as usize);
        }
        assert!(range(Some(1_400), Some(1_600)).admits(Some(1_600)));
        assert!(!range(Some(1_400), Some(1_600)).admits(Some(1_601)));
        assert!(!range(Some(1_400), None).admits(Some(1_399)));
    }
}
