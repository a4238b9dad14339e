//! What a command reports: one JSON object for programs, or text for people.

use serde_json::Value;

/// The result of a command in both forms.
pub trait CommandReport {
    fn json(&self) -> Value;

    /// Returns whole lines.
    fn text(&self) -> String;

    /// Prints the report on standard output.
    fn print(&self, json: bool) {
        match json {
            true => say!("{}", self.json()),
            false => say_inline!("{}", self.text()),
        }
    }
}
