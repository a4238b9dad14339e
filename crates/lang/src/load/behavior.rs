//! Queries, effects, handlers and clauses.

use std::sync::Arc;

use super::Loader;
use super::fields::Fields;
use crate::ast::{Block, Expr, Name, Signature};
use crate::definition::{
    AllowDef, ClauseDef, EffectDef, HandlerDef, ModifierDef, PlainText, QueryDef, When,
};
use crate::effect::{self, Rule};
use crate::keys;
use crate::yaml::{Node, NodeKind, Scalar};
use wyrmgate_base::diagnostic::{Report, Span};

impl Loader {
    /// Parses the signature in the key from byte `from` on.
    fn parse_signature(&mut self, key: &Scalar, from: usize, value: &Node) -> Option<Signature> {
        if value.is_missing() && key.text.contains('(') && !key.text.contains(')') {
            self.holes = true;
            let message = "a comma inside `{ }` ends the key";
            let help = "put this key in quotes or on its own line";
            self.report.error("syntax", key.span, message, help);
            return None;
        }
        let text = key.text.get(from..).unwrap_or_default();
        let positions = key.positions.after(from);
        self.note_written(Rule::signature, text, &positions);
        let known = self.known_in(key.span);
        let before = known
            .as_ref()
            .and_then(|known| known.signatures.get(key, from));
        if before.is_some() {
            return before;
        }
        let problems = self.problems();
        let signature = effect::parse_signature(text, &positions, &mut self.report);
        self.holes |= signature.is_none();
        if let Some(Signature::Call { name, .. }) = &signature {
            self.refuse_operator(&name.text, name.span);
        }
        if let (Some(known), Some(signature)) = (known, &signature)
            && self.problems() == problems
        {
            known.signatures.keep(key, from, signature.clone());
        }
        signature
    }

    pub(super) fn parse_query(&mut self, key: &Scalar, node: &Node) -> Option<QueryDef> {
        let signature = self.parse_signature(key, 0, node);
        let body = self.parse_body(node);
        Some(QueryDef {
            signature: signature?,
            body,
            span: key.span,
        })
    }

    /// Parses a value on whose type nothing else depends if it cannot be read: a query or a condition.
    fn parse_body(&mut self, node: &Node) -> Expr {
        let holes = self.holes;
        let body = self.parse_value(node);
        self.holes = holes;
        body
    }

    pub(super) fn parse_effect(&mut self, key: &Scalar, node: &Node) -> Option<EffectDef> {
        let signature = self.parse_signature(key, 0, node);
        let before = self.problems();
        let body = self.parse_effect_text(key.span, node);
        self.value_meant(key, node, before);
        Some(EffectDef {
            signature: signature?,
            body,
            span: key.span,
        })
    }

    /// Reports `follows(card c): row is empty or …` under `effects:` as one mistake. `before` is the number of problems
    /// before its text.
    fn value_meant(&mut self, key: &Scalar, node: &Node, before: usize) {
        let NodeKind::Scalar(scalar) = &node.kind else {
            return;
        };
        let is_line = !scalar.text.trim().contains('\n');
        let mut found = Report::default();
        if self.problems() == before
            || !is_line
            || effect::parse_expr(&scalar.text, &scalar.positions, &mut found).is_none()
            || !found.diagnostics.is_empty()
        {
            return;
        }
        self.report.diagnostics.truncate(before);
        self.report.index();
        let message = "an effect consists of statements; this is a value";
        let help = format!("put `{}` under `queries:`", key.text.trim());
        self.report
            .error("value-as-effect", scalar.span, message, help);
    }

    /// Parses an effect text, without the parts that did not parse.
    fn parse_effect_text(&mut self, key: Span, node: &Node) -> Arc<Block> {
        let NodeKind::Scalar(scalar) = &node.kind else {
            let help = "effect text of several lines needs `|` after the key";
            self.wrong_shape(node, "effect text", help);
            return Arc::default();
        };
        self.note_written(Rule::text, &scalar.text, &scalar.positions);
        let known = self.known_in(scalar.span);
        if let Some(block) = known.as_ref().and_then(|known| known.blocks.get(scalar, 0)) {
            return block;
        }
        let before = self.problems();
        let block = effect::parse_block(&scalar.text, &scalar.positions, &mut self.report);
        if let Some(meant) = self.lines_meant(key, scalar, &block, before) {
            return meant;
        }
        let block = Arc::new(block);
        if let Some(known) = known
            && self.problems() == before
        {
            known.blocks.keep(scalar, 0, block.clone());
        }
        block
    }

