//! Editor support for rules: diagnostics, completion, hover, definitions, references and rename.
//!
//! Answers are computed from the buffers of the editor, saved or not. `cli/lsp` implements the protocol.
//!
//! ```text
//! buffers ─ project.rs ─▶ sources, definition, report ─ index.rs ─▶ names: declared where, used where
//! position ─ place.rs ─▶ a key, a value or code ─▶ complete.rs, hover.rs, rename.rs
//! ```

mod carry;
mod classes;
mod complete;
mod completion;
mod declare;
mod hover;
mod index;
mod locals;
mod place;
mod position;
mod project;
mod rank;
mod rename;
mod scope;
mod texts;
mod uses;
mod ways;
mod words;

pub use classes::{Class, Classified, classes};
pub use complete::complete;
pub use completion::{Completion, CompletionKind};
pub use hover::hover;
pub use index::{DeclaredName, NameIndex, NameUse, NamedThing};
pub use place::{CursorContext, place};
pub use position::{EditorPosition, LineStarts};
pub use project::Project;
pub use rename::{RenameError, mentions, rename};
pub use texts::ProjectTexts;
pub use words::signature;
