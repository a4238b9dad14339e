//! Single values: names, texts, expressions, citations.

use super::Loader;
use crate::ast::{Expr, ExprKind, Name};
use crate::definition::PlainText;
use crate::effect::{self, Rule};
use crate::expected::lookalike_at;
use crate::keys;
use crate::lookalike;
use crate::yaml::{Node, NodeKind, Scalar};
use wyrmgate_base::diagnostic::{Span, did_you_mean};

/// Returns the key of a table that a map in `data` was to have.
fn of_table(node: &Node) -> Option<&'static str> {
    let known = keys::TABLE.names();
    node.keys()
        .find_map(|key| did_you_mean(key, known.iter().copied()))
}

impl Loader {
    /// Parses a value that must be a scalar.
    pub(super) fn parse_text<'n>(&mut self, node: &'n Node, expected: &str) -> Option<&'n Scalar> {
        match &node.kind {
            NodeKind::Scalar(scalar) if !scalar.is_missing() => Some(scalar),
            _ => {
                let help = match node.members() {
                    [only] if let Some(only) = only.text().filter(|only| !only.is_empty()) => {
                        format!("write `{only}`, without brackets")
                    }
                    [] | [..] => "write it on the line of its key".to_owned(),
                };
                self.wrong_shape(node, expected, &help);
                None
            }
        }
    }

    pub(super) fn parse_name(&mut self, node: &Node) -> Name {
        self.parse_name_with(node, "lowercase letters, digits and `_`", is_identifier)
    }

    pub(super) fn parse_name_with(
        &mut self,
        node: &Node,
        letters: &str,
        is_good: fn(&str) -> bool,
    ) -> Name {
        match self.parse_text(node, "a name") {
            Some(scalar) => self.name(scalar, letters, is_good),
            None => Name::new("", node.span),
        }
    }

    pub(super) fn parse_key_name(&mut self, key: &Scalar) -> Name {
        self.name(key, "lowercase letters, digits and `_`", is_identifier)
    }

    /// Parses a name of something that the rules refer to by this name alone.
    pub(super) fn parse_declared(&mut self, key: &Scalar) -> Name {
        self.refuse_operator(&key.text, key.span);
        self.parse_key_name(key)
    }

    /// Reports a name that is an operator wherever a value may stand.
    pub(super) fn refuse_operator(&mut self, name: &str, span: Span) {
        if is_identifier(name) && !effect::is_name(name) {
            let message = format!("`{name}` is an operator");
            let help = format!("choose another name, such as `{name}_it`");
            self.report.error("reserved-name", span, message, help);
            self.operators.push(name.to_owned());
        }
    }

    /// Parses a name, or that of a part: `bid.amount`.
    pub(super) fn parse_path(&mut self, key: &Scalar) -> Name {
        match is_path(&key.text) {
            true => self.name(key, "", is_path),
            false => self.parse_key_name(key),
        }
    }

    fn name(&mut self, scalar: &Scalar, letters: &str, is_good: fn(&str) -> bool) -> Name {
        if !is_good(&scalar.text) {
            self.holes = true;
            let message = format!("`{}` is not a name", scalar.text);
            let help = match as_name(&scalar.text).filter(|near| is_good(near)) {
                Some(near) => format!("write `{near}`: a name consists of {letters}"),
                None => format!("a name consists of {letters} and begins with a letter"),
            };
            if !self.reports_foreign(scalar) {
                self.report.error("bad-name", scalar.span, message, help);
            }
        }
        Name::new(scalar.text.to_string(), scalar.span)
    }

    /// Reports the first character of a name or key that only looks like one of ours; `false` if there is none.
    pub(super) fn reports_foreign(&mut self, scalar: &Scalar) -> bool {
        let odd = scalar.text.char_indices().find(|(_, c)| !c.is_ascii());
        let Some(found) = odd.and_then(|(at, _)| lookalike::in_word(&scalar.text, at)) else {
            return false;
        };
        let span = |start, end| scalar.positions.span(start, end);
        self.report.push(lookalike_at(&found, span));
        true
    }

    /// Parses one name, or a list of them.
    pub(super) fn parse_names(&mut self, node: &Node) -> Vec<Name> {
        let before = self.problems();
        let members = node.members().iter();
        let names = members.map(|node| self.parse_name(node)).collect();
        if self
            .report
            .diagnostics
            .iter()
            .skip(before)
            .all(|d| d.code == "bad-name")
        {
            self.report.diagnostics.truncate(before + 1); // the others are bad in the same way
        }
        names
    }

    /// Parses `Cliff Race`.
    pub(super) fn parse_plain_text(&mut self, node: &Node) -> PlainText {
        if let NodeKind::Map(_) = &node.kind {
            let help = "write it in the language of the rules; put others under `translations:`";
            self.wrong_shape(node, "a text", help);
            return PlainText::default();
        }
        let scalar = self.parse_text(node, "a text");
        self.plain.extend(
            scalar
                .filter(|scalar| scalar.is_plain)
                .map(|scalar| scalar.span),
        );
        scalar.map_or_else(PlainText::default, |scalar| PlainText {
            text: scalar.text.trim_end().to_string(),
            span: scalar.span,
        })
    }

    /// Parses a value of the language: a scalar is an expression, a list is a list of them, and a map with `if`, `then`
    /// and `else` is a conditional value.
    pub(super) fn parse_value(&mut self, node: &Node) -> Expr {
        match &node.kind {
            NodeKind::Scalar(scalar) if !scalar.is_missing() => self.parse_expr(scalar),
            NodeKind::List(nodes) => {
                let items = nodes.iter().map(|node| self.parse_value(node)).collect();
                Expr::new(ExprKind::List(items), node.span)
            }
            NodeKind::Map(_) => self.parse_conditional(node),
            NodeKind::Scalar(_) => {
                self.wrong_shape(node, "a value", "write it after the `:`");
                self.hole(node.span)
            }
        }
    }

    fn parse_conditional(&mut self, node: &Node) -> Expr {
        let is_conditional = node.keys().any(|key| keys::CONDITIONAL.key(key).is_some());
        let fields = is_conditional
            .then(|| self.fields(node, &keys::CONDITIONAL))
            .flatten();
        let part = |key| fields.as_ref().and_then(|fields| fields.get(key));
        match (part("if"), part("then"), part("else")) {
            (Some(condition), Some(then), Some(otherwise)) => {
                let parts =
                    [condition, then, otherwise].map(|part| Box::new(self.parse_value(part)));
                let [condition, then, otherwise] = parts;
                Expr::new(ExprKind::If(condition, then, otherwise), node.span)
            }
            _ => {
                let end = |key| node.get(key).and_then(Node::text);
                let help = match (end("min"), end("max")) {
                    (Some(low), Some(high)) => format!("write a range: `{low}..{high}`"),
                    _ if let Some(meant) = of_table(node) => format!("did you mean `{meant}`?"),
                    _ => "write it without braces: a table is `{table: spells.csv}`, a bundle `2 tea + 1 silk`, a list `[1, 2]`, and the only map that is a value `{if: …, then: …, else: …}`".to_owned(),
                };
                self.wrong_shape(node, "a value", &help);
                self.hole(node.span)
            }
        }
    }

    pub(super) fn parse_expr(&mut self, scalar: &Scalar) -> Expr {
        self.note_written(Rule::only_expr, &scalar.text, &scalar.positions);
        let known = self.known_in(scalar.span);
        if let Some(expr) = known.as_ref().and_then(|known| known.exprs.get(scalar, 0)) {
            return expr;
        }
        let before = self.problems();
        let parsed = effect::parse_expr(&scalar.text, &scalar.positions, &mut self.report);
        if let (Some(known), Some(expr)) = (known, &parsed)
            && self.problems() == before
        {
            known.exprs.keep(scalar, 0, expr.clone());
        }
        parsed.unwrap_or_else(|| self.hole(scalar.span))
    }

    pub(super) fn parse_value_of(&mut self, node: Option<&Node>) -> Option<Expr> {
        node.map(|node| self.parse_value(node))
    }

    /// Parses `see: owner`.
    pub(super) fn parse_see(&mut self, node: Option<&Node>) -> Option<(Expr, Span)> {
        node.map(|node| (self.parse_value(node), node.span))
    }

    /// Parses `shows: WAY-01`, `shows: [WAY-01, WAY-02]`.
    pub(super) fn parse_shows(&mut self, node: Option<&Node>) -> Vec<Name> {
        let nodes = node.into_iter().flat_map(Node::members);
        nodes
            .filter_map(|node| self.parse_clause_id_of(node))
            .collect()
    }

    fn parse_clause_id_of(&mut self, node: &Node) -> Option<Name> {
        let scalar = self.parse_text(node, "a clause (`ABC-01`) or a list of them")?;
        Some(self.parse_clause_id(scalar))
    }

    pub(super) fn parse_clause_id(&mut self, scalar: &Scalar) -> Name {
        if !is_clause(&scalar.text) && !self.reports_foreign(scalar) {
            let help = "a clause id consists of uppercase letters and a number: `ABC-01`";
            let message = format!("`{}` is not a clause", scalar.text);
            self.report.error("bad-clause", scalar.span, message, help);
        }
        Name::new(scalar.text.to_string(), scalar.span)
    }

    /// Parses `{owner: seats, rank: 1..7}`.
    pub(super) fn parse_pairs(&mut self, node: Option<&Node>) -> Vec<(Name, Expr)> {
        self.parse_section_of(node, |loader, key, value| {
            Some((loader.parse_key_name(key), loader.parse_value(value)))
        })
    }

    /// Returns the number of problems, to check whether parsing added one.
    pub(super) fn problems(&self) -> usize {
        let diagnostics = &self.report.diagnostics;
        diagnostics.len()
    }
}

/// Returns the name that is nearest to words: `Light blue` is `light_blue`.
fn as_name(words: &str) -> Option<String> {
    let name = words.to_ascii_lowercase().replace([' ', '-'], "_");
    is_identifier(&name).then_some(name)
}

/// Returns whether this names a part of a variable: `bid.amount`.
pub(super) fn is_path(text: &str) -> bool {
    let parts = text.split_once('.');
    parts.is_some_and(|(of, part)| is_identifier(of) && is_identifier(part))
}

pub fn is_identifier(text: &str) -> bool {
    let good = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    text.starts_with(|c: char| c.is_ascii_lowercase()) && text.chars().all(good)
}

pub fn is_clause(text: &str) -> bool {
    let Some((letters, digits)) = text.split_once('-') else {
        return false;
    };
    let capitals = letters.len() >= 2 && letters.chars().all(|c| c.is_ascii_uppercase());
    capitals && !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
}
