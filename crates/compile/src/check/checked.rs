//! A definition without errors.

use std::sync::Arc;

use super::option::OptionFact;
use wyrmgate_lang::definition::Definition;
use wyrmgate_program::Texts;

/// A definition that compiles without problems, and what a session may configure.
#[derive(Debug, Clone)]
pub struct Checked {
    pub definition: Arc<Definition>,
    /// The possible numbers of seats, ascending.
    pub seats: Vec<usize>,
    pub options: Vec<OptionFact>,
    /// Tags of the languages of its texts, beginning with that of the rules.
    pub languages: Vec<String>,
    pub texts: Texts,
}
