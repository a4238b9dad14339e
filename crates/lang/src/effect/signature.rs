//! Signatures of effects, queries and handlers.

use pest::iterators::Pairs;

use super::Rule;
use super::builder::{Builder, Part, next};
use crate::ast::{Param, Recursion, Signature};
use crate::limits::DEEP_MAX;
use wyrmgate_base::diagnostic::Span;

impl Builder<'_> {
    pub(super) fn parse_signature(&mut self, parts: &mut Pairs<Rule>) -> Option<Signature> {
        let part = parts.next()?;
        Some(match part.as_rule() {
            Rule::call_signature => self.parse_call_signature(part),
            _ => Signature::Phrase(part.into_inner().map(|word| self.name(&word)).collect()),
        })
    }

    fn parse_call_signature(&mut self, part: Part) -> Signature {
        let mut parts = part.into_inner();
        let result = next(&mut parts, Rule::result);
        let result = result.map(|part| self.next_name(&mut part.into_inner()));
        let name = self.next_name(&mut parts);
        let (mut params, mut deep) = (Vec::new(), None);
        for part in parts {
            match part.as_rule() {
                Rule::param => params.push(self.parse_param(part)),
                Rule::deep => deep = self.parse_deep(part),
                _ => {}
            }
        }
        Signature::Call {
            name,
            params,
            recursion: Recursion { result, deep },
        }
    }

    /// Parses the number of `up to 12 deep`.
    fn parse_deep(&mut self, part: Part) -> Option<(u16, Span)> {
        let span = self.span(&part);
        let number = part.into_inner().find(|p| p.as_rule() == Rule::int)?;
        match number.as_str().parse() {
            Ok(deep @ 1..=DEEP_MAX) => Some((deep, span)),
            _ => {
                let message = format!("a query can be between 1 and {DEEP_MAX} deep");
                let help = "state how often the query can be nested in itself at most";
                self.error("recursion", span, message, help);
                None
            }
        }
    }

    fn parse_param(&self, part: Part) -> Param {
        let mut words = part.into_inner();
        Param {
            of: self.next_name(&mut words),
            name: self.next_name(&mut words),
        }
    }
}
