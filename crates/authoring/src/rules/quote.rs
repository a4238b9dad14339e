//! Quotations from rules: a clause and its place.

use std::fmt;

/// A numbered clause of the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    pub id: String,
    /// Texts by language, the language of the rules first.
    pub texts: Vec<(String, String)>,
}

/// A place in the rules. The file is relative to the rules folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesPlace {
    pub file: String,
    pub line: usize,
    pub column: usize,
}

/// Formats as `my-game/game.yaml:26:22`.
impl fmt::Display for RulesPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}
