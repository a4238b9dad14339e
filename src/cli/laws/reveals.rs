//! Deliberate disclosures: each `revealed(…)` with its place, its number of evaluations, and whether it was needed.

use serde_json::{Value, json};

use super::super::explain::place;
use super::super::stopped::placed;
use crate::cli::laws::args::Asked;
use crate::diagnostic::Span;
use crate::laws::{Compared, Revealed};

/// Number of evaluations without a difference after which a disclosure is probably not needed.
const USED_ENOUGH: u64 = 200;

/// The disclosures by place, over all settings of a game.
#[derive(Default)]
pub struct RevealedLines {
    rows: Vec<(Span, Revealed)>,
}

impl RevealedLines {
    pub fn add(&mut self, rows: &[(Span, Revealed)]) {
        for (span, revealed) in rows {
            match self.rows.iter_mut().find(|(known, _)| known == span) {
                Some((_, sum)) => sum.add(*revealed),
                None => self.rows.push((*span, *revealed)),
            }
        }
    }

    /// Returns the lines of the report, or none if the law was not checked.
    pub fn lines(&self, asked: &Asked, compared: &Compared) -> Vec<String> {
        if self.rows.is_empty() || compared.pairs == 0 {
            return Vec::new();
        }
        let mut lines = vec!["  revealed deliberately:".to_owned()];
        for (span, revealed) in &self.rows {
            let at = place(&asked.ruleset.sources, *span);
            let Revealed { used, told_apart } = revealed;
            lines.push(format!(
                "    {at}: evaluated {used} times, distinguished worlds {told_apart} times"
            ));
            if let Some(warning) = warning(*revealed) {
                lines.push(format!("      WARNING {warning}"));
            }
        }
        lines
    }

    pub fn json(&self, asked: &Asked, compared: &Compared) -> Value {
        let rows = self.rows.iter().map(|(span, revealed)| {
            let more = json!({
                "used": revealed.used,
                "told_apart": revealed.told_apart,
                "warning": warning(*revealed).filter(|_| compared.pairs > 0),
            });
            placed(*span, &asked.ruleset.sources, more)
        });
        rows.collect()
    }
}

fn warning(revealed: Revealed) -> Option<&'static str> {
    match revealed {
        Revealed { used: 0, .. } => Some("no game reached it"),
        Revealed {
            used,
            told_apart: 0,
        } if used >= USED_ENOUGH => Some(
            "not needed in these games: its value was the same in all worlds; write the value alone if it never depends on what is hidden",
        ),
        _ => None,
    }
}
