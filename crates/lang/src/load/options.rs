//! Options and types.

use super::Loader;
use super::values::is_identifier;
use crate::ast::{Expr, ExprKind, UnaryOp};
use crate::definition::{EnumDef, OptionDef, OptionType, PlainText, RecordDef, Wording};
use crate::effect::{self, Rule};
use crate::keys;
use crate::yaml::{Node, NodeKind, Scalar};
use wyrmgate_base::diagnostic::{Span, did_you_mean};

const TYPE_HELP: &str = "the type of an option is `bool`, a range (`0..5`, `12..36 by 2`) or a list of names (`[once, twice]`)";

impl Loader {
    pub(super) fn parse_option(&mut self, key: &Scalar, node: &Node) -> Option<OptionDef> {
        let fields = self.fields(node, &keys::OPTION)?;
        let name = self.parse_declared(key);
        let of = self
            .required(fields.get("type"), key, "type", TYPE_HELP)
            .and_then(|node| self.parse_option_type(node));
        let default = self.required(
            fields.get("default"),
            key,
            "default",
            "add the value when nobody sets it",
        );
        let mut wordings = wordings(fields.get("requires"), false);
        wordings.extend(self::wordings(fields.get("excludes"), true));
        let mut requires = self.parse_conditions(fields.get("requires"));
        requires.extend(
            self.parse_conditions(fields.get("excludes"))
                .into_iter()
                .map(negated),
        );
        Some(OptionDef {
            name,
            of: of.unwrap_or(OptionType::Bool),
            default: default.map_or(Expr::new(ExprKind::None, key.span), |node| {
                self.parse_value(node)
            }),
            title: self.parse_plain_text_of(fields.get("title")),
            text: self.parse_plain_text_of(fields.get("text")),
            requires,
            wordings,
            campaign: fields.get("campaign").map(|node| self.parse_name(node)),
            cites: self.parse_shows(fields.get("shows")),
        })
    }

