//! Texts with holes.

use super::Rule;
use super::builder::{Builder, Part, skip_to};
use crate::ast::{Expr, ExprKind, Text, TextPart};
use pest::iterators::Pairs;
use wyrmgate_base::diagnostic::Span;

impl Builder<'_> {
    pub(super) fn next_text(&mut self, parts: &mut Pairs<Rule>) -> Text {
        match skip_to(parts, |rule| rule == Rule::text_lit) {
            Some(part) => self.parse_text(part),
            None => Text {
                parts: Vec::new(),
                span: Span::default(),
            },
        }
    }

    pub(super) fn parse_text(&mut self, part: Part) -> Text {
        let span = self.span(&part);
        let mut parts: Vec<TextPart> = Vec::new();
        for part in part.into_inner() {
            match part.as_rule() {
                Rule::literal => push_literal(&mut parts, part.as_str()),
                Rule::escape => push_literal(&mut parts, unescape(part.as_str())),
                Rule::hole => {
                    let written = part.as_str().trim_matches(['{', '}']).trim().to_owned();
                    let nothing = Expr::new(ExprKind::None, self.span(&part));
                    let value = self.expr_in(part).unwrap_or(nothing);
                    parts.push(TextPart::Hole(value, written));
                }
                _ => {}
            }
        }
        Text { parts, span }
    }
}

fn push_literal(parts: &mut Vec<TextPart>, more: &str) {
    match parts.last_mut() {
        Some(TextPart::Literal(text)) => text.push_str(more),
        _ => parts.push(TextPart::Literal(more.to_string())),
    }
}

fn unescape(escape: &str) -> &str {
    match escape.trim_start_matches('\\') {
        "n" => "\n",
        "" => "\\",
        same => same,
    }
}
