//! What is quoted of rules where they forbid something: the sentence, and where it stands.

use std::fmt;

/// A numbered sentence of the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    pub id: String,
    /// By language; the one of the rules first.
    pub texts: Vec<(String, String)>,
}

/// A place in the rules; the file is relative to the rules folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub file: String,
    pub line: usize,
    pub column: usize,
}

/// `my-game/game.yaml:26:22`
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}
