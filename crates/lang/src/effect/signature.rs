//! Signatures of effects, queries and handlers.

use pest::iterators::Pairs;

use super::{Builder, Part, Rule};
use crate::ast::{Param, Signature};

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
        let name = self.next_name(&mut parts);
        let params = parts
            .filter(|p| p.as_rule() == Rule::param)
            .map(|p| self.parse_param(p))
            .collect();
        Signature::Call { name, params }
    }

    fn parse_param(&self, part: Part) -> Param {
        let mut words = part.into_inner();
        Param {
            of: self.next_name(&mut words),
            name: self.next_name(&mut words),
        }
    }
}
