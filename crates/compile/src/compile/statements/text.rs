//! Texts with holes: prompts, labels and what `say` says.

use crate::compile::compiler::Compiler;
use crate::compile::terms::value::Value;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::{Text, TextPart};
use wyrmgate_program::*;

impl Compiler<'_> {
    fn hole(&mut self, value: Value, span: Span) -> Option<Hole> {
        if let Some(ty) = self.bundle_type(value.ty()) {
            return Some(self.hole_of_bundle(value, ty));
        }
        if self.record_type(value.ty().of).is_some() {
            return self.not_a_record(value, span);
        }
        match value {
            Value::One(expr, Some(of)) => Some(Hole::Value(expr, of)),
            Value::One(_, None) => Some(Hole::List(self.b.set(Set::Empty), Type::Int)),
            Value::List(set, of) => Some(Hole::List(set, of.unwrap_or(Type::Int))),
            Value::Record(..) => None,
        }
    }

    pub fn text(&mut self, text: &Text) -> Option<TextId> {
        let mut holes = Vec::new();
        let mut written = Vec::new();
        let mut parts = Vec::new();
        for part in &text.parts {
            parts.push(match part {
                TextPart::Literal(words) => TextPiece::Words(words.clone()),
                TextPart::Hole(expr, as_written) => {
                    let value = self.expr(expr, None);
                    let hole = value.and_then(|value| self.hole(value, expr.span));
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
