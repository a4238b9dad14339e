//! Writes the short forms of overlays and games in full: keys that are paths, and values in place of maps.

use super::applier::pinned;
use super::path::segments;
use super::place::Place;
use crate::yaml::{Node, NodeKind, Scalar};

/// Expands a short form to a map, so that attributes can be added.
pub(super) fn lengthen(node: &mut Node, place: Place) {
    let (Some(key), NodeKind::Scalar(scalar)) = (place.short_for(), &node.kind) else {
        return;
    };
    let key = Scalar {
        text: key.into(),
        ..scalar.clone()
    };
    let short = node.clone();
    node.kind = NodeKind::Map([(key, short)].into_iter().collect());
}

/// Expands keys that are paths (`data.length: 6`) to nested maps, at every level above values.
pub(super) fn unfolded(game: Option<&Node>, patch: &Node, place: Place) -> Node {
    let NodeKind::Map(entries) = &patch.kind else {
        return patch.clone();
    };
    if matches!(place, Place::Texts | Place::Code(_)) {
        return patch.clone(); // their full stops separate nothing
    }
    let nothing = Node::empty_map(patch.span);
    let unfold = |(key, value): &(Scalar, Node)| {
        let mut keys = keys_of(game.unwrap_or(&nothing), key);
        let (mut inside, mut child) = (game, place);
        for key in &keys {
            child = child.inside(inside, &key.text);
            inside = inside.and_then(|node| node.member(&key.text));
        }
        let value = match child != Place::Value && pinned(value).is_none() {
            true => unfolded(inside, value, child),
            false => value.clone(),
        };
        let first = if keys.is_empty() {
            key.clone()
        } else {
            keys.remove(0)
        };
        let inner = keys.into_iter().rev().fold(value, |inner, key| {
            let span = key.span;
            Node::new(NodeKind::Map([(key, inner)].into_iter().collect()), span)
        });
        (first, inner)
    };
    Node::new(
        NodeKind::Map(entries.iter().map(unfold).collect()),
        patch.span,
    )
}

/// Returns the keys of a written path, each with its location.
pub(super) fn keys_of(tree: &Node, written: &Scalar) -> Vec<Scalar> {
    let keys = segments(tree, &written.text).into_iter();
    keys.map(|(start, end)| Scalar {
        text: written.text.get(start..end).unwrap_or_default().into(),
        span: written.positions.span(start, end),
        positions: written.positions.after(start),
        is_plain: written.is_plain,
    })
    .collect()
}
