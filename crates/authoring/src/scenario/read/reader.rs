//! Reads nodes of a YAML tree and reports problems with their places.

use std::str::FromStr;

use serde_json::Value;

use crate::scenario::{Located, keys};
use wyrmgate_base::diagnostic::{Diagnostic, FileId, Report, Span, did_you_mean, meant_or};
use wyrmgate_lang::ast::Name;
use wyrmgate_lang::yaml::{Node, NodeKind, Scalar};

/// Returns how the key that is expected, or that stands alone, is written.
fn example_of(wanted: &str, node: &Node) -> Option<String> {
    let text = node.text().filter(|text| !text.is_empty());
    let words = text.filter(|_| wanted == "a step").unwrap_or(wanted);
    let words = words.split([' ', '`', ':', ',']);
    let tables = [&keys::SCENARIO, &keys::GIVEN, &keys::STEP];
    let mut known = words.filter_map(|word| tables.iter().find_map(|table| table.key(word)));
    let key = known.next()?;
    Some(
        match text.filter(|_| key.name == "play" && wanted != "a step") {
            Some(option) => format!("write `play: {{option: {option}}}`"),
            None => format!(
                "write `{}: {}`",
                key.name,
                key.example.trim_start_matches("- ")
            ),
        },
    )
}

pub struct ScenarioReader<'r> {
    pub file: FileId,
    pub report: &'r mut Report,
}

/// A map with known keys.
#[derive(Clone, Copy)]
pub struct ScenarioFields<'n>(&'n [(Scalar, Node)]);

impl<'n> ScenarioFields<'n> {
    pub fn get(self, key: &str) -> Option<&'n Node> {
        let found = self.0.iter().find(|(name, _)| &*name.text == key);
        found.map(|(_, node)| node)
    }

    /// Reads the value of a key, if it is there.
    pub fn one<T>(self, key: &str, read: impl FnOnce(&'n Node) -> Option<T>) -> Option<T> {
        self.get(key).and_then(read)
    }

    /// Reads the members of a key; none if it is missing.
    pub fn all<T: Default>(self, key: &str, read: impl FnOnce(&'n Node) -> T) -> T {
        self.get(key).map(read).unwrap_or_default()
    }

    pub fn iter(self) -> impl Iterator<Item = &'n (Scalar, Node)> {
        self.0.iter()
    }
}

