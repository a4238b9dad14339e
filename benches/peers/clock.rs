//! Measures the CPU time of this thread, because wall-clock time means little on a busy machine.

use std::sync::LazyLock;
use std::time::Instant;

static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Returns the CPU time so far in seconds, or wall-clock time if the system does not measure CPU time.
pub fn cpu_seconds() -> f64 {
    on_processor().unwrap_or_else(|| BEGAN.elapsed().as_secs_f64())
}

/// Linux: the first number is nanoseconds on a processor.
fn on_processor() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}
