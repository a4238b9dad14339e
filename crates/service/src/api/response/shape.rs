//! What JSON answers consist of, according to the OpenAPI document.

use serde_json::{Map, Value};

use crate::api::shared::accept::{EVENT_STREAM, JSON, JSON_LINES};

/// The shape of an answer or a part of it according to the document: one of these schemas.
#[derive(Debug, Clone)]
pub struct AnswerShape<'d> {
    document: &'d Value,
    schemas: Vec<&'d Value>,
    /// The references that led to them, each once.
    references: Vec<&'d str>,
    /// Whether it can have any members.
    is_open: bool,
}

/// Returns the forms of the successful answers of an operation that consist of JSON.
pub fn forms(operation: &Value) -> Vec<&'static str> {
    let known = [JSON, JSON_LINES, EVENT_STREAM].into_iter();
    let has = |media: &&str| answers(operation).any(|content| content.get(*media).is_some());
    known.filter(has).collect()
}

/// Returns the content of the successful answers of an operation.
pub fn answers(operation: &Value) -> impl Iterator<Item = &Value> {
    let responses = operation.get("responses").and_then(Value::as_object);
    let responses = responses.into_iter().flatten();
    let successful = responses.filter(|(status, _)| status.starts_with('2'));
    successful.filter_map(|(_, response)| response.get("content"))
}

impl<'d> AnswerShape<'d> {
    /// Returns the shape of the successful answers of an operation in one form.
    pub fn of_answer(document: &'d Value, operation: &'d Value, media: &str) -> AnswerShape<'d> {
        // A stream begins with a view, and then has what lines have.
        let streamed = ["View", "Change"].iter().filter_map(|name| {
            let all = document.pointer("/components/schemas")?;
            all.get(*name)
        });
        match media {
            EVENT_STREAM => AnswerShape::of(document, streamed),
            _ => {
                let answers = answers(operation);
                AnswerShape::of(
                    document,
                    answers.filter_map(|content| content.get(media)?.get("schema")),
                )
            }
        }
    }

    fn of(document: &'d Value, schemas: impl Iterator<Item = &'d Value>) -> AnswerShape<'d> {
        let mut shape = AnswerShape {
            document,
            schemas: Vec::new(),
            references: Vec::new(),
            is_open: false,
        };
        schemas.for_each(|schema| shape.add(schema));
        shape
    }

    /// Adds a schema with all that it refers to and combines. The elements of a list stand for it.
    fn add(&mut self, schema: &'d Value) {
        if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
            return self.refer(name);
        }
        for key in ["allOf", "oneOf", "anyOf"] {
            let parts = schema.get(key).and_then(Value::as_array);
            parts.into_iter().flatten().for_each(|part| self.add(part));
        }
        if let Some(items) = schema.get("items") {
            self.add(items);
        }
        let others = schema.get("additionalProperties");
        let says_nothing = schema.as_object().is_some_and(Map::is_empty);
        self.is_open |= others == Some(&Value::Bool(true)) || says_nothing;
        if schema.get("properties").is_some() || others.is_some() {
            self.schemas.push(schema);
        }
    }

    fn refer(&mut self, name: &'d str) {
        if self.references.contains(&name) {
            return;
        }
        self.references.push(name);
        let target = name.strip_prefix('#');
        if let Some(target) = target.and_then(|pointer| self.document.pointer(pointer)) {
            self.add(target);
        }
    }

    /// Returns the shape of a member, or the names of all members.
    pub fn member(&self, name: &str) -> Result<AnswerShape<'d>, Vec<String>> {
        let members = self.schemas.iter().flat_map(|schema| {
            let named = schema
                .get("properties")
                .and_then(|members| members.get(name));
            let others = schema
                .get("additionalProperties")
                .filter(|any| any.is_object());
            [named, others]
        });
        let members: Vec<&'d Value> = members.flatten().collect();
        match (members.is_empty(), self.is_open) {
            (false, _) => Ok(AnswerShape::of(self.document, members.into_iter())),
            (true, true) => Ok(AnswerShape {
                is_open: true,
                ..AnswerShape::of(self.document, std::iter::empty())
            }),
            (true, false) => Err(self.names()),
        }
    }

    /// Returns the names of all members that the document lists.
    pub fn names(&self) -> Vec<String> {
        let members = self
            .schemas
            .iter()
            .filter_map(|schema| schema.get("properties")?.as_object());
        let mut names: Vec<String> = Vec::new();
        for name in members.flat_map(Map::keys) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }
}
