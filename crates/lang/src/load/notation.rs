//! `notation:`: how choices are written.

use super::Loader;
use crate::ast::{ExprKind, Name, Text};
use crate::definition::NotationDef;
use crate::effect;
use crate::keys;
use crate::positions::Positions;
use crate::yaml::{Node, NodeKind, Scalar};

impl Loader {
    pub(super) fn parse_notation(&mut self, node: Option<&Node>) -> NotationDef {
        let Some(fields) = node.and_then(|node| self.fields(node, &keys::NOTATION)) else {
            return NotationDef::default();
        };
        NotationDef {
            file: fields.get("file").map(|node| self.parse_name(node)),
            tags: self.parse_section_of(fields.get("tags"), |loader, key, node| {
                Some((name_of(key), loader.parse_form(node)?))
            }),
            letters: self.parse_section_of(fields.get("letters"), |loader, key, node| {
                Some((loader.parse_key_name(key), loader.parse_letters(node)))
            }),
            after: self.parse_section_of(fields.get("after"), |loader, key, node| {
                let texts = node.members().iter();
                let texts = texts.map(|node| loader.parse_plain_text(node).text);
                let texts = texts.collect();
                Some((loader.parse_key_name(key), texts))
            }),
            choices: self.parse_section_of(fields.get("choices"), |loader, key, node| {
                Some((name_of(key), loader.parse_forms(node)))
            }),
            position: fields
                .get("position")
                .map_or_else(Vec::new, |node| self.parse_forms(node)),
        }
    }

    fn parse_forms(&mut self, node: &Node) -> Vec<Text> {
        let forms = node.members().iter();
        forms.filter_map(|node| self.parse_form(node)).collect()
    }

    /// Parses `abcdefgh`, a letter for each value, or a list of texts.
    fn parse_letters(&mut self, node: &Node) -> Vec<String> {
        if let NodeKind::List(nodes) = &node.kind {
            let texts = nodes.iter().map(|node| self.parse_plain_text(node).text);
            return texts.collect();
        }
        let letters = self.parse_plain_text(node).text;
        letters.chars().map(String::from).collect()
    }

    /// Parses a text with holes, which stands without quotes of its own.
    fn parse_form(&mut self, node: &Node) -> Option<Text> {
        let scalar = self.parse_text(node, "a text")?;
        let quote = || (1, Positions::at(scalar.span, 1));
        let inside = (scalar.text.len(), scalar.positions.clone());
        let positions = Positions::joined(vec![quote(), inside, quote()]);
        let quoted = format!("\"{}\"", scalar.text);
        let parsed = effect::parse_expr(&quoted, &positions, &mut self.report)?;
        let ExprKind::Text(text) = parsed.kind else {
            self.wrong_shape(node, "a text", "write it without `\"` inside");
            return None;
        };
        Some(text)
    }
}

fn name_of(scalar: &Scalar) -> Name {
    Name::new(scalar.text.to_string(), scalar.span)
}
