//! A completion.

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
