//! What an editor asks about rules: what is wrong, what could stand here, what this is and where it comes from.
//!
//! Answers are made from the texts as they stand in the editor, saved or not. No protocol here: `cli/lsp` speaks it.
//!
//! ```text
//! buffers ─ project.rs ─▶ sources, definition, report ─ index.rs ─▶ names: declared where, used where
//! position ─ place.rs ─▶ a key, a value or code ─▶ complete.rs, hover.rs, rename.rs
//! ```

mod carry;
mod complete;
mod declare;
mod hover;
mod index;
mod locals;
mod place;
mod position;
mod project;
mod rename;
mod scope;
mod uses;
mod words;

pub use complete::{Completion, CompletionKind, complete};
pub use hover::hover;
pub use index::{Declared, Index, Use, What};
pub use place::{Place, place};
pub use position::{Lines, Position};
pub use project::Project;
pub use rename::{RenameError, rename};
