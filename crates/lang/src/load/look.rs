//! `look:`: the appearance of things, in its section and as a key of their declarations.

use super::Loader;
use crate::ast::Name;
use crate::definition::{LookDef, LookPart};
use crate::keys;
use crate::look::FORMS;
use crate::shape::Table;
use crate::yaml::{Node, NodeKind, Scalar};
use wyrmgate_base::diagnostic::{did_you_mean, meant_or};

type Parts = Vec<(Name, LookPart)>;

impl Loader {
    /// Returns the entries of the section, and the keys `look` that were read before.
    pub(super) fn parse_looks(&mut self, nodes: &[&Node]) -> Vec<LookDef> {
        let mut looks = self.parse_section(nodes, Self::parse_look);
        for look in &mut looks {
            look.is_entry = true;
        }
        looks.append(&mut self.looks);
        looks
    }

    /// Keeps the key `look` of something that is declared.
    pub(super) fn keep_look(&mut self, key: &Scalar, node: Option<&Node>) {
        if let Some(look) = node.and_then(|node| self.parse_look(key, node)) {
            self.looks.push(look);
        }
    }

    /// Keeps the keys `look` of the values of a type.
    pub(super) fn keep_looks_of_values(&mut self, of: &Name, node: &Node) {
        let NodeKind::Map(entries) = &node.kind else {
            return;
        };
        let mut values = Vec::new();
        for (key, value) in entries {
            if let Some(look) = value.get("look") {
                values.push((name_of(key), self.parse_table(look, &keys::LOOK_OF_VALUE)));
            }
        }
        if !values.is_empty() {
            self.looks.push(LookDef {
                name: of.clone(),
                values,
                ..LookDef::default()
            });
        }
    }

    /// Parses `sheet: hidden`, `card: {as: card, big: rank}`, `element: {fire: {color: red}}`.
    fn parse_look(&mut self, key: &Scalar, node: &Node) -> Option<LookDef> {
        let name = self.parse_path(key);
        if let NodeKind::Scalar(scalar) = &node.kind {
            if scalar.is_missing() || !FORMS.contains(&&*scalar.text) {
                self.report_no_form(node, scalar);
                return None;
            }
            let form = name_of(scalar);
            let key = Name::new("as", form.span);
            return Some(LookDef {
                name,
                parts: vec![(key, LookPart::Words(vec![form]))],
                ..LookDef::default()
            });
        }
        let entries = self.entries(node, "a look")?;
        let is_key = |key: &Scalar| keys::LOOK.key(&key.text).is_some();
        let (own, values) = entries
            .iter()
            .partition::<Vec<_>, _>(|(key, _)| is_key(key));
        let is_of_values = |(_, value): &&(Scalar, Node)| matches!(value.kind, NodeKind::Map(_));
        let (values, unknown) = values.into_iter().partition::<Vec<_>, _>(is_of_values);
        for (key, _) in unknown {
            self.report_unknown_key(key, &keys::LOOK);
        }
        let own = own.into_iter();
        let parts = own.filter_map(|(key, value)| self.parse_part(key, value));
        let parts = parts.collect();
        let values = values.into_iter();
        let values =
            values.map(|(key, look)| (name_of(key), self.parse_table(look, &keys::LOOK_OF_VALUE)));
        Some(LookDef {
            name,
            is_entry: false,
            parts,
            values: values.collect(),
        })
    }

    fn report_no_form(&mut self, node: &Node, scalar: &Scalar) {
        let known = FORMS.join("`, `");
        if scalar.is_missing() {
            let help = format!("write a form (`{known}`), or a map such as `{{as: card}}`");
            return self.wrong_shape(node, "a look", &help);
        }
        let meant = did_you_mean(&scalar.text, FORMS.iter().copied());
        let otherwise = format!("use one of `{known}`, or a map such as `{{as: card}}`");
        let help = meant_or(meant, otherwise);
        let message = format!("there is no form `{}`", scalar.text);
        self.report
            .error("unknown-form", scalar.span, message, help);
    }

    fn parse_table(&mut self, node: &Node, table: &Table) -> Parts {
        let Some(entries) = self.entries(node, table.what) else {
            return Vec::new();
        };
        let mut parts = Vec::new();
        for (key, value) in entries {
            match table.key(&key.text) {
                Some(_) => parts.extend(self.parse_part(key, value)),
                None => self.report_unknown_key(key, table),
            }
        }
        parts
    }

    fn parse_part(&mut self, key: &Scalar, node: &Node) -> Option<(Name, LookPart)> {
        let part = match &*key.text {
            "from" | "to" | "line" => LookPart::Value(self.parse_value(node)),
            "back" => LookPart::Inner(self.parse_table(node, &keys::LOOK_OF_BACK)),
            "short" | "sides" => LookPart::ByValue(self.parse_words_of(node, Self::parse_short)?),
            "badge" | "marks" | "edges" => LookPart::ByValue(self.parse_words_by_value(node)?),
            "color" | "symbol" if matches!(node.kind, NodeKind::Map(_)) => {
                LookPart::ByValue(self.parse_words_by_value(node)?)
            }
            _ => LookPart::Words(self.parse_names(node)),
        };
        Some((name_of(key), part))
    }

    /// Parses `{1: cross, 2: circle}`.
    fn parse_words_by_value(&mut self, node: &Node) -> Option<Vec<(Name, Name)>> {
        self.parse_words_of(node, Self::parse_name)
    }

    fn parse_words_of(
        &mut self,
        node: &Node,
        parse: fn(&mut Loader, &Node) -> Name,
    ) -> Option<Vec<(Name, Name)>> {
        let entries = self.entries(node, "a word for each value")?;
        let pairs = entries.iter();
        let pairs = pairs.map(|(key, word)| (name_of(key), parse(self, word)));
        Some(pairs.collect())
    }

    /// Parses a short text: a letter of a card, the number of a seat, a color word.
    fn parse_short(&mut self, node: &Node) -> Name {
        self.parse_name_with(node, "1 to 6 characters", |text| {
            (1..=6).contains(&text.chars().count())
        })
    }
}

fn name_of(scalar: &Scalar) -> Name {
    Name::new(scalar.text.to_string(), scalar.span)
}
