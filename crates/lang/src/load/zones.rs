//! Zones and variables.

use super::Loader;
use super::fields::Fields;
use crate::ast::{Expr, Name};
use crate::definition::{GridDef, VarDef, ZoneDef};
use crate::keys;
use crate::yaml::{Node, NodeKind, Scalar};
use wyrmgate_base::diagnostic::Span;

const LISTS: &str =
    "the type of a list is the plural of that of its members: `{type: ints, most: 12}`";

/// The number of keys that a variable can have.
const KEYS_MAX: usize = 3;

impl Loader {
    pub(super) fn parse_zone(&mut self, key: &Scalar, node: &Node) -> Option<ZoneDef> {
        let fields = self.fields(node, &keys::ZONE)?;
        self.keep_look(key, fields.get("look"));
        Some(ZoneDef {
            name: self.parse_declared(key),
            title: self.parse_plain_text_of(fields.get("title")),
            each: self.parse_pairs(fields.get("each")),
            holds: fields.get("holds").map(|node| self.parse_name(node)),
            see: self.parse_see(fields.get("see")),
            condition: self.parse_value_of(fields.get("if")),
            capacity: self.parse_value_of(fields.get("capacity")),
            any_order: fields
                .get("order")
                .is_some_and(|node| self.parse_order(node)),
            grid: self.parse_geometry(&fields),
            directions: self.parse_value_of(fields.get("directions")),
            lines: self.parse_value_of(fields.get("lines")),
            coordinates: fields
                .get("coordinates")
                .and_then(|node| self.parse_coordinates(node)),
            track: fields.get("track").map(|node| self.parse_name(node)),
            fields: self.parse_pairs(fields.get("fields")),
        })
    }

    /// Parses the one of `grid`, `corners`, `sides` and `joins` that there is.
    fn parse_geometry(&mut self, fields: &Fields<'_>) -> Option<GridDef> {
        let given = |key: &&str| fields.get(key).is_some();
        let mut keys = ["grid", "corners", "sides", "joins"]
            .into_iter()
            .filter(given);
        let key = keys.next()?;
        let node = fields.get(key)?;
        if let Some(other) = keys.next() {
            let help = format!("remove `{key}` or `{other}`");
            self.wrong_shape(node, "the only key of this sort", &help);
        }
        if key == "grid" {
            return self.parse_grid(node);
        } else if key == "joins" {
            return self.parse_value_of(Some(node)).map(GridDef::Joins);
        }
        let board = self.parse_name(node);
        Some(match key == "corners" {
            true => GridDef::Corners(board),
            false => GridDef::Sides(board),
        })
    }

    /// Parses `grid: [column, row]`, `grid: open`.
    fn parse_grid(&mut self, node: &Node) -> Option<GridDef> {
        match &node.kind {
            NodeKind::Scalar(scalar) if matches!(&*scalar.text, "open" | "open hexagons") => {
                Some(GridDef::Open(scalar.span, &*scalar.text != "open"))
            }
            NodeKind::List(nodes) if nodes.len() == 2 => {
                let mut names = nodes.iter().map(|node| self.parse_name(node));
                Some(GridDef::Keys(names.next()?, names.next()?))
            }
            _ => {
                self.wrong_shape(
                    node,
                    "two keys of the zone, or `open`",
                    "write `grid: [column, row]`, `grid: open` or `grid: open hexagons`",
                );
                None
            }
        }
    }

    /// Advises to split `bid: {type: {who: seat, amount: int}}`.
    fn advise_to_split(&mut self, name: &Name, parts: &Node) {
        let NodeKind::Map(entries) = &parts.kind else {
            return;
        };
        let own = entries.iter().map(|(part, of)| match &of.kind {
            NodeKind::Scalar(of) => format!("`{}_{}: {}`", name.text, part.text, of.text),
            NodeKind::List(_) | NodeKind::Map(_) => format!("`{}_{}`", name.text, part.text),
        });
        let own: Vec<String> = own.take(PARTS_SHOWN).collect();
        let help = format!("declare a variable for each part: {}", own.join(", "));
        self.wrong_shape(parts, "one type", &help);
    }

    /// Parses `order: any`.
    fn parse_order(&mut self, node: &Node) -> bool {
        let is_any = matches!(&node.kind, NodeKind::Scalar(scalar) if &*scalar.text == "any");
        if !is_any {
            let help =
                "write `order: any` if the order of the components means nothing, or leave it out";
            self.wrong_shape(node, "`any`", help);
        }
        is_any
    }

    /// Parses `coordinates: a1`.
    fn parse_coordinates(&mut self, node: &Node) -> Option<Span> {
        match &node.kind {
            NodeKind::Scalar(scalar) if &*scalar.text == "a1" => Some(scalar.span),
            _ => {
                let help = "write `coordinates: a1`: the first key of the grid becomes a letter, the second a number";
                self.wrong_shape(node, "the name of the first space", help);
                None
            }
        }
    }

