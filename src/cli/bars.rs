//! Histograms in text.

use crate::statistics::{Bar, highest};

/// Maximum length of a bar, in characters.
const LENGTH_MAX: u64 = 40;

/// Returns a line for each bar, with numbers in columns of this width.
pub fn bar_lines(bars: &[Bar], wide: usize) -> impl Iterator<Item = String> {
    let (most, wider) = (highest(bars), wide + 1);
    bars.iter().map(move |Bar { from, to, times }| {
        let bar = "█".repeat((times * LENGTH_MAX).div_ceil(most) as usize);
        format!("  {from:>wide$} to {to:>wide$}  {times:>wider$}  {bar}")
    })
}
