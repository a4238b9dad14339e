//! Diagnostics for authors of games: one sentence, the exact source text, and advice.
//!
//! Every stage of the compiler (`lang`, `check`) reports [`Diagnostic`]s into one [`Report`], so that an author sees
//! all problems of a ruleset at once. Rendering uses the [`Sources`]; diagnostics do not.

mod gather;
mod guess;
mod render;
mod report;
mod source;

pub use guess::{did_you_mean, meant_or, misspelled, numbered_like};
pub use render::{Place, RenderedProblem, excerpt, place};
pub use report::{PROBLEMS_MAX, Report};
pub use source::{FileId, Sources, unix_text};

use serde::Serialize;

/// A range of bytes in one source file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Span {
    pub file: FileId,
    pub start: u32,
    pub end: u32,
}

impl Span {
    /// The span of anything without a place in a file.
    pub const NOWHERE: Span = Span {
        file: FileId(u16::MAX),
        start: 0,
        end: 0,
    };

    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        Span {
            file,
            start: start as u32,
            end: end as u32,
        }
    }

    /// Returns the place before its first byte.
    pub fn beginning(self) -> Span {
        Span {
            end: self.start,
            ..self
        }
    }

    /// Returns the smallest range that covers both; they must be in one file.
    pub fn to(self, other: Span) -> Span {
        Span {
            file: self.file,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// Returns whether the other lies within this one.
    pub fn covers(self, other: Span) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Error,
    Warning,
}

/// One problem. `code` is stable and kebab-case (`unknown-name`); `message` is one lowercase sentence without a final
/// period, with the author's words in backticks; `help` says what to do.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    pub code: &'static str,
    pub severity: Severity,
    pub message: String,
    pub span: Span,
    /// The text below the marked characters; may be empty.
    pub label: String,
    /// Other places that explain this one ("first set here").
    pub related: Vec<(Span, String)>,
    pub help: Option<String>,
    /// Additional notes, one sentence each.
    pub notes: Vec<String>,
    /// The unknown name, if that is the problem: further places of it add nothing.
    pub unknown: Option<String>,
    /// The change that `help` proposes, if it is known exactly.
    pub repair: Option<Repair>,
}

/// A change of a source: this text in place of these characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Repair {
    pub span: Span,
    pub text: String,
}

impl Diagnostic {
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            severity: Severity::Error,
            message: message.into(),
            span,
            label: String::new(),
            related: Vec::new(),
            help: None,
            notes: Vec::new(),
            unknown: None,
            repair: None,
        }
    }

    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            severity: Severity::Warning,
            ..Self::error(code, span, message)
        }
    }

    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    pub fn unknown(mut self, name: impl Into<String>) -> Self {
        self.unknown = Some(name.into());
        self
    }

    pub fn repair(mut self, span: Span, text: impl Into<String>) -> Self {
        let text = text.into();
        self.repair = Some(Repair { span, text });
        self
    }

    /// Adds the name meant as a repair if `help` asks "did you mean `this`?" and no other repair is known.
    fn with_the_name_meant(mut self) -> Self {
        let help = self.help.as_deref().unwrap_or_default();
        let meant = help.strip_prefix("did you mean `").and_then(word);
        let length = self.span.end.saturating_sub(self.span.start) as usize;
        let said = self.message.split('`').nth(1);
        if let (None, Some(meant), Some(said)) = (&self.repair, meant, said)
            && said.len() == length
            && is_word(said)
        {
            let text = meant.to_owned();
            self.repair = Some(Repair {
                span: self.span,
                text,
            });
        }
        self
    }

    pub fn related(mut self, span: Span, what: impl Into<String>) -> Self {
        self.related.push((span, what.into()));
        self
    }
}

/// Returns the word that ends at a backtick.
fn word(quoted: &str) -> Option<&str> {
    let (word, _) = quoted.split_once('`')?;
    is_word(word).then_some(word)
}

fn is_word(text: &str) -> bool {
    let letters = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    !text.is_empty() && text.chars().all(letters)
}
