//! A completion.

use wyrmgate_lang::shape::Table;

/// The kinds, with their numbers in the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompletionKind {
    Key = 10,
    Keyword = 14,
    Function = 3,
    Effect = 2,
    Zone = 9,
    Component = 7,
    Field = 5,
    Value = 12,
    Variable = 6,
    Clause = 18,
}

/// Returns the keys of a table.
pub(super) fn keys_of(table: &Table) -> impl Iterator<Item = Completion> {
    table.keys.iter().map(|key| {
        let detail = format!("{}: {}", key.name, key.example);
        Completion::new(key.name, CompletionKind::Key, &detail, key.about)
    })
}

#[derive(Debug, Clone, PartialEq)]
pub struct Completion {
    pub label: String,
    pub kind: CompletionKind,
    /// How it is written or declared.
    pub detail: String,
    pub about: String,
}

impl Completion {
    pub(super) fn new(label: &str, kind: CompletionKind, detail: &str, about: &str) -> Completion {
        Completion {
            label: label.to_owned(),
            kind,
            detail: detail.to_owned(),
            about: about.to_owned(),
        }
    }
}
