//! Renames a name everywhere.

use super::carry::carried;
use super::index::{Declared, What};
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

/// Returns the places that change, in rules, overlays and scenarios, with their new texts. Refuses a rename that would
/// make the rules wrong.
pub fn rename(project: &Project, at: Span, new: &str) -> Result<Vec<(Span, String)>, RenameError> {
    if let Some(error) = project.errors().into_iter().next() {
        return Err(RenameError::Errors(error));
    }
    let index = project.index();
    let found = index.at(at).filter(|found| !found.declared.is_empty());
    let found = found.ok_or(RenameError::Nothing)?;
    let Some(first) = found.declared.first() else {
        return Err(RenameError::Nothing);
    };
    if first.name.contains(' ') {
        return Err(RenameError::SeveralWords);
    }
    let of_many = found.name.strip_suffix('s') == Some(first.name.as_str());
    let new = match of_many {
        false => new,
        true => new
            .strip_suffix('s')
            .ok_or_else(|| RenameError::NoPlural(new.to_owned()))?,
    };
    let is_good = if first.what == What::Clause {
        is_clause
    } else {
        is_identifier
    };
    if !is_good(new) {
        return Err(RenameError::BadName(new.to_owned()));
    }
    let old = first.name.clone();
    let meant = |declared: &Declared| {
        found
            .declared
            .iter()
            .any(|one| std::ptr::eq(*one, declared))
    };
    let mut edits: Vec<(Span, String)> = Vec::new();
    for declared in index.declared.iter().filter(|declared| meant(declared)) {
        edits.push((declared.span, new.to_owned()));
    }
    for used in &index.uses {
        if index.resolve(used).into_iter().any(meant) {
            // Where the plural is declared, `new` is the plural itself.
            let plural = used.name.len() == old.len() + 1 && used.name.starts_with(&old);
            edits.push((
                used.span,
                if plural {
                    format!("{new}s")
                } else {
                    new.to_owned()
                },
            ));
        }
    }
    edits.extend(carried(project, first, new));
    edits.sort_by_key(|(span, _)| *span);
    edits.dedup();
    match project.errors_with(&edits).into_iter().next() {
        Some(error) => Err(RenameError::WouldBreak(error)),
        None => Ok(edits),
    }
}
