//! The examples of the OpenAPI document: real exchanges with this server, from shipped games.
//!
//! `openapi/examples.json` is a script with its answers. A row is a request; `{name}` in it stands for a value of an earlier
//! answer (`keep`: name → JSON pointer). `until` says which value a member must reach before the answer counts. A test sends
//! the requests again and compares the answers; with `WYRMGATE_BLESS=1` it writes them to the file.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::api::shared::accept::{EVENT_STREAM, JSON, JSON_LINES};
use wyrmgate_base::presume::Presume;

const EXCHANGES: &str = include_str!("../../../../../openapi/examples.json");

/// A request and its answer.
#[derive(Deserialize)]
struct ExampleExchange {
    operation: String,
    about: String,
    /// The media type that the client asks for. JSON if absent.
    accept: Option<String>,
    send: Option<Value>,
    #[serde(default)]
    keep: BTreeMap<String, String>,
    status: u16,
    /// The body of the answer; text for media types other than JSON.
    gives: Option<Value>,
}

/// Adds the examples to the requests and answers of the document.
pub fn insert(document: &mut Value) {
    // A unit test reads the file.
    let exchanges: Vec<ExampleExchange> = serde_json::from_str(EXCHANGES)
        .presume("the recorded exchanges can be read")
        .unwrap_or_default();
    let mut kept = BTreeMap::new();
    for exchange in exchanges {
        if let Some(operation) = find(document, &exchange.operation) {
            exchange.insert(operation, &kept);
        }
        let answer = exchange.gives.as_ref();
        let found = exchange.keep.iter().filter_map(|(name, pointer)| {
            let value = answer?.pointer(pointer)?.as_str()?;
            Some((name.clone(), value.to_owned()))
        });
        kept.extend(found);
    }
}

fn find<'d>(document: &'d mut Value, id: &str) -> Option<&'d mut Value> {
    let paths = document.get_mut("paths")?.as_object_mut()?;
    let items = paths.values_mut().filter_map(Value::as_object_mut);
    let mut operations = items.flat_map(Map::values_mut);
    operations.find(|operation| operation.get("operationId").is_some_and(|of| of == id))
}

impl ExampleExchange {
    fn insert(&self, operation: &mut Value, kept: &BTreeMap<String, String>) {
        let media_type = self.accept.as_deref().unwrap_or(JSON);
        if let Some(sent) = &self.send {
            let content = operation.pointer_mut("/requestBody/content");
            self.insert_in(content, JSON, filled(sent, kept));
        }
        if let Some(given) = &self.gives {
            let response = operation.get_mut("responses");
            let response = response.and_then(|all| all.get_mut(self.status.to_string()));
            let content = response.and_then(|response| response.get_mut("content"));
            self.insert_in(content, media_type, shown(media_type, given));
        }
    }

    fn insert_in(&self, content: Option<&mut Value>, media_type: &str, value: Value) {
        let Some(Value::Object(form)) = content.and_then(|content| content.get_mut(media_type))
        else {
            return;
        };
        let examples = form.entry("examples").or_insert_with(|| json!({}));
        if let Some(examples) = examples.as_object_mut() {
            let name = name(&self.about);
            examples.insert(name, json!({"summary": self.about, "value": value}));
        }
    }
}

/// Returns what the document shows of an answer. The schema of lines describes one line, and that of a stream the data of one
/// message.
fn shown(media_type: &str, given: &Value) -> Value {
    let mut lines = given.as_str().into_iter().flat_map(str::lines);
    let line = match media_type {
        JSON_LINES => lines.next(),
        EVENT_STREAM => lines.find_map(|line| line.strip_prefix("data: ")),
        _ => None,
    };
    let read = |line| serde_json::from_str(line).presume("a recorded line is JSON");
    line.map_or_else(|| given.clone(), |line| read(line).unwrap_or_default())
}

/// Returns a value with what its `{name}`s stand for.
fn filled(value: &Value, kept: &BTreeMap<String, String>) -> Value {
    match value {
        Value::String(text) => {
            let mut text = text.clone();
            for (name, value) in kept {
                text = text.replace(&format!("{{{name}}}"), value);
            }
            Value::String(text)
        }
        Value::Array(elements) => elements
            .iter()
            .map(|element| filled(element, kept))
            .collect(),
        Value::Object(members) => {
            let members = members.iter();
            let members = members.map(|(name, value)| (name.clone(), filled(value, kept)));
            Value::Object(members.collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

/// Returns the name of an example: its first words.
fn name(about: &str) -> String {
    let words = about.split(|letter: char| !letter.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty()).take(6);
    words.map(str::to_lowercase).collect::<Vec<_>>().join("-")
}
