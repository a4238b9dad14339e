//! Ratings: how strong a player is in one class of games, by Glicko-2.
//!
//! Each game is a rating period of its own. M. Glickman, "Example of the Glicko-2 system", describes the method.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, decay_deviation, glicko2_rating_period};
use utoipa::ToSchema;

use crate::content::terms::Clock;

/// A rating with a larger deviation is provisional.
const PROVISIONAL_ABOVE: f64 = 110.0;
/// Time without a game after which the deviation grows as in one rating period: from 60 to 110 in about a year.
const PERIOD_MS: f64 = 5.0 * 86_400_000.0;
/// Number of decisions for which a clock is estimated.
const DECISIONS: u64 = 40;
const MINUTE_MS: u64 = 60_000;
/// Ratings and deviations are kept to a ten-thousandth, volatilities to a hundred-millionth.
const PLACES: f64 = 1e4;
const PLACES_OF_VOLATILITY: f64 = 1e8;

wyrmgate_base::named_enum! {
    /// How much time a seat has for a game, estimated as its total time and 40 times what is added for each decision, or 40
    /// times the time for one: `bullet` is less than 3 minutes, `blitz` less than 8, `rapid` less than 25, `classical` at most
    /// 6 hours, `days` more; `untimed` has no clock.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum ClockClass {
        Bullet = "bullet",
        Blitz = "blitz",
        Rapid = "rapid",
        Classical = "classical",
        Days = "days",
        Untimed = "untimed",
    }
}

/// The classes by the first number of minutes that is too long for them.
const CLASSES: [(u64, ClockClass); 4] = [
    (3, ClockClass::Bullet),
    (8, ClockClass::Blitz),
    (25, ClockClass::Rapid),
    (361, ClockClass::Classical),
];

impl ClockClass {
    /// Returns the class of a clock.
    pub fn of(clock: Option<&Clock>) -> ClockClass {
        let Some(clock) = clock else {
            return ClockClass::Untimed;
        };
        let added = clock.increment_ms + clock.delay_ms + clock.period_ms;
        let of_game = clock.game_ms.map(|base| base + DECISIONS * added);
        let of_decisions = clock.decision_ms.map(|each| DECISIONS * each);
        let estimate = of_game.into_iter().chain(of_decisions).min();
        let minutes = estimate.unwrap_or(u64::MAX) / MINUTE_MS;
        let fits = CLASSES.iter().find(|(below, _)| minutes < *below);
        fits.map_or(ClockClass::Days, |(_, class)| *class)
    }
}

/// Games whose results are compared: those of one game, with its variant, at about one speed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RatingClass {
    /// The game with its overlays: `cliff-race+short`.
    pub game: String,
    pub clock: ClockClass,
}

impl RatingClass {
    /// Returns the class of the games of a game, with its overlays, with this clock.
    pub fn of(game: &str, clock: Option<&Clock>) -> RatingClass {
        RatingClass {
            game: game.to_owned(),
            clock: ClockClass::of(clock),
        }
    }
}

/// The error for a text that is no class of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a class of games is the name of a game, `:` and a class of clocks")]
pub struct NoRatingClass;

impl fmt::Display for RatingClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.game, self.clock.name())
    }
}

impl TryFrom<String> for RatingClass {
    type Error = NoRatingClass;

    fn try_from(text: String) -> Result<RatingClass, NoRatingClass> {
        let (game, clock) = text.rsplit_once(':').ok_or(NoRatingClass)?;
        let mut all = ClockClass::ALL.into_iter();
        let clock = all.find(|class| class.name() == clock);
        Ok(RatingClass {
            game: game.to_owned(),
            clock: clock.ok_or(NoRatingClass)?,
        })
    }
}

impl From<RatingClass> for String {
    fn from(class: RatingClass) -> String {
        class.to_string()
    }
}

/// The ratings of a player.
pub type Ratings = BTreeMap<RatingClass, Rating>;

/// The rating of a player in one class of games.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    pub rating: f64,
    /// How uncertain it is: the true one lies within twice this with a probability of 95 %.
    pub deviation: f64,
    pub volatility: f64,
    /// Number of rated games.
    pub games: u64,
    /// When the last one ended, in Unix milliseconds.
    pub at_ms: u64,
}

/// One opponent in a game, and how the game ended between the two.
pub(crate) type Duel = (Rating, Outcomes);

impl Default for Rating {
    fn default() -> Rating {
        let Glicko2Rating {
            rating,
            deviation,
            volatility,
        } = Glicko2Rating::new();
        Rating {
            rating,
            deviation,
            volatility,
            games: 0,
            at_ms: 0,
        }
    }
}

impl Rating {
    /// Returns the rating at a moment: its deviation grows while the player does not play.
    pub fn at(self, now_ms: u64) -> Rating {
        let idle_ms = now_ms.saturating_sub(self.at_ms) as f64;
        // The variance grows evenly with time.
        let volatility = self.volatility * (idle_ms / PERIOD_MS).sqrt();
        let aged = decay_deviation(&Glicko2Rating {
            volatility,
            ..self.glicko()
        });
        Rating {
            deviation: rounded(aged.deviation, PLACES),
            ..self
        }
    }

    pub fn is_provisional(&self) -> bool {
        self.deviation > PROVISIONAL_ABOVE
    }