    /// Parses `after dragon d moves int n: …`, with the effect text alone or `{if: …, do: …}`.
    pub(super) fn parse_handler(&mut self, key: &Scalar, node: &Node) -> Option<HandlerDef> {
        let when = self.parse_when(key);
        let signature = when.and_then(|(_, rest)| self.parse_signature(key, rest, node));
        let (fields, body) = match &node.kind {
            NodeKind::Map(_) => {
                let fields = self.fields(node, &keys::HANDLER)?;
                let body = fields.get("do");
                (fields, body)
            }
            NodeKind::Scalar(_) | NodeKind::List(_) => (Fields::default(), Some(node)),
        };
        let mut body_of = |key| fields.get(key).map(|node| self.parse_body(node));
        let [condition, once, by, waits] = ["if", "once", "by", "waits"].map(&mut body_of);
        let keeps = self.parse_pairs(fields.get("keeps"));
        let within = fields.get("within").and_then(|within| {
            let text = self.parse_text(within, "an effect, as it is declared")?;
            Some((self.parse_signature(text, 0, within)?, text.span))
        });
        let name = fields.get("name").map(|node| self.parse_name(node));
        let body = body.map(|node| self.parse_effect_text(key.span, node));
        Some(HandlerDef {
            when: when.map_or(When::After, |(when, _)| when),
            signature: signature?,
            condition,
            once,
            by,
            waits,
            keeps,
            within,
            name,
            body: body.unwrap_or_default(),
            span: key.span,
        })
    }

    /// Parses `power(card c): {if: …, add: 1}`.
    pub(super) fn parse_modifier(&mut self, key: &Scalar, node: &Node) -> Option<ModifierDef> {
        let signature = self.parse_signature(key, 0, node);
        let problems = self.problems();
        let fields = self.fields(node, &keys::MODIFIER)?;
        let is_told = self.problems() > problems;
        let mut body_of = |key| fields.get(key).map(|node| self.parse_body(node));
        let (condition, set, add) = (body_of("if"), body_of("set"), body_of("add"));
        if set.is_none() && add.is_none() && !is_told {
            let message = "this modifier changes nothing";
            let help = "write `set: …` or `add: …`";
            self.report.error("missing-key", key.span, message, help);
        }
        let layer = fields.get("layer").and_then(|node| self.parse_number(node));
        Some(ModifierDef {
            signature: signature?,
            condition,
            set,
            add,
            layer,
            span: key.span,
        })
    }

    /// Returns the first word of a handler, and where the rest begins.
    fn parse_when(&mut self, key: &Scalar) -> Option<(When, usize)> {
        const WORDS: [(&str, When); 3] = [
            ("before ", When::Before),
            ("instead ", When::Instead),
            ("after ", When::After),
        ];
        let found = WORDS.iter().find(|(word, _)| key.text.starts_with(word));
        if found.is_none() {
            self.holes = true;
            let message = format!("`{}` does not say when the handler runs", key.text);
            let (word, effect) = key.text.split_once(' ').unwrap_or(("", &key.text));
            let help = match ["on", "when", "whenever", "if", "upon"].contains(&word) {
                true => format!(
                    "write `after {effect}`; `before` can prevent it, and `instead` replaces it"
                ),
                false => {
                    "the key of a handler is `before`, `instead` or `after`, followed by the effect"
                        .to_owned()
                }
            };
            self.report.error("handler-when", key.span, message, help);
        }
        found.map(|(word, when)| (*when, word.len()))
    }

    /// Parses `one-choice pass: A player who cannot move passes.`.
    pub(super) fn parse_allow(&mut self, key: &Scalar, node: &Node) -> Option<AllowDef> {
        let (code, about) = match key.text.split_once(' ') {
            Some((code, about)) => (code, Some(about.trim().to_owned())),
            None => (&*key.text, None),
        };
        let reason = match node.is_missing() {
            true => PlainText::default(),
            false => self.parse_plain_text(node),
        };
        if reason.text.is_empty() {
            let help = "write why the warning is intended: `unused peak: The variants use it.`";
            let message = "this warning is allowed without a reason";
            self.report.error("missing-reason", key.span, message, help);
        }
        let code = Name::new(code, key.span);
        Some(AllowDef {
            code,
            about,
            reason,
        })
    }

    pub(super) fn parse_clause(&mut self, key: &Scalar, node: &Node) -> Option<ClauseDef> {
        Some(ClauseDef {
            id: self.parse_clause_id(key),
            text: self.parse_plain_text(node),
        })
    }
}
