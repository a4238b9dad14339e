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
}