    fn glicko(&self) -> Glicko2Rating {
        Glicko2Rating {
            rating: self.rating,
            deviation: self.deviation,
            volatility: self.volatility,
        }
    }

    /// Returns the rating after a game that ended at this moment. A game of many seats is a result against each opponent by
    /// placement (S. Radack, "Generalizing the Elo rating system", 2008), and all of them together weigh as much as one.
    pub(crate) fn after(self, duels: &[Duel], now_ms: u64) -> Rating {
        let before = self.at(now_ms);
        let weight = 1.0 / duels.len().max(1) as f64;
        let rated = rated(&before.glicko(), duels, weight);
        Rating {
            rating: rounded(rated.rating, PLACES),
            deviation: rounded(rated.deviation, PLACES),
            volatility: rounded(rated.volatility, PLACES_OF_VOLATILITY),
            games: self.games + 1,
            at_ms: self.at_ms.max(now_ms),
        }
    }
}

/// Returns the rating after one rating period in which each result counts with this weight. The period brings information
/// (the inverse of a variance) and pulls the rating; both are proportional to the weight.
fn rated(before: &Glicko2Rating, duels: &[Duel], weight: f64) -> Glicko2Rating {
    let results = duels.iter().map(|(of, outcome)| (of.glicko(), *outcome));
    let results: Vec<(Glicko2Rating, Outcomes)> = results.collect();
    let full = glicko2_rating_period(before, &results, &Glicko2Config::new());
    let volatility = before.volatility + weight * (full.volatility - before.volatility);
    let aged = decay_deviation(&Glicko2Rating {
        volatility: full.volatility,
        ..*before
    });
    let known = aged.deviation.powi(-2);
    let gained = full.deviation.powi(-2) - known;
    let variance = 1.0 / (known + weight * gained);
    let pull = (full.rating - before.rating) / full.deviation.powi(2);
    Glicko2Rating {
        rating: before.rating + variance * weight * pull,
        deviation: variance.sqrt(),
        volatility,
    }
}

fn rounded(number: f64, places: f64) -> f64 {
    (number * places).round() / places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rating: f64, deviation: f64) -> Rating {
        Rating {
            rating,
            deviation,
            ..Rating::default()
        }
    }

    fn is_near(rated: f64, wanted: f64, error: f64) {
        assert!((rated - wanted).abs() < error, "{rated} is not {wanted}");
    }

    #[test]
    fn the_published_example_of_glicko_2() {
        let duels = [
            (of(1400.0, 30.0), Outcomes::WIN),
            (of(1550.0, 100.0), Outcomes::LOSS),
            (of(1700.0, 300.0), Outcomes::LOSS),
        ];
        let after = rated(&of(1500.0, 200.0).glicko(), &duels, 1.0);
        is_near(after.rating, 1464.06, 0.02);
        is_near(after.deviation, 151.52, 0.01);
        is_near(after.volatility, 0.059_99, 0.000_01);
    }

    #[test]
    fn a_game_of_many_seats_counts_as_one() {
        let (me, same) = (of(1500.0, 80.0), of(1500.0, 80.0));
        let won = |seats: usize| me.after(&vec![(same, Outcomes::WIN); seats - 1], 0);
        is_near(won(5).rating, won(2).rating, 0.1);
        is_near(won(5).deviation, won(2).deviation, 0.1);
        assert!(won(2).rating > 1515.0 && won(2).games == 1);
        let middle = [(same, Outcomes::WIN), (same, Outcomes::LOSS)];
        is_near(me.after(&middle, 0).rating, 1500.0, 0.001);
    }

    #[test]
    fn a_rating_becomes_uncertain_with_time() {
        let sure = of(1600.0, 60.0);
        let year = sure.at(365 * 86_400_000);
        assert!(!sure.is_provisional() && sure.at(0) == sure);
        is_near(year.deviation, 108.0, 2.0);
        is_near(sure.at(u64::MAX).deviation, 350.0, 0.001);
        assert!(Rating::default().is_provisional());
    }

    #[test]
    fn clocks_have_classes() {
        let game = |minutes: u64, increment_ms| Clock {
            game_ms: Some(minutes * MINUTE_MS),
            increment_ms,
            ..Clock::default()
        };
        let each = |seconds: u64| Clock {
            decision_ms: Some(seconds * 1_000),
            ..Clock::default()
        };
        let class = |clock: Clock| ClockClass::of(Some(&clock)).name();
        assert_eq!(class(game(2, 0)), "bullet");
        assert_eq!(class(game(2, 1_500)), "blitz");
        assert_eq!(class(game(8, 0)), "rapid");
        assert_eq!(class(game(25, 0)), "classical");
        assert_eq!(class(each(4)), "bullet");
        assert_eq!(class(each(540)), "classical", "6 hours");
        assert_eq!(class(each(86_400)), "days");
        assert_eq!(ClockClass::of(None).name(), "untimed");
    }

    #[test]
    fn classes_are_written_as_text() {
        let class = RatingClass {
            game: "demo+short".into(),
            clock: ClockClass::Blitz,
        };
        assert_eq!(RatingClass::try_from(class.to_string()), Ok(class));
        for text in ["demo", "demo:slow", ""] {
            assert_eq!(RatingClass::try_from(text.to_owned()), Err(NoRatingClass));
        }
    }
}
