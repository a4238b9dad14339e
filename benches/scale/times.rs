//! Durations of many requests of one kind, and statistics over several samples.

use std::time::Duration;

use serde::Serialize;

/// The statistics of one sample, or the median of each number over several samples.
#[derive(Clone, Copy, Default, Serialize)]
pub struct Times {
    /// Requests a second.
    pub rate: f64,
    pub p50_ms: f64,
    pub p99_ms: f64,
    pub most_ms: f64,
}

impl Times {
    pub fn of(mut times: Vec<Duration>, took: Duration) -> Times {
        times.sort_unstable();
        let at = |share: f64| {
            let place = ((times.len() as f64 * share) as usize).min(times.len().saturating_sub(1));
            milliseconds(times.get(place).copied().unwrap_or_default())
        };
        Times {
            rate: (times.len() as f64 / took.as_secs_f64()).round(),
            p50_ms: at(0.5),
            p99_ms: at(0.99),
            most_ms: at(1.0),
        }
    }

    pub fn median(samples: &[Times]) -> Times {
        let of = |number: fn(&Times) -> f64| median(samples.iter().map(number).collect());
        Times {
            rate: of(|times| times.rate),
            p50_ms: of(|times| times.p50_ms),
            p99_ms: of(|times| times.p99_ms),
            most_ms: of(|times| times.most_ms),
        }
    }
}

pub fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or_default()
}

/// Rounded to hundredths.
pub fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e5).round() / 100.0
}
