//! What applies an overlay to the tree of a game.

use super::history::History;
use crate::yaml::{Node, NodeKind};
use wyrmgate_base::diagnostic::Report;

/// Applies one overlay to a game.
pub(super) struct Applier<'a> {
    /// Its number in the history.
    pub overlay: usize,
    /// The overlays for which it was written.
    pub known: &'a [String],
    pub history: &'a mut History,
    pub report: &'a mut Report,
    /// The number of names compared with new ones.
    pub compared: usize,
}

/// `{was: …, now: …}`
pub(super) fn pinned(value: &Node) -> Option<(&Node, &Node)> {
    match &value.kind {
        NodeKind::Map(entries) if entries.len() == 2 => value.get("was").zip(value.get("now")),
        _ => None,
    }
}
