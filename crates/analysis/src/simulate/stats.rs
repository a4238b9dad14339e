//! Statistics of the lengths of many games.

use serde::Serialize;

use crate::statistics::Counts;

/// The distribution of a number over many games.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Spread {
    pub mean: f64,
    pub least: u32,
    pub lower_quartile: u32,
    pub median: u32,
    pub upper_quartile: u32,
    /// The 95th percentile.
    pub p95: u32,
    pub most: u32,
}

impl Spread {
    pub fn of(numbers: &Counts) -> Spread {
        Spread {
            mean: numbers.mean(),
            least: numbers.least(),
            lower_quartile: numbers.percentile(25),
            median: numbers.percentile(50),
            upper_quartile: numbers.percentile(75),
            p95: numbers.percentile(95),
            most: numbers.most(),
        }
    }
}

/// A bar of a histogram: the number of games with a length in `from..=to`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct LengthBar {
    pub from: u32,
    pub to: u32,
    pub games: u64,
}

/// Returns at most `bars` bars of equal width that cover all numbers.
pub fn histogram(numbers: &Counts, bars: u32) -> Vec<LengthBar> {
    if numbers.total() == 0 {
        return Vec::new();
    }
    let (least, most) = (numbers.least(), numbers.most());
    let width = (most - least) / bars.max(1) + 1;
    let all = (0..=(most - least) / width).map(|i| {
        let from = least + i * width;
        let to = from + (width - 1);
        let games = numbers.within(from, to);
        LengthBar { from, to, games }
    });
    all.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(numbers: impl IntoIterator<Item = u32>) -> Counts {
        let mut all = Counts::default();
        numbers.into_iter().for_each(|number| all.add(number));
        all
    }

    #[test]
    fn quartiles_are_members() {
        let spread = Spread::of(&of([5, 1, 4, 2, 3]));
        assert_eq!((spread.least, spread.median, spread.most), (1, 3, 5));
        assert_eq!(spread.mean, 3.0);
    }

    #[test]
    fn a_histogram_counts_every_game_once() {
        let bars = histogram(&of(10..150), 8);
        assert!(bars.len() <= 8);
        assert_eq!(bars.iter().map(|b| b.games).sum::<u64>(), 140);
        assert_eq!(histogram(&of([7, 7]), 8).len(), 1);
    }
}
