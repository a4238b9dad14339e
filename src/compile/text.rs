//! Texts with holes: prompts, labels and what `say` says.

use super::Compiler;
use super::value::Value;
use crate::lang::ast::{Text, TextPart};
use crate::program::*;

impl Compiler<'_> {
    pub fn text(&mut self, text: &Text) -> Option<TextId> {
        let mut pieces = Vec::new();
        for part in &text.parts {
            pieces.extend(match part {
                TextPart::Literal(literal) => Some(TextPiece::Literal(literal.clone())),
                TextPart::Hole(expr) => self.expr(expr, None).map(|value| match value {
                    Value::One(expr, of) => TextPiece::Value(expr, of.unwrap_or(Type::Int)),
                    Value::List(set, of) => TextPiece::List(set, of.unwrap_or(Type::Int)),
                }),
            });
        }
        let complete = pieces.len() == text.parts.len();
        complete.then(|| self.b.text(pieces))
    }
}
