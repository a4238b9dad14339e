//! Estimates proportions.

use serde::Serialize;

use super::Z;

/// A proportion with its 95 % confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Share {
    pub count: u64,
    pub share: f64,
    pub low: f64,
    pub high: f64,
}

impl Share {
    /// Returns the Wilson score interval, which is reliable even for few games and for shares near 0 and 1.
    pub fn of(count: u64, total: u64) -> Share {
        if total == 0 {
            return Share {
                count,
                share: 0.0,
                low: 0.0,
                high: 1.0,
            };
        }
        let n = total as f64;
        let p = count as f64 / n;
        let denominator = 1.0 + Z * Z / n;
        let middle = (p + Z * Z / (2.0 * n)) / denominator;
        let half = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt() / denominator;
        // At the ends, the formula is exact except for rounding.
        Share {
            count,
            share: p,
            low: if count == 0 { 0.0 } else { middle - half },
            high: if count == total { 1.0 } else { middle + half },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_agrees_with_published_examples() {
        // 15 of 50: 0.191 to 0.438. 81 of 263 and 15 of 148: Newcombe (1998), table I, method 3.
        for (count, total, low, high) in [
            (15, 50, 0.191, 0.438),
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let share = Share::of(count, total);
            assert!((share.low - low).abs() < 6e-4, "{share:?}");
            assert!((share.high - high).abs() < 6e-4, "{share:?}");
        }
    }

    #[test]
    fn an_interval_never_leaves_zero_to_one() {
        assert_eq!(Share::of(0, 0).high, 1.0);
        assert_eq!((Share::of(0, 10).low, Share::of(10, 10).high), (0.0, 1.0));
    }
}
