//! The language of a game, and its texts in other languages.

use super::Loader;
use crate::ast::Name;
use crate::definition::TranslationDef;
use crate::yaml::{Node, Scalar};

impl Loader {
    /// `language: en`
    pub(super) fn parse_language_of(&mut self, node: &Node) -> Option<Name> {
        let scalar = self.parse_text(node, "a language, such as `en`")?;
        Some(self.parse_language(scalar))
    }

    /// `es: {Play a card: Juega una carta}`
    pub(super) fn parse_translation(
        &mut self,
        key: &Scalar,
        node: &Node,
    ) -> Option<TranslationDef> {
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
            self.error("bad-language", tag.span, message, help);
        }
        wording(tag)
    }
}

fn wording(scalar: &Scalar) -> Name {
    Name {
        text: scalar.text.trim_end().to_string(),
        span: scalar.span,
    }
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
