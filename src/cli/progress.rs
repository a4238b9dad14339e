//! Progress bars on standard error, hidden unless that is a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Returns a bar for a number of units, such as games.
pub fn progress_bar(count: u64, unit: &str) -> ProgressBar {
    let bar = ProgressBar::new(count);
    // A single game can take long.
    bar.enable_steady_tick(Duration::from_secs(1));
    let template = format!(
        "{{bar:30}} {{pos}}/{{len}} {unit}, {{per_sec}}, {{elapsed}} so far, {{eta}} left  {{msg}}"
    );
    match ProgressStyle::with_template(&template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