    pub(super) fn required<'n>(
        &mut self,
        node: Option<&'n Node>,
        owner: &Scalar,
        key: &str,
        help: &str,
    ) -> Option<&'n Node> {
        if node.is_none() {
            self.holes = true;
            let message = format!("`{}` has no `{key}`", owner.text);
            self.report.error("missing-key", owner.span, message, help);
        }
        node
    }

    /// Parses one condition, or a list of them.
    fn parse_conditions(&mut self, node: Option<&Node>) -> Vec<Expr> {
        let conditions = node.into_iter().flat_map(Node::members);
        conditions.map(|node| self.parse_value(node)).collect()
    }

    fn parse_option_type(&mut self, node: &Node) -> Option<OptionType> {
        match &node.kind {
            NodeKind::List(_) => Some(OptionType::OneOf(self.parse_names(node))),
            NodeKind::Scalar(scalar) if &*scalar.text == "bool" => Some(OptionType::Bool),
            NodeKind::Scalar(scalar) if !is_identifier(&scalar.text) && !scalar.is_missing() => {
                self.parse_range(scalar)
            }
            NodeKind::Scalar(scalar) if !scalar.is_missing() => {
                let help = match did_you_mean(&scalar.text, ["bool"]) {
                    Some(meant) => format!("did you mean `{meant}`? {TYPE_HELP}"),
                    None => TYPE_HELP.to_owned(),
                };
                let message = format!("`{}` is not a type of options", scalar.text);
                self.holes = true;
                self.report
                    .error("unknown-type", scalar.span, message, help);
                None
            }
            _ => {
                self.wrong_shape(node, "the type of an option", TYPE_HELP);
                None
            }
        }
    }

    fn parse_range(&mut self, scalar: &Scalar) -> Option<OptionType> {
        self.note_written(Rule::only_range, &scalar.text, &scalar.positions);
        let before = self.problems();
        let parsed = effect::parse_range(&scalar.text, &scalar.positions, &mut self.report);
        let range = parsed.and_then(|(range, step)| constant_range(&range, step.as_ref()));
        self.holes |= range.is_none();
        if range.is_none() && self.problems() == before {
            let message = format!("`{}` is not a range of numbers", scalar.text);
            let help = TYPE_HELP;
            self.report.error("wrong-shape", scalar.span, message, help);
        }
        range
    }

    /// Parses the types with values, and those with parts.
    pub(super) fn parse_types(&mut self, nodes: &[&Node]) -> (Vec<EnumDef>, Vec<RecordDef>) {
        let (mut enums, mut records) = (Vec::new(), Vec::new());
        for of in self.parse_section(nodes, Self::parse_type) {
            match of {
                TypeDef::Enum(of) => enums.push(of),
                TypeDef::Record(of) => records.push(of),
            }
        }
        (enums, records)
    }

    /// Parses a type: an enumeration, or a record. A name with a map or nothing is a value; one with the name of a type
    /// is a part.
    fn parse_type(&mut self, key: &Scalar, node: &Node) -> Option<TypeDef> {
        if let Some(bundle) = self.parse_bundle(key, node) {
            return Some(TypeDef::Record(bundle));
        }
        let mut entries = node.entries();
        if entries
            .any(|(name, of)| is_identifier(&name.text) && of.text().is_some_and(is_identifier))
        {
            return Some(TypeDef::Record(self.parse_record(key, node)));
        }
        self.parse_enum(key, node).map(TypeDef::Enum)
    }

    /// Parses `claim: {by: seat, on: color, amount: int}`.
    fn parse_record(&mut self, key: &Scalar, node: &Node) -> RecordDef {
        let part = |parser: &mut Self, key: &Scalar, node: &Node| {
            Some((parser.parse_declared(key), parser.parse_name(node)))
        };
        RecordDef {
            name: self.parse_declared(key),
            parts: self.parse_section(&[node], part),
            bundle_of: None,
        }
    }

    /// Parses `purse: bundle of gem`.
    fn parse_bundle(&mut self, key: &Scalar, node: &Node) -> Option<RecordDef> {
        let NodeKind::Scalar(scalar) = &node.kind else {
            return None;
        };
        let of = scalar.text.strip_prefix("bundle of ")?.trim();
        let at = scalar.text.len() - of.len();
        let span = scalar.positions.span(at, scalar.text.len());
        Some(RecordDef {
            name: self.parse_declared(key),
            parts: Vec::new(),
            bundle_of: Some(crate::ast::Name::new(of, span)),
        })
    }

    /// Parses `color: [red, yellow]`, or `color: {red: {title: Rot}, yellow: …}`.
    fn parse_enum(&mut self, key: &Scalar, node: &Node) -> Option<EnumDef> {
        let name = self.parse_declared(key);
        match &node.kind {
            NodeKind::List(_) => {
                let values = self.parse_names(node);
                Some(EnumDef {
                    name,
                    titles: vec![PlainText::default(); values.len()],
                    values,
                })
            }
            NodeKind::Map(_) => {
                let values = self.parse_section(&[node], Self::parse_enum_value);
                self.keep_looks_of_values(&name, node);
                let (values, titles) = values.into_iter().unzip();
                Some(EnumDef {
                    name,
                    values,
                    titles,
                })
            }
            NodeKind::Scalar(_) => {
                self.wrong_shape(
                    node,
                    "a list of names",
                    "write `[red, yellow]`, `red: {title: …}` lines, or `bundle of color`",
                );
                None
            }
        }
    }

    fn parse_enum_value(
        &mut self,
        key: &Scalar,
        node: &Node,
    ) -> Option<(crate::ast::Name, PlainText)> {
        let fields = self.fields(node, &keys::TYPE_VALUE)?;
        Some((
            self.parse_key_name(key),
            self.parse_plain_text_of(fields.get("title")),
        ))
    }
}

/// A type, as it is declared.
enum TypeDef {
    Enum(EnumDef),
    Record(RecordDef),
}

fn wordings(node: Option<&Node>, excludes: bool) -> Vec<Wording> {
    let conditions = node.into_iter().flat_map(Node::members);
    let wording = |node: &Node| Wording {
        text: node.to_yaml().trim().to_owned(),
        excludes,
    };
    conditions.map(wording).collect()
}

/// Returns the opposite of a condition, which then has its cited clauses: `excludes: cold [RACE-05]`.
fn negated(condition: Expr) -> Expr {
    let span: Span = condition.span;
    let kind = match condition.kind {
        ExprKind::Cited(inner, clauses) => {
            let inner = *inner;
            ExprKind::Cited(Box::new(negated(inner)), clauses)
        }
        kind => ExprKind::Unary(UnaryOp::Not, Box::new(Expr::new(kind, span))),
    };
    Expr::new(kind, span)
}

fn constant_range(range: &Expr, step: Option<&Expr>) -> Option<OptionType> {
    let ExprKind::Range(low, high) = &range.kind else {
        return None;
    };
    let step = step.map_or(Some(1), constant)?;
    Some(OptionType::Range {
        low: constant(low)?,
        high: constant(high)?,
        step,
    })
}

fn constant(expr: &Expr) -> Option<i32> {
    match &expr.kind {
        ExprKind::Int(number) => Some(*number),
        ExprKind::Unary(UnaryOp::Negate, inner) => constant(inner).map(|number| -number),
        _ => None,
    }
}
