//! The served form of the document: what answers contain may grow, so that clients survive the next version. Requests stay as
//! they are.
//!
//! One pass over the document does it, so that a new enumeration in an answer is open without a word. A schema that requests
//! and answers share is copied for requests, as `NewClock` beside `Clock`.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::api::shared::accept::JSON;

type Names = BTreeSet<String>;
type Schemas = Map<String, Value>;

const SCHEMAS: &str = "#/components/schemas/";
/// Enumerations in answers that never grow: the operations of a patch, of which a client must know all, and comparisons.
const CLOSED: [&str; 2] = ["OperationKind", "Relation"];
/// What clients send as they have received it: it is the same in both directions.
const ECHOED: [&str; 2] = ["GameRecord", "StandingOrders"];
/// Members that contain no schemas.
const VALUES: [&str; 5] = ["example", "examples", "default", "enum", "discriminator"];
/// Where a response has what is not in its typed form.
const OTHER_FORMS: &str = "x-other-forms";

/// Opens the answers of a complete document.
pub fn open(document: &mut Value) {
    let schemas = document.pointer_mut("/components/schemas");
    let Some(Value::Object(mut schemas)) = schemas.map(Value::take) else {
        return;
    };
    open_unions(&mut schemas);
    let original = schemas.clone();
    let answered = reached(&original, parts(document, true), &[]);
    let asked = reached(&original, parts(document, false), &ECHOED);
    for (_, schema) in schemas
        .iter_mut()
        .filter(|(name, _)| answered.contains(*name))
    {
        open_within(schema, &original);
    }
    let copied = differing(answered.intersection(&asked), &original, &schemas);
    for name in &asked {
        let mut schema = original.get(name).cloned().unwrap_or_default();
        refer_to_copies(&mut schema, &copied);
        match (copied.contains(name), answered.contains(name)) {
            (true, _) => schemas.insert(copy_of(name), schema),
            (false, true) => None,
            (false, false) => schemas.insert(name.clone(), schema),
        };
    }
    for part in parts(document, false) {
        refer_to_copies(part, &copied);
    }
    for part in parts(document, true) {
        open_within(part, &original);
        set_other_forms_apart(part);
    }
    if let Some(place) = document.pointer_mut("/components/schemas") {
        *place = Value::Object(schemas);
    }
}

fn copy_of(name: &str) -> String {
    format!("New{name}")
}

/// Returns the parts of the document that describe answers, webhooks among them, or those that describe requests.
fn parts(document: &mut Value, of_answers: bool) -> Vec<&mut Value> {
    let of_operation = match of_answers {
        true => ["responses", "headers"],
        false => ["requestBody", "parameters"],
    };
    let mut found = Vec::new();
    let members = document.as_object_mut().into_iter().flatten();
    for (key, value) in members {
        if key == "paths" {
            let items = value.as_object_mut().into_iter().flat_map(Map::values_mut);
            let operations = items
                .filter_map(Value::as_object_mut)
                .flat_map(Map::values_mut);
            found.extend(operations.flat_map(|operation| of_keys(operation, of_operation)));
        } else if of_answers && key == "components" {
            found.extend(of_keys(value, of_operation));
        } else if of_answers && key == "webhooks" {
            found.push(value);
        }
    }
    found
}

fn of_keys<'v>(object: &'v mut Value, keys: [&str; 2]) -> Vec<&'v mut Value> {
    let members = object.as_object_mut().into_iter().flatten();
    let members = members.filter(|(key, _)| keys.contains(&key.as_str()));
    members.map(|(_, member)| member).collect()
}

/// Returns the names of the schemas to which these parts lead. References in `except` are not followed.
fn reached(schemas: &Schemas, parts: Vec<&mut Value>, except: &[&str]) -> Names {
    let mut open = Names::new();
    parts.iter().for_each(|part| refers(part, &mut open));
    let mut found = Names::new();
    while let Some(name) = open.pop_first() {
        if !except.contains(&name.as_str()) && found.insert(name.clone()) {
            let schema = schemas.get(&name);
            schema.iter().for_each(|schema| refers(schema, &mut open));
        }
        open.retain(|name| !found.contains(name));
    }
    found
}

