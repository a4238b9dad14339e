//! Searches (`within`, `group`, `border`), and what is kept of them from question to question.

pub(crate) mod discovery;
pub(crate) mod path;
pub(crate) mod search;
pub(crate) mod untouched;
