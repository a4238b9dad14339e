//! Texts with holes: prompts, labels and what `say` says.

use super::Compiler;
use super::value::Value;
use crate::lang::ast::{Text, TextPart};
use crate::program::*;

impl Compiler<'_> {
    pub fn text(&mut self, text: &Text) -> Option<TextId> {
        let mut pieces = Vec::new();
        for part in &text.parts {
            pieces.push(match part {
                TextPart::Literal(literal) => TextPiece::Literal(literal.clone()),
                TextPart::Hole(expr) => match self.expr(expr, None)? {
                    Value::One(expr, of) => TextPiece::Value(expr, of.unwrap_or(Type::Int)),
                    Value::List(set, of) => TextPiece::List(set, of.unwrap_or(Type::Int)),
                },
            });
        }
        Some(self.b.text(pieces))
    }
}
