//! The changes that overlays made to a game, in order.

use super::path::Path;
use crate::yaml::Node;
use wyrmgate_base::diagnostic::{Diagnostic, Report, Sources, Span};

/// All changes that led from a game to a ruleset.
#[derive(Debug, Clone, Default)]
pub struct History {
    /// The overlays by name, in the order in which they are applied.
    pub overlays: Vec<String>,
    /// The edits, in the order in which they were made.
    pub edits: Vec<Edit>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditKind {
    Changed,
    Added,
    Removed,
}

/// One change by one overlay.
#[derive(Debug, Clone)]
pub struct Edit {
    /// Index in [`History::overlays`].
    pub overlay: usize,
    pub kind: EditKind,
    pub path: Path,
    /// The location in the overlay: the key.
    pub at: Span,
    /// The previous value; none if it was added, or an attribute that was missing.
    pub was: Option<Node>,
    /// The new value; none if it was removed.
    pub now: Option<Node>,
}

impl History {
    pub fn is_empty(&self) -> bool {
        self.overlays.is_empty()
    }

    /// Returns the edits that led to the value at a path: those of it, around it and inside it.
    pub fn of<'h>(&'h self, path: &'h Path) -> impl Iterator<Item = &'h Edit> {
        self.edits
            .iter()
            .filter(move |edit| edit.path.overlaps(path))
    }

    /// Warns of removals after which no rule cites a clause any more.
    pub(crate) fn warn_uncited(&self, game: &Node, report: &mut Report) {
        let is_rule = |key: &str| !["clauses", "translations"].contains(&key);
        let rules = game.entries().filter(|(key, _)| is_rule(&key.text));
        let rules: String = rules.map(|(_, node)| node.to_yaml()).collect();
        let of_word = |c: char| c.is_alphanumeric() || c == '-';
        let cites = |text: &str, id: &str| text.split(|c| !of_word(c)).any(|word| word == id);
        let clauses = game.get("clauses").into_iter().flat_map(Node::keys);
        for id in clauses.filter(|id| !cites(&rules, id)) {
            let removed = self
                .edits
                .iter()
                .filter(|edit| edit.kind == EditKind::Removed);
            let mut was = removed.filter_map(|edit| Some((edit, edit.was.as_ref()?.to_yaml())));
            if let Some((edit, _)) = was.find(|(_, was)| cites(was, id)) {
                let message = format!("no rule cites `{id}` any more");
                let help = format!("cite it elsewhere, or remove `clauses.{id}` too");
                report.push(Diagnostic::warning("uncited", edit.at, message).help(help));
            }
        }
    }

    pub fn overlay(&self, edit: &Edit) -> &str {
        self.overlays.get(edit.overlay).map_or("", String::as_str)
    }
}

impl Edit {
    /// Returns the new value with the one for which the overlay was written, `{was: 8, now: 6}`, and what it replaces, if
    /// both are short and the overlay does not state the old one.
    pub fn pinned(&self, sources: &Sources) -> Option<(Span, String)> {
        let (was, now) = (self.was.as_ref()?, self.now.as_ref()?);
        let written = sources
            .get(self.at.file)?
            .text
            .get(self.at.end as usize..now.span.start as usize)?;
        if self.kind != EditKind::Changed || self.is_title() || written.contains("was:") {
            return None;
        }
        let text = format!("{{was: {}, now: {}}}", was.in_flow()?, now.in_flow()?);
        Some((now.span, text))
    }

    /// Returns whether it only changes the title of the ruleset, which every overlay may do.
    pub fn is_title(&self) -> bool {
        matches!(self.path.0.as_slice(), [key] if key == "title" || key == "about")
    }
}
