//! Tools for authors of rules: rules folders, scenarios, schemas, formatter, language server, rulebooks, mutation
//! tests.

pub mod brief;
pub mod debugger;
pub mod desk;
pub mod editor;
pub mod format;
mod interface_words;
pub mod mutate;
pub mod picture;
pub mod rulebook;
pub mod rules;
pub mod scenario;
pub mod schema;
