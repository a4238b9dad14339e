//! The quantile of Student's distribution for 95 % intervals.

use super::Z;

/// Returns the 97.5 % quantile for a number of degrees of freedom: exact up to four, otherwise by the Cornish–Fisher
/// expansion around the normal quantile, which is accurate to three decimals.
pub fn t_975(freedom: u64) -> f64 {
    match freedom {
        0 => f64::INFINITY,
        1 => 12.706_204_736,
        2 => 4.302_652_730,
        3 => 3.182_446_305,
        4 => 2.776_445_105,
        _ => expanded(freedom as f64),
    }
}

fn expanded(freedom: f64) -> f64 {
    let powers = |coefficients: [f64; 5]| {
        let square = Z * Z;
        Z * coefficients
            .iter()
            .rev()
            .fold(0.0, |sum, c| sum * square + c)
    };
    let terms = [
        powers([1.0, 1.0, 0.0, 0.0, 0.0]) / 4.0,
        powers([3.0, 16.0, 5.0, 0.0, 0.0]) / 96.0,
        powers([-15.0, 17.0, 19.0, 3.0, 0.0]) / 384.0,
        powers([-945.0, -1920.0, 1482.0, 776.0, 79.0]) / 92_160.0,
    ];
    let of_terms = terms
        .iter()
        .rev()
        .fold(0.0, |sum, term| (sum + term) / freedom);
    Z + of_terms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_tables() {
        for (freedom, t) in [
            (1, 12.706_205),
            (2, 4.302_653),
            (4, 2.776_445),
            (5, 2.570_582),
            (10, 2.228_139),
            (30, 2.042_272),
            (120, 1.979_930),
            (1_000_000, 1.959_966),
        ] {
            let found = t_975(freedom);
            assert!((found - t).abs() < 3e-4, "{freedom}: {found}, not {t}");
        }
    }
}
