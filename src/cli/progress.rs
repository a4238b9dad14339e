//! Progress bars on standard error, hidden unless that is a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Returns a bar for a number of units, such as games.
pub fn progress_bar(count: u64, unit: &str) -> ProgressBar {
    let template = format!(
        "{{bar:30}} {{pos}}/{{len}} {unit}, {{per_sec}}, {{elapsed}} so far, {{eta}} left  {{msg}}"
    );
    // A single game can take long.
    ticking(ProgressBar::new(count), &template, Duration::from_secs(1))
}

/// Returns a line for a number of units that is not known before.
pub fn progress_line(what: &'static str) -> ProgressBar {
    let bar = ProgressBar::new_spinner().with_message(what);
    let template = "{spinner} {msg}: {pos}, {per_sec}";
    ticking(bar, template, Duration::from_millis(200))
}

fn ticking(bar: ProgressBar, template: &str, tick: Duration) -> ProgressBar {
    bar.enable_steady_tick(tick);
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
