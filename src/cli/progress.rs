//! Progress bars on standard error, hidden unless that is a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// Returns a bar for a number of units, such as games.
pub fn progress_bar(count: u64, unit: &str) -> ProgressBar {
    let bar = ProgressBar::new(count);
    let template = format!("{{bar:30}} {{pos}}/{{len}} {unit}, {{per_sec}}, {{eta}} left  {{msg}}");
    match ProgressStyle::with_template(&template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
