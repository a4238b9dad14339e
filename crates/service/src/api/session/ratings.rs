//! Ratings as others see them.

use serde::Serialize;
use utoipa::ToSchema;

use wyrmgate_sessions::{
    ClockClass, Live, Rating, RatingClass, Ratings, SeatRating, game_and_variant,
};

/// What the result of a session counts for.
#[derive(Serialize, ToSchema)]
pub struct RatedSession {
    /// Whether the game counts for the ratings of its players.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    rated: bool,
    /// What the game did to the ratings, once it is counted: about a second after its end. Not of players who are forgotten.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    ratings: Vec<RatingChange>,
    /// The tournament of which this is a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    tournament: Option<String>,
}

impl RatedSession {
    pub fn of(live: &Live) -> RatedSession {
        RatedSession {
            rated: live.facts.terms.rated,
            ratings: RatingChange::all(live),
            tournament: live.facts.labels.tournament.clone(),
        }
    }

    /// Returns what somebody may know who must not know the outcome.
    pub fn before_the_end(self) -> RatedSession {
        RatedSession {
            ratings: Vec::new(),
            ..self
        }
    }
}

/// What a game did to the rating of a seat.
#[derive(Serialize, ToSchema)]
pub struct RatingChange {
    #[schema(minimum = 1, maximum = 8)]
    seat: u8,
    before: RatingState,
    after: RatingState,
}

impl RatingChange {
    /// Returns the changes that a session has led to.
    pub fn all(live: &Live) -> Vec<RatingChange> {
        let ratings = live.contest().map(|contest| contest.ratings.as_slice());
        let changes = ratings.unwrap_or_default().iter();
        changes.filter_map(RatingChange::of).collect()
    }

    fn of(seat: &SeatRating) -> Option<RatingChange> {
        Some(RatingChange {
            seat: seat.seat,
            before: RatingState::of(seat.before),
            after: RatingState::of(seat.after?),
        })
    }
}

/// A rating by [Glicko-2](http://www.glicko.net/glicko/glicko2.pdf). The first one is 1500 with a deviation of 350.
#[derive(Serialize, ToSchema)]
pub struct RatingState {
    #[schema(example = 1532)]
    rating: i64,
    /// The rating is right to within twice this, with a probability of 95 %. It grows while the player does not play.
    #[schema(example = 74)]
    deviation: i64,
    /// Whether the deviation is larger than 110.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    provisional: bool,
    /// Number of rated games.
    games: u64,
}

impl RatingState {
    pub fn of(rating: Rating) -> RatingState {
        RatingState {
            rating: rating.rating.round() as i64,
            deviation: rating.deviation.round() as i64,
            provisional: rating.is_provisional(),
            games: rating.games,
        }
    }
}

/// The rating of a player in one class of games.
#[derive(Serialize, ToSchema)]
pub struct ClassRating {
    game: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<String>,
    clock: ClockClass,
    #[serde(flatten)]
    state: RatingState,
}

impl ClassRating {
    fn of(class: &RatingClass, rating: Rating) -> ClassRating {
        let (game, variant) = game_and_variant(&class.game);
        ClassRating {
            game: game.to_owned(),
            variant: variant.map(str::to_owned),
            clock: class.clock,
            state: RatingState::of(rating),
        }
    }

    /// Returns the ratings of a player at a moment.
    pub fn all(ratings: &Ratings, now_ms: u64) -> Vec<ClassRating> {
        let all = ratings.iter();
        all.map(|(class, rating)| ClassRating::of(class, rating.at(now_ms)))
            .collect()
    }
}
