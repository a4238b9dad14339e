//! Time that this thread has had a processor: seconds on the wall mean little where others work too.

use std::sync::LazyLock;
use std::time::Instant;

static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Seconds so far; where the system does not tell, seconds on the wall.
pub fn cpu_seconds() -> f64 {
    on_processor().unwrap_or_else(|| BEGAN.elapsed().as_secs_f64())
}

/// Linux: the first number is nanoseconds on a processor.
fn on_processor() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}
