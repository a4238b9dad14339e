//! Statistics of the lengths of many games.

use serde::Serialize;

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
    pub fn of(numbers: &[u32]) -> Spread {
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable();
        let at = |share: f64| quantile(&sorted, share);
        Spread {
            mean: mean(&sorted),
            least: at(0.0),
            lower_quartile: at(0.25),
            median: at(0.5),
            upper_quartile: at(0.75),
            p95: at(0.95),
            most: at(1.0),
        }
    }
}

fn mean(numbers: &[u32]) -> f64 {
    let sum: u64 = numbers.iter().copied().map(u64::from).sum();
    sum as f64 / numbers.len().max(1) as f64
}

/// Returns the smallest member that at least `share` of all do not exceed, or 0 if there are none.
fn quantile(sorted: &[u32], share: f64) -> u32 {
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or(0)
}

/// A bar of a histogram: the number of games with a length in `from..=to`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Bar {
    pub from: u32,
    pub to: u32,
    pub games: u64,
}

/// Returns at most `bars` bars of equal width that cover all numbers.
pub fn histogram(numbers: &[u32], bars: u32) -> Vec<Bar> {
    let (Some(&least), Some(&most)) = (numbers.iter().min(), numbers.iter().max()) else {
        return Vec::new();
    };
    let width = ((most - least) / bars.max(1) + 1).max(1);
    (0..=(most - least) / width)
        .map(|i| {
            let from = least + i * width;
            let to = from + (width - 1);
            let games = numbers.iter().filter(|n| (from..=to).contains(n)).count() as u64;
            Bar { from, to, games }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_are_members() {
        let spread = Spread::of(&[5, 1, 4, 2, 3]);
        assert_eq!((spread.least, spread.median, spread.most), (1, 3, 5));
        assert_eq!(spread.mean, 3.0);
    }

    #[test]
    fn a_histogram_counts_every_game_once() {
        let numbers: Vec<u32> = (10..150).collect();
        let bars = histogram(&numbers, 8);
        assert!(bars.len() <= 8);
        assert_eq!(bars.iter().map(|b| b.games).sum::<u64>(), 140);
        assert_eq!(histogram(&[7, 7], 8).len(), 1);
    }
}
