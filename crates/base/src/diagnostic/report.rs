//! All problems of a ruleset, each once, up to a limit.

use std::collections::HashMap;
use std::hash::BuildHasher;

use super::{Diagnostic, Severity, Span};

/// The maximum number of problems reported for a ruleset; the others are only counted.
pub const PROBLEMS_MAX: usize = 200;

/// The number of problems after which the checker stops. Some of them are merged later, so it is larger than
/// [`PROBLEMS_MAX`].
const PROBLEMS_ENOUGH: usize = 2 * PROBLEMS_MAX;

/// All problems of a ruleset, in the order found.
#[derive(Debug, Clone, Default)]
pub struct Report {
    pub diagnostics: Vec<Diagnostic>,
    /// Positions in `diagnostics` by hash, to find repetitions without comparing all of them. A position may be
    /// outdated after `diagnostics` were changed, so it is verified before use.
    positions: HashMap<u64, Vec<usize>, foldhash::fast::RandomState>,
}

impl PartialEq for Report {
    fn eq(&self, other: &Report) -> bool {
        self.diagnostics == other.diagnostics
    }
}

impl Eq for Report {}

impl From<Vec<Diagnostic>> for Report {
    fn from(diagnostics: Vec<Diagnostic>) -> Report {
        let mut report = Report {
            diagnostics,
            ..Report::default()
        };
        report.index();
        report
    }
}

impl Report {
    /// Adds an error with advice.
    pub fn error(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.push(Diagnostic::error(code, span, message).help(help));
    }

    /// Adds a problem. The same problem is reported only once.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let diagnostic = diagnostic.with_the_name_meant();
        let hash = self.positions.hasher().hash_one(&diagnostic);
        let positions = self.positions.entry(hash).or_default();
        let is_known = |at: &usize| self.diagnostics.get(*at) == Some(&diagnostic);
        if !positions.iter().any(is_known) {
            positions.push(self.diagnostics.len());
            self.diagnostics.push(diagnostic);
        }
    }

    pub fn has_errors(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|d| d.severity == Severity::Error)
    }

    /// Returns whether there are too many problems for more to help. Code that skips work for this reason has reported
    /// an error, so nothing passes unchecked.
    pub fn is_full(&self) -> bool {
        self.diagnostics.len() >= PROBLEMS_ENOUGH && self.has_errors()
    }

    /// Keeps the first [`PROBLEMS_MAX`] problems and counts the others: nobody reads thousands, and rendering them
    /// takes long.
    pub fn shorten(&mut self) {
        let more = self.diagnostics.len().saturating_sub(PROBLEMS_MAX);
        let Some(next) = self.diagnostics.get(PROBLEMS_MAX).map(|d| d.span) else {
            return;
        };
        let rest = self.diagnostics.get(PROBLEMS_MAX..).unwrap_or_default();
        let has_errors = rest.iter().any(|d| d.severity == Severity::Error);
        let (message, help) = (
            format!("there are {more} more problems"),
            "fix the others first",
        );
        self.diagnostics.truncate(PROBLEMS_MAX);
        let rest = match has_errors {
            true => Diagnostic::error("more-problems", next, message),
            false => Diagnostic::warning("more-problems", next, message),
        };
        self.push(rest.help(help));
    }

    /// Rebuilds the index after `diagnostics` were rearranged.
    pub fn index(&mut self) {
        self.positions.clear();
        for (at, diagnostic) in self.diagnostics.iter().enumerate() {
            let hash = self.positions.hasher().hash_one(diagnostic);
            self.positions.entry(hash).or_default().push(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{FileId, Span};

    fn problem(at: usize) -> Diagnostic {
        Diagnostic::error("unused", Span::new(FileId(0), at, at + 1), "message")
    }

    #[test]
    fn the_same_problem_is_reported_once() {
        let mut report = Report::default();
        report.push(problem(1));
        report.push(problem(2));
        report.push(problem(1));
        assert_eq!(report.diagnostics.len(), 2);
        report.diagnostics.truncate(1);
        report.push(problem(2));
        assert_eq!(report, Report::from(vec![problem(1), problem(2)]));
    }

    #[test]
    fn of_many_problems_the_first_are_kept() {
        let mut report = Report::from((0..PROBLEMS_MAX + 3).map(problem).collect::<Vec<_>>());
        report.shorten();
        assert_eq!(report.diagnostics.len(), PROBLEMS_MAX + 1);
        let last = report.diagnostics.last().unwrap();
        assert_eq!(last.message, "there are 3 more problems");
    }
}
