//! Paths in the tree of a game: `components.card.kinds.gust.copies`.

use std::fmt;

use super::place::Place;
use crate::yaml::{Node, NodeKind};

/// Keys from the root down. The last one may be a member of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Path(pub Vec<String>);

impl Path {
    /// Parses a path. A key of the tree may contain a dot: the longest matching key wins.
    pub fn parse(tree: &Node, text: &str) -> Path {
        let lengths = segments(tree, text);
        Path(
            lengths
                .into_iter()
                .map(|(start, end)| part(text, start, end))
                .collect(),
        )
    }

    pub fn below(&self, key: &str) -> Path {
        let mut keys = self.0.clone();
        keys.push(key.to_owned());
        Path(keys)
    }

    /// Returns the path behind another one.
    pub(super) fn under(&self, above: &Path) -> Path {
        Path(above.0.iter().chain(&self.0).cloned().collect())
    }

    /// Returns what stands there in the tree of a game.
    pub(super) fn place(&self) -> Place {
        let keys = self.0.iter();
        keys.fold(Place::Root, |place, key| place.below(key))
    }

    pub fn last(&self) -> &str {
        self.0.last().map_or("", String::as_str)
    }

    /// Returns whether one is the other, or encloses it.
    pub fn overlaps(&self, other: &Path) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a == b)
    }

    pub fn starts_with(&self, other: &Path) -> bool {
        self.0.starts_with(&other.0)
    }

    /// Returns the node at the path.
    pub fn find<'n>(&self, tree: &'n Node) -> Option<&'n Node> {
        self.0.iter().try_fold(tree, |node, key| node.member(key))
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(".").replace(".[", "["))
    }
}

fn part(text: &str, start: usize, end: usize) -> String {
    text.get(start..end).unwrap_or_default().to_owned()
}

/// Returns where each key of a written path begins and ends.
pub(super) fn segments(tree: &Node, text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut node = Some(tree);
    let mut start = 0;
    while start <= text.len() {
        let rest = text.get(start..).unwrap_or_default();
        let known = node.and_then(|node| longest_key(node, rest));
        let is_text = node.is_some_and(|node| matches!(node.kind, NodeKind::Scalar(_)));
        let next = rest.find('.').filter(|_| !is_text); // a statement in a text may contain one
        let length = known.unwrap_or_else(|| next.unwrap_or(rest.len()));
        let key = rest.get(..length).unwrap_or_default();
        node = node.and_then(|node| node.member(key));
        found.push((start, start + length));
        start += length + 1; // the full stop
    }
    found
}

/// Returns the length of the longest key with which the rest of a path begins.
fn longest_key(node: &Node, rest: &str) -> Option<usize> {
    let NodeKind::Map(entries) = &node.kind else {
        return None;
    };
    let stops = rest.match_indices('.').map(|(at, _)| at);
    let mut lengths = std::iter::once(rest.len()).chain(stops.rev());
    lengths.find(|length| {
        let key = rest.get(..*length);
        key.is_some_and(|key| entries.find(key).is_some())
    })
}
