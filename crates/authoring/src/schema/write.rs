//! Converts shapes to JSON Schema (draft 2020-12). Every table becomes a definition, so that definitions can be
//! recursive.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use wyrmgate_lang::keys;
use wyrmgate_lang::shape::{Key, Naming, Section, Shape, Table};

const DIALECT: &str = "http://json-schema.org/draft-07/schema#";

const NAME: &str = "^[a-z][a-z0-9_]*$";
const PATH: &str = r"^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)?$";
const GAME_NAME: &str = "^[a-z][a-z0-9_-]*$";
const CLAUSE: &str = "^[A-Z]{2,}-[0-9]+$";
const LANGUAGE: &str = "^[a-z]{2,3}(-[A-Za-z0-9]{1,8})*$";
const RANGE: &str = r"^-?[0-9]+ *\.\. *-?[0-9]+( +by +[0-9]+)?$";
const HANDLER: &str = "^(before|instead|after) ";

/// Returns a whole document. Required keys are required only if `complete`; a part of a game may omit them.
pub fn document(title: &str, root: Shape, complete: bool) -> Value {
    let mut writer = SchemaWriter::default();
    let mut document = Map::new();
    document.insert("$schema".into(), DIALECT.into());
    document.insert("title".into(), title.into());
    document.extend(writer.root(root, complete));
    document.insert("definitions".into(), writer.definitions());
    Value::Object(document)
}

#[derive(Default)]
struct SchemaWriter {
    /// Definitions by name. `None` while one is being written.
    tables: BTreeMap<String, Option<Value>>,
}

impl SchemaWriter {
    fn definitions(self) -> Value {
        let tables = self.tables.into_iter();
        let all = tables.filter_map(|(name, schema)| Some((name, schema?)));
        let mut all: Map<String, Value> = all.collect();
        all.insert("value".into(), value());
        Value::Object(all)
    }

    fn root(&mut self, root: Shape, complete: bool) -> Map<String, Value> {
        let schema = match root {
            Shape::Map(table) => self.table(table, complete),
            shape => self.shape(shape),
        };
        match schema {
            Value::Object(schema) => schema,
            _ => Map::new(),
        }
    }

    fn shape(&mut self, shape: Shape) -> Value {
        match shape {
            Shape::NameOf(of) if of.is_word() => {
                json!({"type": ["string", "number", "boolean", "null"]})
            }
            Shape::Name | Shape::NameOf(_) => json!({"type": "string", "pattern": NAME}),
            Shape::Path => json!({"type": "string", "pattern": PATH}),
            Shape::GameName => json!({"type": "string", "pattern": GAME_NAME}),
            Shape::Language => json!({"type": "string", "pattern": LANGUAGE}),
            Shape::Clause => json!({"type": "string", "pattern": CLAUSE}),
            Shape::Range => json!({"type": "string", "pattern": RANGE}),
            Shape::Text => json!({"type": ["string", "number", "boolean"]}),
            Shape::File => json!({"type": "string"}),
            Shape::Effect => {
                json!({"type": "string", "description": "Effect text. Several lines need `|`."})
            }
            Shape::Number => json!({"type": "integer", "minimum": 0}),
            Shape::Truth => json!({"type": "boolean"}),
            Shape::Nothing => json!({"type": "null"}),
            Shape::Json => json!({}),
            Shape::Word(words) => json!({"enum": words}),
            Shape::Value => json!({"$ref": "#/definitions/value"}),
            Shape::Conditions => json!({"$ref": "#/definitions/value"}),
            Shape::List(of) => json!({"type": "array", "items": self.shape(*of)}),
            Shape::Either(shapes) => {
                let shapes: Vec<Value> = shapes.iter().map(|shape| self.shape(*shape)).collect();
                json!({"anyOf": shapes})
            }
            Shape::Edits => edits(),
            Shape::Section(section) => self.section(section),
            Shape::Map(table) => self.reference(table),
        }
    }

