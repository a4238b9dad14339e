//! Accessors, changes and descriptions of trees.

use super::{Map, Node, NodeKind, Scalar};
use wyrmgate_base::diagnostic::Span;

/// The maximum length of a value in messages, in characters.
const WORDS_MAX: usize = 48;

impl Node {
    pub fn empty_map(span: Span) -> Node {
        Node::new(NodeKind::Map(Map::default()), span)
    }

    /// Describes its shape for messages.
    pub fn shape(&self) -> &'static str {
        match &self.kind {
            NodeKind::Scalar(scalar) if scalar.is_missing() => "nothing",
            NodeKind::Scalar(_) => "a single value",
            NodeKind::List(_) => "a list",
            NodeKind::Map(_) => "a map",
        }
    }

    // ---- looking

    /// Returns the decoded text of a scalar.
    pub fn text(&self) -> Option<&str> {
        match &self.kind {
            NodeKind::Scalar(scalar) => Some(&scalar.text),
            NodeKind::List(_) | NodeKind::Map(_) => None,
        }
    }

    /// Returns whether the value is missing (`key:` without a value).
    pub fn is_missing(&self) -> bool {
        matches!(&self.kind, NodeKind::Scalar(scalar) if scalar.is_missing())
    }

    /// Returns the entries of a map; none for anything else.
    pub fn entries(&self) -> impl Iterator<Item = (&Scalar, &Node)> {
        let entries: &[(Scalar, Node)] = match &self.kind {
            NodeKind::Map(entries) => entries,
            NodeKind::Scalar(_) | NodeKind::List(_) => &[],
        };
        entries.iter().map(|(key, node)| (key, node))
    }

    /// Returns the members of a list; a single value is the only member.
    pub fn members(&self) -> &[Node] {
        match &self.kind {
            NodeKind::List(members) => members,
            NodeKind::Scalar(_) | NodeKind::Map(_) => std::slice::from_ref(self),
        }
    }

    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.entries().map(|(key, _)| &*key.text)
    }

    pub fn entry(&self, key: &str) -> Option<(&Scalar, &Node)> {
        match &self.kind {
            NodeKind::Map(entries) => entries.find(key).map(|(key, node)| (key, node)),
            NodeKind::Scalar(_) | NodeKind::List(_) => None,
        }
    }

    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|(_, node)| node)
    }

    /// Returns the value of this key, or the member of a list with this text or this number: `[2]`.
    pub fn member(&self, key: &str) -> Option<&Node> {
        match &self.kind {
            NodeKind::List(members) => {
                let number = key.strip_prefix('[').and_then(|key| key.strip_suffix(']'));
                match number.and_then(|number| number.parse::<usize>().ok()) {
                    Some(number) => members.get(number.checked_sub(1)?),
                    None => members.iter().find(|node| node.text() == Some(key)),
                }
            }
            NodeKind::Scalar(_) | NodeKind::Map(_) => self.get(key),
        }
    }

    /// Returns whether both have the same keys in any order, the same members and the same text, however they are
    /// written.
    pub fn says_the_same(&self, other: &Node) -> bool {
        match (&self.kind, &other.kind) {
            (NodeKind::Scalar(one), NodeKind::Scalar(two)) => {
                one.text.trim_end() == two.text.trim_end()
            }
            (NodeKind::List(one), NodeKind::List(two)) => {
                one.len() == two.len() && one.iter().zip(two).all(|(a, b)| a.says_the_same(b))
            }
            (NodeKind::Map(one), NodeKind::Map(two)) => {
                let has = |key: &Scalar, node: &Node| {
                    other
                        .get(&key.text)
                        .is_some_and(|other| node.says_the_same(other))
                };
                one.len() == two.len() && one.iter().all(|(key, node)| has(key, node))
            }
            _ => false,
        }
    }

    /// Returns whether a span lies within this node.
    pub fn covers(&self, span: Span) -> bool {
        self.span.covers(span)
            || match &self.kind {
                NodeKind::Scalar(_) => false,
                NodeKind::List(members) => members.iter().any(|node| node.covers(span)),
                NodeKind::Map(entries) => {
                    let mut entries = entries.iter();
                    entries.any(|(key, node)| key.span.covers(span) || node.covers(span))
                }
            }
    }

    /// Returns one short line: `6`, `[a, b]`, `{each: seats, …}`.
    pub fn in_words(&self) -> String {
        let line = self.in_line();
        if line.chars().count() <= WORDS_MAX {
            return format!("`{line}`");
        }
        let head: String = line.chars().take(WORDS_MAX).collect();
        format!("`{}…`", head.trim_end())
    }

    fn in_line(&self) -> String {
        let joined = |parts: Vec<String>| parts.join(", ");
        match &self.kind {
            NodeKind::Scalar(scalar) => {
                let words: Vec<&str> = scalar.text.split_whitespace().collect();
                words.join(" ")
            }
            NodeKind::List(members) => {
                format!("[{}]", joined(members.iter().map(Node::in_line).collect()))
            }
            NodeKind::Map(entries) => {
                let entry =
                    |(key, node): &(Scalar, Node)| format!("{}: {}", key.text, node.in_line());
                format!("{{{}}}", joined(entries.iter().map(entry).collect()))
            }
        }
    }

    // ---- changing

    pub fn get_mut(&mut self, key: &str) -> Option<&mut Node> {
        match &mut self.kind {
            NodeKind::Map(entries) => entries.find_mut(key),
            NodeKind::Scalar(_) | NodeKind::List(_) => None,
        }
    }

    /// Replaces the value of the key, or appends.
    pub fn put(&mut self, key: Scalar, value: Node) {
        if let NodeKind::Map(entries) = &mut self.kind {
            entries.put((key, value));
        }
    }

    /// Appends an entry, even if there is one with this key.
    pub fn push(&mut self, key: Scalar, value: Node) {
        if let NodeKind::Map(entries) = &mut self.kind {
            entries.push((key, value));
        }
    }

    /// Frees the places of removed entries, here and below.
    pub fn sweep(&mut self) {
        match &mut self.kind {
            NodeKind::Map(entries) => {
                entries.sweep();
                entries.iter_mut().for_each(|(_, node)| node.sweep());
            }
            NodeKind::List(members) => members.iter_mut().for_each(Node::sweep),
            NodeKind::Scalar(_) => {}
        }
    }

    /// Removes the value of a key, or the member of a list with this text. See [`Map::take`].
    pub fn take(&mut self, key: &str) -> Option<Node> {
        match &mut self.kind {
            NodeKind::Map(entries) => entries.take(key),
            NodeKind::List(members) => {
                let at = members.iter().position(|node| node.text() == Some(key))?;
                Some(members.remove(at))
            }
            NodeKind::Scalar(_) => None,
        }
    }
}
