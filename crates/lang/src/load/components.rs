//! Components and their kinds.

use super::Loader;
use crate::definition::{Behavior, ComponentDef, HoldsDef};
use crate::keys;
use crate::yaml::{Node, NodeKind, Scalar};

impl Loader {
    pub(super) fn parse_component(&mut self, key: &Scalar, node: &Node) -> Option<ComponentDef> {
        let fields = self.fields(node, &keys::COMPONENT)?;
        self.keep_look(key, fields.get("look"));
        Some(ComponentDef {
            name: self.parse_declared(key),
            plural: fields.get("plural").map(|node| self.parse_name(node)),
            title: self.parse_plain_text_of(fields.get("title")),
            text: self.parse_plain_text_of(fields.get("text")),
            each: self.parse_pairs(fields.get("each")),
            copies: self.parse_value_of(fields.get("copies")),
            condition: self.parse_value_of(fields.get("if")),
            faces: self.parse_value_of(fields.get("faces")),
            fields: self.parse_pairs(fields.get("fields")),
            back: fields
                .get("back")
                .map(|node| self.parse_names(node))
                .unwrap_or_default(),
            holds: fields.get("holds").and_then(|node| self.parse_holds(node)),
            starts_in: self.parse_value_of(fields.get("in")),
            behavior: Behavior {
                queries: self.parse_section_of(fields.get("queries"), Self::parse_query),
                effects: self.parse_section_of(fields.get("effects"), Self::parse_effect),
                handlers: self.parse_every(&fields.all("handlers"), Self::parse_handler),
                modifiers: self.parse_every(&fields.all("modifiers"), Self::parse_modifier),
                draws: None,
            },
            kinds: self.parse_section_of(fields.get("kinds"), Self::parse_component),
            cites: self.parse_shows(fields.get("shows")),
        })
    }

    /// Parses `holds: {cards: card}`, or `holds: {cards: {holds: card, see: owner}}`.
    fn parse_holds(&mut self, node: &Node) -> Option<HoldsDef> {
        let [(key, inside)] = self.entries(node, "the zone inside")? else {
            self.wrong_shape(node, "one zone inside", "write `holds: {cards: card}`");
            return None;
        };
        let field = self.parse_key_name(key);
        if let NodeKind::Scalar(_) = &inside.kind {
            return Some(HoldsDef {
                field,
                of: self.parse_name(inside),
                see: None,
            });
        }
        let fields = self.fields(inside, &keys::INNER_ZONE)?;
        let Some(of) = fields.get("holds").map(|node| self.parse_name(node)) else {
            self.wrong_shape(
                inside,
                "what it holds",
                "write `holds: {cards: {holds: card, see: owner}}`",
            );
            return None;
        };
        Some(HoldsDef {
            field,
            of,
            see: self.parse_see(fields.get("see")),
        })
    }
}
