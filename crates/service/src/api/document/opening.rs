//! The served form of the document: what answers contain may grow, so that clients survive the next version. Requests stay as
//! they are.
//!
//! One pass over the document does it, so that a new enumeration in an answer is open without a word. A schema that requests
//! and answers share is copied for requests, as `SentClock` beside `Clock`.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::api::shared::accept::JSON;

type Names = BTreeSet<String>;
type Schemas = Map<String, Value>;

const SCHEMAS: &str = "#/components/schemas/";
/// Members of the document, without its schemas, that describe answers; clients receive webhooks.
const ANSWERS: [&str; 3] = ["responses", "headers", "webhooks"];
const REQUESTS: [&str; 2] = ["requestBody", "parameters"];
/// Enumerations in answers that never grow: the operations of a patch, of which a client must know all, and comparisons.
const CLOSED: [&str; 2] = ["OperationKind", "Relation"];
/// What clients send as they have received it: it is the same in both directions.
const ECHOED: [&str; 2] = ["GameRecord", "StandingOrders"];
/// Members that contain no schemas.
const VALUES: [&str; 5] = ["example", "examples", "default", "enum", "discriminator"];

/// Opens the answers of a complete document.
pub fn open(document: &mut Value) {
    let place = document.pointer_mut("/components/schemas");
    let Some(Value::Object(mut schemas)) = place.map(Value::take) else {
        return;
    };
    open_unions(&mut schemas);
    let answered = reached(&schemas, parts(document, &ANSWERS), &[]);
    let asked = reached(&schemas, parts(document, &REQUESTS), &ECHOED);
    let mut copied: Names = answered.intersection(&asked).cloned().collect();
    // Objects of requests have no other members.
    let others = |name: &String| schemas.get(name)?.get("additionalProperties");
    copied.retain(|name| others(name) == Some(&Value::Bool(false)));
    let original = schemas.clone();
    for name in asked.difference(&answered).chain(&copied) {
        let mut schema = original.get(name).cloned().unwrap_or_default();
        refer_to_copies(&mut schema, &copied);
        schemas.insert(for_requests(name, &copied), schema);
    }
    let asking = parts(document, &REQUESTS).into_iter();
    asking.for_each(|part| refer_to_copies(part, &copied));
    for part in parts(document, &ANSWERS) {
        visit(part, &mut |schema| open_schema(schema, &original));
        set_other_forms_apart(part);
    }
    for (name, schema) in schemas.iter_mut() {
        if answered.contains(name) && !is_enumeration(schema) {
            visit(schema, &mut |schema| open_schema(schema, &original));
        }
    }
    // What only answers have said by its name is written out there.
    let is_closed = |name: &String| CLOSED.contains(&name.as_str()) || asked.contains(name);
    schemas.retain(|name, schema| is_closed(name) || !is_enumeration(schema));
    if let Some(place) = document.pointer_mut("/components/schemas") {
        *place = Value::Object(schemas);
    }
}

/// Returns the name under which requests have a schema.
fn for_requests(name: &str, copied: &Names) -> String {
    let copy = if copied.contains(name) { "Sent" } else { "" };
    format!("{copy}{name}")
}

/// Returns the members of the document with these keys.
fn parts<'v>(value: &'v mut Value, keys: &[&str]) -> Vec<&'v mut Value> {
    let mut found = Vec::new();
    for (key, member) in value.as_object_mut().into_iter().flatten() {
        if keys.contains(&key.as_str()) {
            found.push(member);
        } else if key != "webhooks" {
            found.extend(parts(member, keys));
        }
    }
    found
}

