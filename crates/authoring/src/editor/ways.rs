//! Paths in a game, in an overlay that is being typed: `components.card.co`.

use super::completion::{Completion, CompletionKind, keys_of};
use wyrmgate_lang::keys;
use wyrmgate_lang::overlay::{Path, parts_of};
use wyrmgate_lang::shape::{Naming, Shape};
use wyrmgate_lang::yaml::{Node, NodeKind};

/// A path whose last key is being typed.
pub struct OpenWay<'t> {
    tree: &'t Node,
    /// The keys that are complete.
    keys: Path,
    /// What is there of the last one.
    pub open: String,
}

impl<'t> OpenWay<'t> {
    /// Returns the path that consists of the keys above and of what is written.
    pub fn of(tree: &'t Node, above: &[String], written: &str) -> OpenWay<'t> {
        let way: String = above.iter().flat_map(|key| [key.as_str(), "."]).collect();
        let mut keys = Path::parse(tree, &format!("{way}{written}"));
        let open = keys.0.pop().unwrap_or_default();
        OpenWay { tree, keys, open }
    }

    fn shape(&self) -> Option<Shape> {
        let mut keys = self.keys.0.iter();
        keys.try_fold(Shape::Map(&keys::GAME), |shape, key| shape.behind(key))
    }

    /// Returns the keys that can follow: those that the game has, and those that the language knows. Where something is
    /// added, what is missing comes first. `None` for the keys of handlers.
    pub fn completions(&self, is_added: bool) -> Option<Vec<Completion>> {
        let section = self.shape().and_then(Shape::section);
        if section.is_some_and(|section| section.keys == Naming::Handler) {
            return None;
        }
        let node = self.keys.find(self.tree);
        if let Some(text) = node.and_then(Node::text) {
            return Some(self.parts(text));
        }
        let present = node.map_or(Vec::new(), |node| node.entries().collect());
        let known = self.shape().map_or(Vec::new(), Shape::tables);
        let known = known.into_iter().flat_map(keys_of);
        let missing = known.filter(|one| present.iter().all(|(key, _)| *key.text != *one.label));
        let missing: Vec<Completion> = missing.collect();
        let mut found: Vec<Completion> = present
            .iter()
            .map(|(key, node)| entry(&key.text, node))
            .collect();
        let at = if is_added { 0 } else { found.len() };
        found.splice(at..at, missing);
        Some(found)
    }

    /// Returns the parts of an effect or a query.
    fn parts(&self, text: &str) -> Vec<Completion> {
        let is_effect = self
            .shape()
            .is_some_and(|shape| matches!(shape.scalar(), Shape::Effect));
        let names = parts_of(text, is_effect).into_iter();
        let about = "a part of the text";
        let names = names.map(|name| Completion::new(&name, CompletionKind::Effect, "", about));
        names.collect()
    }
}

fn entry(key: &str, node: &Node) -> Completion {
    let kind = match node.kind {
        NodeKind::Scalar(_) => CompletionKind::Key,
        NodeKind::List(_) | NodeKind::Map(_) => CompletionKind::Field,
    };
    Completion::new(key, kind, &node.in_words(), "in the game")
}