    fn section(&mut self, section: &Section) -> Value {
        let of = self.shape(section.of);
        let mut schema = Map::from_iter([("type".to_owned(), json!(["object", "null"]))]);
        match pattern(section.keys) {
            Some(pattern) => {
                schema.insert("patternProperties".into(), json!({pattern: of}));
                schema.insert("additionalProperties".into(), false.into());
            }
            None => {
                schema.insert("additionalProperties".into(), of);
            }
        }
        Value::Object(schema)
    }

    fn reference(&mut self, table: &'static Table) -> Value {
        let name = definition_name(table);
        if !self.tables.contains_key(&name) {
            self.tables.insert(name.clone(), None);
            let schema = self.table(table, true);
            self.tables.insert(name.clone(), Some(schema));
        }
        json!({"$ref": format!("#/definitions/{name}")})
    }

    fn table(&mut self, table: &Table, complete: bool) -> Value {
        let mut properties = Map::new();
        for key in table.keys {
            properties.insert(key.name.into(), self.key(key));
        }
        let others = match table.others {
            None => Value::Bool(false),
            Some(shape) => self.shape(shape),
        };
        let required = table.keys.iter().filter(|key| key.required && complete);
        let required: Vec<&str> = required.map(|key| key.name).collect();
        let mut schema = json!({"type": "object", "properties": properties});
        if let Some(schema) = schema.as_object_mut() {
            if !required.is_empty() {
                schema.insert("required".into(), json!(required));
            }
            schema.insert("additionalProperties".into(), others);
        }
        schema
    }

    /// Returns the schema of a key. Older drafts ignore a description beside a reference, so the reference is inside
    /// `allOf`.
    fn key(&mut self, key: &Key) -> Value {
        let mut schema = Map::new();
        let example = format!("{} Example: `{}: {}`", key.about, key.name, key.example);
        schema.insert("description".into(), example.into());
        match self.shape(key.shape) {
            Value::Object(shape) if shape.contains_key("$ref") => {
                schema.insert("allOf".into(), json!([shape]));
            }
            Value::Object(mut shape) => {
                shape.remove("description");
                schema.extend(shape);
            }
            _ => {}
        }
        Value::Object(schema)
    }
}

/// Returns the schema of an expression, which YAML may also parse as a number or a Boolean.
fn value() -> Value {
    json!({
        "description": "An expression, a list of expressions, or `{if: …, then: …, else: …}`.",
        "anyOf": [
            {"type": ["string", "integer", "boolean"]},
            {"type": "array", "items": {"$ref": "#/definitions/value"}},
            {
                "type": "object",
                "properties": {
                    "if": {"$ref": "#/definitions/value"},
                    "then": {"$ref": "#/definitions/value"},
                    "else": {"$ref": "#/definitions/value"},
                },
                "required": ["if", "then", "else"],
                "additionalProperties": false,
            },
        ],
    })
}

/// Returns the schema of edits: parts of a game by section, or by a path that begins with one. Their content depends on
/// the game.
fn edits() -> Value {
    let sections = keys::GAME
        .names()
        .into_iter()
        .filter(|name| !matches!(*name, "game" | "include"));
    let sections: Vec<&str> = sections.collect();
    let way = format!("^({})(\\..+)?$", sections.join("|"));
    json!({"type": ["object", "null"], "propertyNames": {"pattern": way}})
}

fn pattern(naming: Naming) -> Option<&'static str> {
    match naming {
        Naming::Name | Naming::Option => Some(NAME),
        Naming::Path => Some(PATH),
        Naming::Clause => Some(CLAUSE),
        Naming::Language => Some(LANGUAGE),
        Naming::Handler => Some(HANDLER),
        Naming::Signature | Naming::Query => Some("^[a-z]"),
        Naming::Text => None,
    }
}

/// Converts `a value of a type` to `value-of-a-type`. Tables with the same name share a definition.
fn definition_name(table: &Table) -> String {
    let words = table.what.trim_matches('`');
    let words = words
        .strip_prefix("a ")
        .or_else(|| words.strip_prefix("an "))
        .unwrap_or(words);
    words.replace('\'', "").replace(' ', "-")
}