impl ScenarioReader<'_> {
    /// Returns the result of `read`, unless it reported a problem.
    pub fn if_flawless<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let before = self.report.diagnostics.len();
        read(self).filter(|_| self.report.diagnostics.len() == before)
    }

    pub fn misshapen(&mut self, span: Span, message: impl Into<String>, help: &str) {
        self.report.error("wrong-shape", span, message, help);
    }

    pub fn missing(&mut self, span: Span, key: &str, help: &str) {
        self.report
            .error("missing-key", span, format!("missing `{key}`"), help);
    }

    fn wrong_shape(&mut self, node: &Node, wanted: &str) {
        let message = format!("expected {wanted}, found {}", node.shape());
        if let Some(help) = example_of(wanted, node) {
            return self.report.error("wrong-shape", node.span, message, help);
        }
        let help = match node.kind {
            _ if node.is_missing() => "write it after the `:`, or indented in the lines below",
            NodeKind::Scalar(_) => "write a list in `[ ]`, and a map in `{ }`: `{key: value}`",
            NodeKind::List(_) => "remove the brackets or the `- `",
            NodeKind::Map(_) => "remove the keys",
        };
        self.misshapen(node.span, message, help);
    }

    /// Returns the entries of a map.
    pub fn entries<'n>(&mut self, node: &'n Node, wanted: &str) -> Option<&'n [(Scalar, Node)]> {
        match &node.kind {
            NodeKind::Map(entries) => Some(entries),
            NodeKind::Scalar(_) | NodeKind::List(_) => {
                self.wrong_shape(node, wanted);
                None
            }
        }
    }

    /// Returns a map with only these keys.
    pub fn fields<'n>(
        &mut self,
        node: &'n Node,
        what: &str,
        known: &[&str],
    ) -> Option<ScenarioFields<'n>> {
        let entries = self.entries(node, what)?;
        for (key, _) in entries {
            self.expect_known(key, what, known);
        }
        Some(ScenarioFields(entries))
    }

    /// Returns a map with these keys and any others.
    pub fn open_fields<'n>(&mut self, node: &'n Node, what: &str) -> Option<ScenarioFields<'n>> {
        self.entries(node, what).map(ScenarioFields)
    }

    pub fn expect_known(&mut self, key: &Scalar, what: &str, known: &[&str]) {
        if known.contains(&&*key.text) {
            return;
        }
        let help = meant_or(
            did_you_mean(&key.text, known.iter().copied()),
            format!("possible keys: {}", known.join(", ")),
        );
        let message = format!("{what} has no `{}`", key.text);
        self.report.error("unknown-key", key.span, message, help);
    }

    pub fn list<'n>(&mut self, node: &'n Node, wanted: &str) -> &'n [Node] {
        match &node.kind {
            NodeKind::List(members) => members,
            NodeKind::Scalar(_) | NodeKind::Map(_) => {
                self.wrong_shape(node, wanted);
                &[]
            }
        }
    }

    /// Returns a value that must be present.
    pub fn scalar<'n>(&mut self, node: &'n Node, wanted: &str) -> Option<&'n Scalar> {
        match &node.kind {
            NodeKind::Scalar(scalar) if !scalar.is_missing() => Some(scalar),
            NodeKind::Scalar(_) | NodeKind::List(_) | NodeKind::Map(_) => {
                self.wrong_shape(node, wanted);
                None
            }
        }
    }

    /// Returns the members of a list, or a single value as a list.
    fn members<'n, T>(
        &mut self,
        node: &'n Node,
        mut read: impl FnMut(&mut Self, &'n Node) -> Option<T>,
    ) -> Vec<T> {
        let members = match &node.kind {
            NodeKind::List(members) => members.as_slice(),
            NodeKind::Scalar(_) | NodeKind::Map(_) => std::slice::from_ref(node),
        };
        let members = members.iter();
        members.filter_map(|member| read(self, member)).collect()
    }

    pub fn clauses(&mut self, node: &Node) -> Vec<Name> {
        self.members(node, Self::clause)
    }

    pub fn scalars<'n>(&mut self, node: &'n Node, wanted: &str) -> Vec<&'n Scalar> {
        self.members(node, |reader, member| reader.scalar(member, wanted))
    }

    pub fn text(&mut self, node: &Node, wanted: &str) -> Option<String> {
        Some(self.located(node, wanted)?.value)
    }

    /// Returns a text with its place.
    pub fn located(&mut self, node: &Node, wanted: &str) -> Option<Located<String>> {
        let scalar = self.scalar(node, wanted)?;
        Some(Located::new(scalar.text.to_string(), scalar.span))
    }

    /// Returns the number of a clause.
    pub fn clause(&mut self, node: &Node) -> Option<Name> {
        self.scalar(node, "a clause's number").map(name_of)
    }

    pub fn texts(&mut self, node: &Node, wanted: &str) -> Vec<String> {
        self.members(node, |reader, member| reader.text(member, wanted))
    }

    pub fn number<N: FromStr>(&mut self, node: &Node, wanted: &str) -> Option<N> {
        let scalar = self.scalar(node, wanted)?;
        let number = scalar.text.parse().ok();
        if number.is_none() {
            let message = format!("`{}` is not {wanted}", scalar.text);
            self.report
                .push(Diagnostic::error("wrong-value", scalar.span, message));
        }
        number
    }

    pub fn numbers<N: FromStr>(&mut self, node: &Node, wanted: &str) -> Vec<N> {
        self.members(node, |reader, member| reader.number(member, wanted))
    }

    pub fn truth(&mut self, node: &Node) -> Option<bool> {
        self.number(node, "`true` or `false`")
    }

    /// Returns a seat number, from 1.
    pub fn seat(&mut self, node: &Node) -> Option<u8> {
        let seat = self.number(node, "a seat's number")?;
        if seat == 0 {
            let (message, help) = ("there is no seat 0", "seats are numbered from 1");
            self.report.error("wrong-value", node.span, message, help);
            return None;
        }
        Some(seat)
    }
}

pub fn name_of(scalar: &Scalar) -> Name {
    Name::new(scalar.text.to_string(), scalar.span)
}

/// Converts a part of a view, an event or a choice. Plain scalars become numbers, Booleans or null if they look like
/// one.
pub fn json(node: &Node) -> Value {
    match &node.kind {
        NodeKind::Scalar(scalar) => scalar_json(scalar),
        NodeKind::List(members) => members.iter().map(json).collect(),
        NodeKind::Map(entries) => {
            let member = |(key, node): &(Scalar, Node)| (key.text.to_string(), json(node));
            Value::Object(entries.iter().map(member).collect())
        }
    }
}

fn scalar_json(scalar: &Scalar) -> Value {
    let text = &*scalar.text;
    match text {
        _ if !scalar.is_plain => text.into(),
        "" | "null" | "none" | "~" => Value::Null,
        "true" => true.into(),
        "false" => false.into(),
        _ => text
            .parse::<i64>()
            .map_or_else(|_| text.into(), Value::from),
    }
}
