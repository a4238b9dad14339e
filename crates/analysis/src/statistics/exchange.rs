//! Tests whether seats are treated alike: the probability that a fair game would treat one of them so differently.

use serde::Serialize;

use super::{LEVEL, Share, holm, two_sided};

/// Wins by seat, counted game by game.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Wins {
    /// Wins by seat. A shared win counts for each.
    by_seat: Vec<u64>,
    games: u64,
    /// Number of games by number of winners, from 0.
    by_winners: Vec<u64>,
}

/// The test result of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SeatTest {
    /// The seat, from 1.
    pub seat: usize,
    #[serde(flatten)]
    pub share: Share,
    /// The share of wins in a fair game.
    pub fair: f64,
    /// The probability that a fair game deviates at least this much, corrected for the number of seats.
    pub probability: f64,
    pub unfair: bool,
}

impl Wins {
    pub fn new(seats: usize) -> Wins {
        Wins {
            by_seat: vec![0; seats],
            games: 0,
            by_winners: vec![0; seats + 1],
        }
    }

    /// Adds a game. Seats are numbered from 0.
    pub fn add(&mut self, winners: &[u8]) {
        self.games += 1;
        for seat in winners {
            if let Some(wins) = self.by_seat.get_mut(usize::from(*seat)) {
                *wins += 1;
            }
        }
        if let Some(games) = self.by_winners.get_mut(winners.len()) {
            *games += 1;
        }
    }

    pub fn merge(&mut self, other: &Wins) {
        self.games += other.games;
        let lists = [
            (&mut self.by_seat, &other.by_seat),
            (&mut self.by_winners, &other.by_winners),
        ];
        for (own, others) in lists {
            own.resize(own.len().max(others.len()), 0);
            own.iter_mut().zip(others).for_each(|(a, b)| *a += b);
        }
    }

    pub fn games(&self) -> u64 {
        self.games
    }

    /// Tests each seat against its fair share. In a fair game with k winners, each of n seats is among them with
    /// probability k/n, which determines the mean and variance of its number of wins. For games with one winner, this
    /// is the test that Wilson's interval inverts.
    pub fn tests(&self) -> Vec<SeatTest> {
        let seats = self.by_seat.len();
        let chance = |winners: usize| winners as f64 / seats.max(1) as f64;
        let games = self.by_winners.iter().enumerate();
        let (mean, variance) = games.fold((0.0, 0.0), |(mean, variance), (winners, games)| {
            let (p, games) = (chance(winners), *games as f64);
            (mean + games * p, variance + games * p * (1.0 - p))
        });
        let probability = |wins: u64| {
            if variance > 0.0 {
                two_sided((wins as f64 - mean) / variance.sqrt())
            } else {
                1.0
            }
        };
        let alone: Vec<f64> = self.by_seat.iter().map(|wins| probability(*wins)).collect();
        let corrected = holm(&alone);
        let seats = self.by_seat.iter().zip(corrected).enumerate();
        seats
            .map(|(seat, (wins, probability))| SeatTest {
                seat: seat + 1,
                share: Share::of(*wins, self.games),
                fair: mean / self.games.max(1) as f64,
                probability,
                unfair: probability < LEVEL,
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(games: &[(&[u8], usize)], seats: usize) -> Vec<SeatTest> {
        let mut wins = Wins::new(seats);
        for (winners, times) in games {
            (0..*times).for_each(|_| wins.add(winners));
        }
        wins.tests()
    }

    #[test]
    fn two_seats_agree_with_the_test_of_one_share() {
        // 60 of 100 against one half: z = 2, p = 0.0455. Holm doubles it because there are two equal tests.
        let tests = of(&[(&[0], 60), (&[1], 40)], 2);
        assert!((tests[0].probability - 0.0910).abs() < 1e-4, "{tests:?}");
        assert!(!tests[0].unfair);
        assert!(
            of(&[(&[0], 65), (&[1], 35)], 2)
                .iter()
                .all(|seat| seat.unfair)
        );
    }

    #[test]
    fn draws_and_shared_wins_lower_or_raise_the_fair_share() {
        let tests = of(&[(&[], 50), (&[0, 1], 30), (&[2], 20)], 4);
        assert!((tests[0].fair - 0.2).abs() < 1e-12, "{tests:?}");
        assert!(tests[3].unfair, "{tests:?}");
        assert_eq!(tests[3].share.count, 0);
    }

    #[test]
    fn where_all_or_nobody_wins_nothing_is_unfair() {
        let tests = of(&[(&[], 10), (&[0, 1], 5)], 2);
        assert!(
            tests
                .iter()
                .all(|seat| !seat.unfair && seat.probability == 1.0)
        );
        assert!(of(&[], 3).iter().all(|seat| !seat.unfair));
    }

    #[test]
    fn merged_games_are_those_of_both() {
        let mut one = Wins::new(2);
        one.add(&[0]);
        let mut other = Wins::new(2);
        other.add(&[1]);
        other.add(&[]);
        one.merge(&other);
        assert_eq!((one.games(), one.by_winners), (3, vec![1, 2, 0]));
    }
}