    /// Parses `starter: seat`, or `bid: {type: int, each: seats, …}`.
    pub(super) fn parse_var(&mut self, key: &Scalar, node: &Node) -> Option<VarDef> {
        let name = self.parse_declared(key);
        if let NodeKind::Scalar(scalar) = &node.kind {
            if self.is_not_a_type(scalar, node) {
                return None;
            }
            return Some(VarDef {
                name,
                of: self.parse_name(node),
                ..VarDef::default()
            });
        }
        if let NodeKind::List(_) = &node.kind {
            let help = "write its type: `int`, `{type: int, each: seats}` for one value each, or `{type: ints, most: 12}` for a list";
            self.wrong_shape(node, "the type of a variable", help);
            return None;
        }
        let fields = self.fields(node, &keys::VAR)?;
        self.keep_look(key, fields.get("look"));
        let each = fields.get("each");
        if let Some(parts) = fields.get("type").filter(|of| of.keys().next().is_some()) {
            self.advise_to_split(&name, parts);
            return None;
        }
        if let Some(NodeKind::List(members)) = each.map(|each| &each.kind)
            && members.iter().any(is_seats)
        {
            let help = "give each key a name: `each: {by: seats, on: color}`";
            self.wrong_shape(each?, "keys with names", help);
            return None;
        }
        let (rows, key_of_each, each) = self.parse_keys_of_var(each);
        Some(VarDef {
            of: self.parse_var_type(key, fields.get("type")),
            name,
            rows,
            key: key_of_each,
            each,
            most: self.parse_value_of(fields.get("most")),
            see: self.parse_see(fields.get("see")),
            start: self.parse_value_of(fields.get("start")),
            lasts: fields.get("lasts").map(|node| self.parse_name(node)),
        })
    }

    /// Returns the keys before the last one, the last one, and its values.
    fn parse_keys_of_var(
        &mut self,
        each: Option<&Node>,
    ) -> (Vec<(Name, Expr)>, Option<Name>, Option<Expr>) {
        let has_keys = |each: &&Node| each.keys().any(|key| keys::CONDITIONAL.key(key).is_none());
        let Some(each) = each.filter(has_keys) else {
            return (Vec::new(), None, self.parse_value_of(each));
        };
        let mut keys = self.parse_pairs(Some(each));
        let (last, values) = keys.pop().unzip();
        if keys.len() >= KEYS_MAX {
            let help = "write them as fields of a component that stands for the combination";
            self.wrong_shape(each, "at most three keys", help);
        }
        (keys, last, values)
    }

    /// Reports a statement, a list or a value in the place of a type; returns whether it is one of these.
    fn is_not_a_type(&mut self, scalar: &Scalar, node: &Node) -> bool {
        let text = &*scalar.text;
        let (message, help) = if text.contains(' ') {
            let help = match text.starts_with("list ") {
                true => LISTS.to_owned(),
                false => "write `int`, `bool`, `seat` or the name of a type or kind; put statements under `effects:`".to_owned(),
            };
            (
                format!("`{}` is not a type of variables", text.trim()),
                help,
            )
        } else if text.ends_with("[]") {
            self.not_a_type_of_lists(node);
            return true;
        } else if text.parse::<i32>().is_ok() || matches!(text, "true" | "false") {
            let of = text.parse::<i32>().map_or("bool", |_| "int");
            let help = format!("write `{{type: {of}, start: {text}}}`");
            (format!("`{text}` is a value, not a type"), help)
        } else {
            return false;
        };
        self.holes = true;
        self.report
            .error("unknown-type", scalar.span, message, help);
        true
    }

    /// Reports `[int]`, `int[]` and `list of int`.
    fn not_a_type_of_lists(&mut self, node: &Node) {
        self.holes = true;
        let message = "this is not how a list is declared";
        self.report.error("unknown-type", node.span, message, LISTS);
    }

    fn parse_var_type(&mut self, key: &Scalar, node: Option<&Node>) -> Name {
        let help = "add its type, such as `type: int` or `type: seat`";
        let Some(node) = self.required(node, key, "type", help) else {
            return Name::new("", key.span);
        };
        let is_list = match &node.kind {
            NodeKind::List(_) => true,
            NodeKind::Scalar(of) => of.text.ends_with("[]") || of.text.starts_with("list "),
            NodeKind::Map(_) => false,
        };
        if is_list {
            self.not_a_type_of_lists(node);
            return Name::new("", key.span);
        }
        self.parse_name(node)
    }
}

/// Parts of a type that advice shows.
const PARTS_SHOWN: usize = 4;

fn is_seats(node: &Node) -> bool {
    matches!(&node.kind, NodeKind::Scalar(scalar) if &*scalar.text == "seats")
}