/// Calls `work` with everything in a value that can be a schema, from the inside out.
fn visit(value: &mut Value, work: &mut dyn FnMut(&mut Value)) {
    match value {
        Value::Object(members) => {
            let members = members.iter_mut();
            let members = members.filter(|(key, _)| !VALUES.contains(&key.as_str()));
            members.for_each(|(_, member)| visit(member, work));
        }
        Value::Array(elements) => elements.iter_mut().for_each(|of| visit(of, work)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    work(value);
}

/// Returns the names of the schemas to which these parts lead. References in `except` are not followed.
fn reached(schemas: &Schemas, parts: Vec<&mut Value>, except: &[&str]) -> Names {
    let mut found = Names::new();
    let mut open: Vec<Value> = parts.into_iter().map(|part| part.clone()).collect();
    while let Some(mut part) = open.pop() {
        visit(&mut part, &mut |value| {
            let name = named(value).filter(|name| !except.contains(name));
            if let Some(name) = name.filter(|name| found.insert((*name).to_owned())) {
                open.extend(schemas.get(name).cloned());
            }
        });
    }
    found
}

/// Returns the name of the schema to which a value refers.
fn named(value: &Value) -> Option<&str> {
    value.get("$ref")?.as_str()?.strip_prefix(SCHEMAS)
}

fn refer_to_copies(value: &mut Value, copied: &Names) {
    visit(value, &mut |value| {
        if let Some(name) = named(value).map(|name| for_requests(name, copied)) {
            value["$ref"] = json!(format!("{SCHEMAS}{name}"));
        }
    });
}

/// Gives each union of schemas that a member tells apart a last branch for what a client does not know.
fn open_unions(schemas: &mut Schemas) {
    let unions = schemas.iter().filter_map(|(name, schema)| {
        let by = schema.pointer("/discriminator/propertyName")?.as_str()?;
        Some((name.clone(), by.to_owned()))
    });
    for (name, by) in unions.collect::<Vec<_>>() {
        let last = name.rfind(char::is_uppercase).unwrap_or_default();
        let [known, other] = ["Known", "Other"].map(|of| format!("{of}{}", &name[last..]));
        let reference = |name: &str| json!({"$ref": format!("{SCHEMAS}{name}")});
        let any = json!({"anyOf": [reference(&known), reference(&other)],
            "description": "One that this version knows, or another. Newer servers may send others; ignore those."});
        let unknown = json!({"type": "object", "required": [by], "properties": {by: {"type": "string"}},
            "additionalProperties": true, "description": "One that this version does not know."});
        let union = schemas.insert(name, any).unwrap_or_default();
        schemas.extend([(known, union), (other, unknown)]);
    }
}

/// Opens a schema: it may have other members, and another text where words are listed, as enumeration or as pattern.
fn open_schema(schema: &mut Value, schemas: &Schemas) {
    let of = named(schema).filter(|name| !CLOSED.contains(name));
    if let Some(of) = of
        .and_then(|name| schemas.get(name))
        .filter(|of| is_enumeration(of))
    {
        // Generators know this form by heart where it is written out, and only there.
        let words = json!({"type": "string", "enum": of.get("enum")});
        let description = schema.get("description").or(of.get("description"));
        let description = description.and_then(Value::as_str).unwrap_or("A word.");
        *schema = json!({"description": description, "anyOf": [words, {"type": "string"}]});
    }
    let is_bound = |value: &Value| value == &Value::Bool(false) || value.is_string();
    let is_listed = is_enumeration(schema);
    let members = schema.as_object_mut().into_iter();
    members.for_each(|members| {
        members.retain(|key, value| match key.as_str() {
            "additionalProperties" | "pattern" => !is_bound(value),
            key => key != "enum" || !is_listed,
        });
    });
}

/// Returns whether a schema lists several words.
fn is_enumeration(schema: &Value) -> bool {
    let words = schema.get("enum").and_then(Value::as_array);
    words.is_some_and(|words| words.len() > 1 && words.iter().all(Value::is_string))
}

/// Leaves the typed form alone in the content of each response: generators make `View | string` of two. `x-other-forms` has the
/// others.
fn set_other_forms_apart(responses: &mut Value) {
    let responses = responses.as_object_mut().into_iter().flatten();
    for (_, response) in responses.filter(|(status, _)| status.starts_with('2')) {
        let content = response.get_mut("content").and_then(Value::as_object_mut);
        let Some(content) = content.filter(|of| of.len() > 1 && of.contains_key(JSON)) else {
            continue;
        };
        let typed = content.shift_remove(JSON).unwrap_or_default();
        let others = std::mem::replace(content, Map::from_iter([(JSON.to_owned(), typed)]));
        let forms: Vec<&str> = others.keys().map(String::as_str).collect();
        let description = response["description"].as_str().unwrap_or_default();
        let description = format!("{description}. Also as `{}`", forms.join("`, `"));
        response["description"] = description.into();
        response["x-other-forms"] = Value::Object(others);
    }
}