/// Adds the names of the schemas to which a value refers.
fn refers(value: &Value, names: &mut Names) {
    names.extend(named(value).map(str::to_owned));
    match value {
        Value::Object(members) => {
            let members = members
                .iter()
                .filter(|(key, _)| !VALUES.contains(&key.as_str()));
            members.for_each(|(_, member)| refers(member, names));
        }
        Value::Array(elements) => elements.iter().for_each(|element| refers(element, names)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn named(value: &Value) -> Option<&str> {
    value.get("$ref")?.as_str()?.strip_prefix(SCHEMAS)
}

/// Returns the schemas that have changed, or that lead to one that has.
fn differing<'n>(
    names: impl Iterator<Item = &'n String> + Clone,
    original: &Schemas,
    opened: &Schemas,
) -> Names {
    let mut found = Names::new();
    loop {
        let differs = |name: &&String| {
            let mut leads = Names::new();
            original
                .get(*name)
                .iter()
                .for_each(|schema| refers(schema, &mut leads));
            original.get(*name) != opened.get(*name) || !leads.is_disjoint(&found)
        };
        let all: Names = names.clone().filter(differs).cloned().collect();
        if all == found {
            return found;
        }
        found = all;
    }
}

fn refer_to_copies(value: &mut Value, copied: &Names) {
    if let Some(name) = named(value)
        .filter(|name| copied.contains(*name))
        .map(copy_of)
    {
        value["$ref"] = json!(format!("{SCHEMAS}{name}"));
    }
    children(value).for_each(|child| refer_to_copies(child, copied));
}

/// Returns the members or elements of a value that can contain schemas.
fn children(value: &mut Value) -> Box<dyn Iterator<Item = &mut Value> + '_> {
    match value {
        Value::Object(members) => {
            let members = members.iter_mut();
            let members = members.filter(|(key, _)| !VALUES.contains(&key.as_str()));
            Box::new(members.map(|(_, member)| member))
        }
        Value::Array(elements) => Box::new(elements.iter_mut()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            Box::new(std::iter::empty())
        }
    }
}

/// Gives each union of schemas that a member tells apart a last branch for what a client does not know.
fn open_unions(schemas: &mut Schemas) {
    let unions = schemas.iter().filter_map(|(name, schema)| {
        let by = schema.pointer("/discriminator/propertyName")?.as_str()?;
        Some((name.clone(), by.to_owned()))
    });
    for (name, by) in unions.collect::<Vec<_>>() {
        let last = name.rfind(char::is_uppercase).unwrap_or_default();
        let kind = name.get(last..).unwrap_or_default();
        let (known, other) = (format!("Known{kind}"), format!("Other{kind}"));
        let reference = |name: &str| json!({"$ref": format!("{SCHEMAS}{name}")});
        let any = json!({
            "description": format!("One of those that this version knows, or another. Newer servers may send others; ignore those."),
            "anyOf": [reference(&known), reference(&other)],
        });
        let unknown = json!({
            "type": "object",
            "description": "One that this version does not know.",
            "required": [by],
            "properties": {by: {"type": "string"}},
            "additionalProperties": true,
        });
        let union = schemas.insert(name, any).unwrap_or_default();
        schemas.extend([(known, union), (other, unknown)]);
    }
}

/// Opens a schema, or a part of the document with schemas. A named enumeration stays as it is: where answers refer to it, they
/// may also have another text.
fn open_within(value: &mut Value, schemas: &Schemas) {
    if let Value::Object(members) = value {
        if members.get("additionalProperties") == Some(&Value::Bool(false)) {
            members.remove("additionalProperties");
        }
        // A list of words may be written as a pattern.
        if members.get("pattern").is_some_and(Value::is_string) {
            members.remove("pattern");
        }
    }
    for child in children(value) {
        open_within(child, schemas);
        let is_named = named(child).is_some_and(|name| {
            !CLOSED.contains(&name) && schemas.get(name).is_some_and(is_enumeration)
        });
        let description = child.get("description").cloned();
        if is_named {
            *child = json!({"anyOf": [child.take(), {"type": "string"}]});
        } else if is_enumeration(child) {
            // Generators have no name for a union that has none.
            let words = child.get("enum").cloned().unwrap_or_default();
            *child = json!({"type": "string", "examples": words});
        }
        if let Some(description) = description.filter(|_| child.get("description").is_none()) {
            child["description"] = description;
        }
    }
}

/// Returns whether a schema lists several words.
fn is_enumeration(schema: &Value) -> bool {
    let words = schema.get("enum").and_then(Value::as_array);
    words.is_some_and(|words| words.len() > 1 && words.iter().all(Value::is_string))
}

/// Leaves the typed form alone in the content of each response: generators make `View | string` of two. `x-other-forms` has the
/// others.
fn set_other_forms_apart(responses: &mut Value) {
    for (status, response) in responses.as_object_mut().into_iter().flatten() {
        let Some(Value::Object(content)) = response.get_mut("content") else {
            continue;
        };
        if !status.starts_with('2') || content.len() < 2 || !content.contains_key(JSON) {
            continue;
        }
        let (typed, others): (Schemas, Schemas) = std::mem::take(content)
            .into_iter()
            .partition(|(form, _)| form == JSON);
        let forms: Vec<String> = others.keys().map(|form| format!("`{form}`")).collect();
        *content = typed;
        let description = response.get("description").and_then(Value::as_str);
        let description = description.unwrap_or_default();
        response["description"] = json!(format!("{description}. Also as {}", forms.join(", ")));
        response[OTHER_FORMS] = Value::Object(others);
    }
}
