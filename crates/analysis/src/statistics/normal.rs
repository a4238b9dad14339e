//! The tails of the normal distribution.

use std::f64::consts::{PI, SQRT_2};

/// Returns the probability that a normal variable is at least `z` standard deviations from its mean, on either side.
pub fn two_sided(z: f64) -> f64 {
    erfc(z.abs() / SQRT_2)
}

/// Bound below which the series converges faster than the fraction.
const SERIES_TO: f64 = 2.5;

/// Returns the complementary error function of a non-negative number.
fn erfc(x: f64) -> f64 {
    if x < SERIES_TO {
        1.0 - erf_by_series(x)
    } else {
        erfc_by_fraction(x)
    }
}

/// Computes the error function by Maclaurin's series.
fn erf_by_series(x: f64) -> f64 {
    let mut term = x;
    let mut sum = x;
    for n in 1..100 {
        let n = f64::from(n);
        term *= -x * x / n;
        sum += term / (2.0 * n + 1.0);
    }
    sum * 2.0 / PI.sqrt()
}

/// Computes the complementary error function by Laplace's continued fraction, from its tail.
fn erfc_by_fraction(x: f64) -> f64 {
    let tail = (1..=60)
        .rev()
        .fold(x, |below, n| x + f64::from(n) / 2.0 / below);
    (-x * x).exp() / PI.sqrt() / tail
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_tables() {
        for (z, p) in [
            (0.0, 1.0),
            (0.5, 0.617_075_077),
            (1.0, 0.317_310_508),
            (1.959_963_985, 0.05),
            (2.575_829_304, 0.01),
            (3.290_526_731, 0.001),
            (4.0, 6.334_248_367e-5),
            (6.0, 1.973_175_290e-9),
        ] {
            let found = two_sided(z);
            assert!((found / p - 1.0).abs() < 1e-7, "{z}: {found}, not {p}");
            assert_eq!(found, two_sided(-z));
        }
    }
}
