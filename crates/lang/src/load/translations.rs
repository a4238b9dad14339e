//! The language of a game, and its texts in other languages.

use super::Loader;
use crate::ast::Name;
use crate::definition::TranslationDef;
use crate::yaml::{Node, Scalar};

impl Loader {
    /// Parses `language: en`.
    pub(super) fn parse_language_of(&mut self, node: &Node) -> Option<Name> {
        let scalar = self.parse_text(node, "a language, such as `en`")?;
        Some(self.parse_language(scalar))
    }

    /// Parses the translations of all languages. If no key is a language, the languages are missing.
    pub(super) fn parse_translations(&mut self, nodes: &[&Node]) -> Vec<TranslationDef> {
        let mut keys = nodes.iter().flat_map(|node| node.entries());
        match keys
            .next()
            .filter(|_| !nodes.iter().flat_map(|node| node.keys()).any(is_language))
        {
            Some((first, _)) => {
                let message = "translations without their language";
                let help = "put them below a language tag: `es:`, and its texts indented below";
                self.report.error("bad-language", first.span, message, help);
                Vec::new()
            }
            None => self.parse_section(nodes, Self::parse_translation),
        }
    }

    /// Parses `es: {Play a card: Juega una carta}`.
    fn parse_translation(&mut self, key: &Scalar, node: &Node) -> Option<TranslationDef> {
        Some(TranslationDef {
            language: self.parse_language(key),
            texts: self.parse_section_of(Some(node), Self::parse_translated),
        })
    }

    fn parse_translated(&mut self, key: &Scalar, node: &Node) -> Option<(Name, Name)> {
        let text = self.parse_text(node, "the same text in this language")?;
        Some((wording(key), wording(text)))
    }

    fn parse_language(&mut self, tag: &Scalar) -> Name {
        if !is_language(&tag.text) {
            let message = format!("`{}` is not a language", tag.text);
            let help = "use a language tag: `en`, `es`, `pt-BR`";
            self.report.error("bad-language", tag.span, message, help);
        }
        wording(tag)
    }
}

fn wording(scalar: &Scalar) -> Name {
    Name::new(scalar.text.trim_end().to_string(), scalar.span)
}

/// `en`, `pt-BR`
fn is_language(text: &str) -> bool {
    let mut parts = text.split('-');
    let first = parts.next().unwrap_or_default();
    let good = |part: &str| {
        (1..=8).contains(&part.len()) && part.chars().all(|c| c.is_ascii_alphanumeric())
    };
    (2..=3).contains(&first.len())
        && first.chars().all(|c| c.is_ascii_lowercase())
        && parts.all(good)
}
