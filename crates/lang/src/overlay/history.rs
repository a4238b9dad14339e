//! The changes that overlays made to a game, in order.

use super::path::Path;
use crate::yaml::Node;
use wyrmgate_base::diagnostic::Span;

/// All changes that made a ruleset out of a game.
#[derive(Debug, Clone, Default)]
pub struct History {
    /// The overlays by name, in the order they lie on the game.
    pub overlays: Vec<String>,
    /// In the order they were made.
    pub edits: Vec<Edit>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    Changed,
    Added,
    Removed,
}

/// One thing that one overlay did.
#[derive(Debug, Clone)]
pub struct Edit {
    /// Which overlay of [`History::overlays`].
    pub overlay: usize,
    pub deed: Deed,
    pub path: Path,
    /// Where the overlay says so: the key.
    pub at: Span,
    /// What was there before; nothing if it was added, or an attribute that was not given.
    pub was: Option<Node>,
    /// What is there since; nothing if it was removed.
    pub now: Option<Node>,
}

impl History {
    pub fn is_empty(&self) -> bool {
        self.overlays.is_empty()
    }

    /// The edits that made what stands at a path what it is: those of it, around it and inside it.
    pub fn of<'h>(&'h self, path: &'h Path) -> impl Iterator<Item = &'h Edit> {
        self.edits
            .iter()
            .filter(move |edit| edit.path.overlaps(path))
    }

    pub fn overlay(&self, edit: &Edit) -> &str {
        self.overlays.get(edit.overlay).map_or("", String::as_str)
    }
}

impl Edit {
    /// Only what the ruleset is called: every overlay may say so.
    pub fn is_title(&self) -> bool {
        matches!(self.path.0.as_slice(), [key] if key == "title" || key == "about")
    }
}
