//! Paired comparison of two sets of rules. With the same random numbers, most of the noise cancels in the difference.

use serde::Serialize;

use super::student::t_975;
use super::{Z, two_sided};

/// A mean with its 95 % confidence interval (Student's).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Mean {
    pub mean: f64,
    pub low: f64,
    pub high: f64,
}

/// The difference between the second and the first rules.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PairedDifference {
    pub mean: f64,
    pub low: f64,
    pub high: f64,
    /// The probability of such a difference by chance alone.
    pub probability: f64,
}

impl Mean {
    pub fn of(numbers: &[f64]) -> Mean {
        let (mean, error) = mean_and_error(numbers);
        let half = half_width(numbers.len(), error);
        Mean {
            mean,
            low: mean - half,
            high: mean + half,
        }
    }
}

/// Compares a number measured in every game, with Student's interval of the mean difference.
pub fn shifted(pairs: &[(f64, f64)]) -> PairedDifference {
    let differences: Vec<f64> = pairs.iter().map(|(one, other)| other - one).collect();
    let (mean, error) = mean_and_error(&differences);
    let half = half_width(differences.len(), error);
    PairedDifference {
        mean,
        low: mean - half,
        high: mean + half,
        probability: probability(mean, error),
    }
}

/// Compares the frequency of an event. The interval is that of Agresti and Min (2005), which is reliable even if hardly
/// any pair differs; the test is McNemar's.
pub fn differs(pairs: &[(bool, bool)]) -> PairedDifference {
    let count = |pair: (bool, bool)| pairs.iter().filter(|found| **found == pair).count() as f64;
    let (gained, lost) = (count((false, true)), count((true, false)));
    let games = pairs.len() as f64;
    let middle = (gained - lost) / (games + 2.0);
    let variance = (gained + lost + 1.0) - (gained - lost).powi(2) / (games + 2.0);
    let half = Z * variance.max(0.0).sqrt() / (games + 2.0);
    let changed = gained + lost;
    PairedDifference {
        mean: (gained - lost) / games.max(1.0),
        low: (middle - half).max(-1.0),
        high: (middle + half).min(1.0),
        probability: match changed > 0.0 {
            true => two_sided((gained - lost) / changed.sqrt()),
            false => 1.0,
        },
    }
}

/// Returns the mean and its standard error.
fn mean_and_error(numbers: &[f64]) -> (f64, f64) {
    let n = numbers.len() as f64;
    if numbers.len() < 2 {
        return (numbers.first().copied().unwrap_or(0.0), f64::INFINITY);
    }
    let mean = numbers.iter().sum::<f64>() / n;
    let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
    (mean, (squares / (n - 1.0) / n).sqrt())
}

fn half_width(count: usize, error: f64) -> f64 {
    if error.is_finite() {
        t_975(count as u64 - 1) * error
    } else {
        f64::INFINITY
    }
}

fn probability(mean: f64, error: f64) -> f64 {
    match (mean == 0.0, error > 0.0) {
        (true, _) => 1.0,
        (false, true) => two_sided(mean / error),
        (false, false) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Student (1908): hours of sleep gained by ten patients with two drugs; the interval is 0.70 to 2.46.
    #[test]
    fn the_interval_agrees_with_the_example_of_student() {
        let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
        let second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
        let pairs: Vec<(f64, f64)> = first.into_iter().zip(second).collect();
        let found = shifted(&pairs);
        assert!((found.mean - 1.58).abs() < 1e-9, "{found:?}");
        assert!((found.low - 0.7001).abs() < 1e-3, "{found:?}");
        assert!((found.high - 2.4599).abs() < 1e-3, "{found:?}");
        assert!(found.probability < 0.01, "{found:?}");
    }

    /// Agresti, Categorical Data Analysis: of 1600 people 944 approve at first and 880 later, 86 changed one way and 150
    /// the other; −0.04, between −0.059 and −0.021, McNemar's z² = 17.36.
    #[test]
    fn two_shares_of_the_same_people_agree_with_the_published_example() {
        let mut pairs = vec![(true, true); 794];
        pairs.extend(vec![(true, false); 150]);
        pairs.extend(vec![(false, true); 86]);
        pairs.extend(vec![(false, false); 570]);
        let found = differs(&pairs);
        assert!((found.mean + 0.04).abs() < 1e-9, "{found:?}");
        assert!((found.low + 0.059).abs() < 1e-3, "{found:?}");
        assert!((found.high + 0.021).abs() < 1e-3, "{found:?}");
        assert!((found.probability - two_sided(17.356_f64.sqrt())).abs() < 1e-6);
    }

    #[test]
    fn what_never_differs_is_nearly_certain_to_be_alike_and_no_more() {
        let found = differs(&[(true, true); 100]);
        assert_eq!((found.mean, found.probability), (0.0, 1.0));
        assert!(found.low < 0.0 && found.high > 0.0 && found.high < 0.03);
        assert_eq!(shifted(&[(1.0, 1.0); 5]).high, 0.0);
    }

    #[test]
    fn of_one_game_nothing_is_known() {
        assert_eq!(Mean::of(&[3.0]).high, f64::INFINITY);
        assert_eq!(Mean::of(&[]).mean, 0.0);
        assert_eq!(shifted(&[(0.0, 2.0); 4]).probability, 0.0);
    }
}
