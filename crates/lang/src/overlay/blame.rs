//! Problems of a changed game show both files: what the overlay wrote, and what it replaced in the game.

use super::history::{Edit, EditKind, History};
use wyrmgate_base::diagnostic::{Diagnostic, Report, Sources, Span};

/// The maximum number of other places added to one problem.
const RELATED_MAX: usize = 2;

impl History {
    /// Adds to each problem the change that caused it.
    pub fn annotate(&self, report: &mut Report, sources: &Sources) {
        if self.is_empty() {
            return;
        }
        for problem in &mut report.diagnostics {
            let related = self.related(problem, sources);
            let new = |(span, _): &(Span, String)| {
                *span != problem.span && !problem.related.iter().any(|(known, _)| known == span)
            };
            let related: Vec<_> = related.into_iter().filter(new).take(RELATED_MAX).collect();
            problem.related.extend(related);
            if let Some(help) = self.advice_on_removed(problem) {
                problem.help = Some(help);
                problem.repair = None;
            }
        }
    }

    /// Returns what to do about a name that the rules still have and an overlay removes.
    fn advice_on_removed(&self, problem: &Diagnostic) -> Option<String> {
        let name = problem.unknown.as_deref()?;
        let is_removed = |edit: &&Edit| edit.kind == EditKind::Removed && edit.path.last() == name;
        let removed = &self.edits.iter().find(is_removed)?.path;
        Some(match problem.message.contains(" has no look") {
            true => format!("also remove `look.{name}`"),
            false => {
                format!("also remove or change this, or change `{removed}` instead of removing it")
            }
        })
    }

    fn related(&self, problem: &Diagnostic, sources: &Sources) -> Vec<(Span, String)> {
        let inside = self
            .edits
            .iter()
            .rev()
            .find(|edit| edit.wrote(problem.span));
        if let Some(was) = inside.and_then(|edit| edit.was.as_ref()) {
            return vec![(was.span, "this is what it replaces".to_owned())];
        }
        let words = words_of(problem, sources);
        let elsewhere = self
            .edits
            .iter()
            .rev()
            .filter(|edit| edit.at.file != problem.span.file);
        let named = elsewhere.filter(|edit| edit.is_about(&words));
        named.map(|edit| (edit.at, self.label_of(edit))).collect()
    }

    fn label_of(&self, edit: &Edit) -> String {
        let by = self.overlay(edit);
        match edit.kind {
            EditKind::Changed => format!("`{by}` changes it here"),
            EditKind::Added => format!("`{by}` adds it here"),
            EditKind::Removed => format!("`{by}` removes it here"),
        }
    }
}

impl Edit {
    /// Returns whether the overlay wrote this.
    fn wrote(&self, span: Span) -> bool {
        self.now.as_ref().is_some_and(|now| now.covers(span))
    }

    /// Returns whether a problem with these words may come from this edit.
    fn is_about(&self, words: &[String]) -> bool {
        let named = |name: &str| words.iter().any(|word| word == name);
        let keys: Vec<&str> = self.path.0.iter().map(String::as_str).collect();
        match keys.as_slice() {
            [_, "kinds", ..] => false,
            [.., name] if named(first_word(name)) => true,
            // an attribute of something: `zones.hand.holds`
            [.., name, _] => self.kind != EditKind::Added && named(first_word(name)),
            _ => false,
        }
    }
}

/// Returns `played` for `played(seat p)`.
fn first_word(key: &str) -> &str {
    key.split(['(', ' ']).next().unwrap_or(key)
}

/// Returns the words that a problem concerns: those it quotes, and those at its location.
fn words_of(problem: &Diagnostic, sources: &Sources) -> Vec<String> {
    let quoted = problem.message.split('`').skip(1).step_by(2);
    let text = sources
        .get(problem.span.file)
        .map_or("", |source| &*source.text);
    let marked = text.get(problem.span.start as usize..problem.span.end as usize);
    let words = quoted
        .chain(marked)
        .flat_map(|text| text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')));
    words
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}
