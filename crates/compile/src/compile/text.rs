//! Texts with holes: prompts, labels and what `say` says.

use super::Compiler;
use super::value::Value;
use wyrmgate_lang::ast::{Text, TextPart};
use wyrmgate_program::*;

impl Compiler<'_> {
    pub fn text(&mut self, text: &Text) -> Option<TextId> {
        let mut holes = Vec::new();
        let mut written = Vec::new();
        let mut parts = Vec::new();
        for part in &text.parts {
            parts.push(match part {
                TextPart::Literal(words) => TextPiece::Words(words.clone()),
                TextPart::Hole(expr, as_written) => {
                    let hole = self.expr(expr, None).map(|value| match value {
                        Value::One(expr, of) => Hole::Value(expr, of.unwrap_or(Type::Int)),
                        Value::List(set, of) => Hole::List(set, of.unwrap_or(Type::Int)),
                    });
                    holes.push(hole);
                    written.push(as_written.as_str());
                    TextPiece::Hole(holes.len() - 1)
                }
            });
        }
        let holes: Option<Vec<Hole>> = holes.into_iter().collect();
        let others = self.translations.pieces(&text.key(), &written);
        let others = others
            .into_iter()
            .map(|translated| translated.unwrap_or_else(|| parts.clone()));
        let parts = std::iter::once(parts.clone()).chain(others).collect();
        Some(self.b.text(TextInfo {
            holes: holes?,
            parts,
        }))
    }
}
