//! The formatter of `wyrmgate fmt` and of editors.
//!
//! The author decides where lines end. The formatter decides on indentation, spaces between words and the position of
//! comments, and keeps columns that the author has aligned. It never changes keys, texts, statements, comments or their
//! order, and formatting a second time changes nothing.
//!
//! ```text
//! text ─ pieces.rs (keys, values, code) ─▶ lines.rs (layout) ─▶ align.rs ─▶ text
//!                                                      └ code.rs, words.rs: effect text
//! ```

mod align;
mod code;
mod lines;
mod pieces;
mod same;
mod words;

pub(crate) use words::{CodeToken, WordKind, open_call, tokens};

use crate::schema::File;
use wyrmgate_base::diagnostic::{Diagnostic, FileId, Report, Span, unix_text};
use wyrmgate_lang::yaml::{self, Budget};

/// Returns the text of a file, formatted; or what is wrong with it as YAML. Code that does not parse stays as it is, and
/// lines end as the first one does. A byte order mark is left out.
pub fn format(kind: File, text: &str) -> Result<String, Report> {
    let file = FileId(0);
    let mut report = Report::default();
    let Some(tree) = yaml::parse(file, text, &mut Budget::default(), &mut report) else {
        return Err(report);
    };
    let unix = unix_text(text);
    let pieces = pieces::pieces(kind.shape(), &unix).map_err(|at| refused(file, at))?;
    let formatted = lines::lines(&unix, &pieces).map_err(|at| refused(file, at))?;
    let mut again = Report::default();
    let same = yaml::parse(file, &formatted, &mut Budget::default(), &mut again)
        .is_some_and(|other| same::same(&tree, &other));
    let first = text.split_inclusive('\n').next().unwrap_or_default();
    match same {
        true if first.ends_with("\r\n") => Ok(formatted.replace('\n', "\r\n")),
        true => Ok(formatted),
        false => Err(refused(file, 0)),
    }
}

/// Returns the report for unsupported syntax: documents with directives or explicit keys.
fn refused(file: FileId, at: usize) -> Report {
    let message = "the formatter does not support this";
    let span = Span::new(file, at, at);
    let mut report = Report::default();
    report.push(
        Diagnostic::error("unformatted", span, message)
            .help("use simpler YAML: maps, lists, texts, block scalars"),
    );
    report
}
