//! Renames a name everywhere.

use super::carry::carried;
use super::index::{DeclaredName, NamedThing};
use super::project::Project;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::load::{is_clause, is_identifier};

/// Why a name cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RenameError {
    #[error("there is no name of the game here")]
    Nothing,
    #[error("an effect of several words cannot be renamed")]
    SeveralWords,
    #[error(
        "`{0}` is not a valid name: use lowercase letters, digits and `_`, or `ABC-01` for a clause"
    )]
    BadName(String),
    #[error("this is the plural, which ends with `s`: `{0}s`")]
    NoPlural(String),
    #[error("fix the errors first: {0}")]
    Errors(String),
    #[error("this name would cause an error: {0}")]
    WouldBreak(String),
}

/// Returns where a name is declared, used, and part of an id or a path, also in other files.
pub fn mentions(project: &Project, at: Span) -> Vec<Span> {
    let index = project.index();
    let Some(found) = index.at(at) else {
        return Vec::new();
    };
    let first = found.declared.first();
    let carried = first.map_or(Vec::new(), |first| carried(project, first, "_"));
    let mentions = index.mentions(&found).into_iter().map(|(span, _)| span);
    let mut spans: Vec<Span> = mentions
        .chain(carried.into_iter().map(|(span, _)| span))
        .collect();
    spans.sort();
    spans.dedup();
    spans
}

/// Returns the places that change, in rules, overlays and scenarios, with their new texts. Refuses a rename that would
/// make the rules wrong.
pub fn rename(project: &Project, at: Span, new: &str) -> Result<Vec<(Span, String)>, RenameError> {
    if let Some(error) = project.errors().into_iter().next() {
        return Err(RenameError::Errors(error));
    }
    let index = project.index();
    let found = index.at(at).ok_or(RenameError::Nothing)?;
    let first = *found.declared.first().ok_or(RenameError::Nothing)?;
    let is_plural = found.name.strip_suffix('s') == Some(first.name.as_str());
    let new = new_name(first, is_plural, new)?;
    let mentions = index.mentions(&found).into_iter();
    let edits = mentions.map(|(span, name)| {
        // Where the plural is declared, `new` is the plural itself.
        let is_plural = name.strip_suffix('s') == Some(first.name.as_str());
        (span, format!("{new}{}", if is_plural { "s" } else { "" }))
    });
    let mut edits: Vec<(Span, String)> = edits.collect();
    edits.extend(carried(project, first, new));
    edits.sort_by_key(|(span, _)| *span);
    edits.dedup();
    match project.errors_with(&edits).into_iter().next() {
        Some(error) => Err(RenameError::WouldBreak(error)),
        None => Ok(edits),
    }
}

/// Returns the new name of a declaration, in the singular, or why it cannot have this name.
fn new_name<'n>(
    declared: &DeclaredName,
    is_plural: bool,
    written: &'n str,
) -> Result<&'n str, RenameError> {
    if declared.name.contains(' ') {
        return Err(RenameError::SeveralWords);
    }
    let singular = match is_plural {
        false => Some(written),
        true => written.strip_suffix('s'),
    };
    let new = singular.ok_or_else(|| RenameError::NoPlural(written.to_owned()))?;
    let is_good = match declared.what == NamedThing::Clause {
        true => is_clause(new),
        false => is_identifier(new),
    };
    match is_good {
        true => Ok(new),
        false => Err(RenameError::BadName(new.to_owned())),
    }
}
