//! Constraints on request bodies that Rust types cannot express, such as "exactly one of these members". With them,
//! every request that a client generates from the OpenAPI document is well-formed.

use serde_json::{Map, Value, json};

use crate::api::document::form::DocumentForm;
use crate::api::request::numbers::WHOLE_MAX;

/// Completes the schemas of request bodies.
pub fn complete(document: &mut Value, form: DocumentForm) {
    let Some(schemas) = document
        .pointer_mut("/components/schemas")
        .and_then(Value::as_object_mut)
    else {
        return;
    };
    let record = match form {
        DocumentForm::Clients => "GameRecord", // a client sends what it has received
        DocumentForm::Strict => {
            let record = sent_record(schemas);
            schemas.extend(record);
            constrain(schemas);
            "SentRecord"
        }
    };
    let file = r"^[a-z0-9_-]{1,64}\.yaml$";
    let names =
        json!({"minProperties": 1, "maxProperties": 64, "propertyNames": {"pattern": file}});
    put(schemas, "NewRuleset", "files", names);
    let viewer = schemas.get_mut("StepViewer");
    if let Some(seat) = viewer.and_then(|viewer| viewer.pointer_mut("/oneOf/0")) {
        *seat = json!({"type": "integer", "minimum": 1, "maximum": 8});
    }
    let pointer = json!({"pattern": "^/"});
    put(schemas, "StandingCondition", "at", pointer);
    let scalar = json!({"type": ["integer", "string", "boolean"], "minimum": -WHOLE_MAX, "maximum": WHOLE_MAX});
    put(schemas, "StandingCondition", "value", scalar);
    if form == DocumentForm::Strict {
        let event = json!({"required": ["type"], "properties": {"type": {"type": "string"}}});
        let event = json!({"oneOf": [{"type": "null"}, {"type": "object", "allOf": [event]}]});
        put(schemas, "StandingOrder", "event", event);
    }
    let invite = json!({"pattern": "^wg_invite_[0-9a-f]{64}$"});
    put(schemas, "NewClaim", "invite_code", invite);
    let name = json!({"pattern": r"^[^\x00-\x1f\x7f-\x9f]*$"});
    put(schemas, "NewClaim", "name", name);
    let record = format!("#/components/schemas/{record}");
    let record = json!({"oneOf": [{"type": "null"}, {"$ref": record}]});
    put(schemas, "NewSession", "record", record);
}

/// Adds what members may stand beside each other.
fn constrain(schemas: &mut Map<String, Value>) {
    let mut step = schemas.get("NewStep").cloned().unwrap_or_default();
    let members = step.get_mut("properties").and_then(Value::as_object_mut);
    if let Some(members) = members {
        members.retain(|member, _| !["imagine", "steps"].contains(&member.as_str()));
    }
    if let Some(step) = step.as_object_mut() {
        step.insert("allOf".into(), either_or());
    }
    schemas.insert("ListedStep".into(), step);
    let listed = json!({"items": {"$ref": "#/components/schemas/ListedStep"}});
    put(schemas, "NewStep", "steps", listed);
    for (name, more) in [
        ("NewMove", one_of(moves())),
        ("NewSession", one_of(sessions())),
        ("NewSimulation", one_of(from_rules())),
        ("NewStep", steps()),
        ("NewUndo", at_most_one(&["to", "agree"])),
        ("NewClaim", claim()),
        ("StandingAnswer", one_of(answers())),
    ] {
        if let (Some(Value::Object(schema)), Value::Object(more)) = (schemas.get_mut(name), more) {
            schema.extend(more);
        }
    }
}

/// Requires an optional body to be an object when it is present.
pub fn never_null(operation: &mut Map<String, Value>) {
    let schema = operation
        .get_mut("requestBody")
        .and_then(|body| body.pointer_mut("/content/application~1json/schema"));
    let Some(schema) = schema else { return };
    let branches = schema.get("oneOf").and_then(Value::as_array);
    let named = branches.and_then(|all| all.iter().find(|branch| branch.get("$ref").is_some()));
    if let Some(named) = named.cloned() {
        *schema = named;
    }
}

fn put(schemas: &mut Map<String, Value>, schema: &str, member: &str, more: Value) {
    let place = schemas
        .get_mut(schema)
        .and_then(|schema| schema.get_mut("properties")?.get_mut(member));
    if let (Some(Value::Object(place)), Value::Object(more)) = (place, more) {
        if more.contains_key("oneOf") {
            place.retain(|key, _| key == "description");
        }
        place.extend(more);
    }
}

fn one_of(branches: Vec<Value>) -> Value {
    json!({"oneOf": branches})
}

/// Returns a schema that requires this member to be present and not null, and forbids the others.
fn only(member: &str, absent: &[&str]) -> Value {
    let mut properties = Map::new();
    properties.insert(member.into(), json!({"not": {"type": "null"}}));
    properties.extend(nulls(absent.iter().copied()));
    json!({"required": [member], "properties": properties})
}

/// Returns schemas that forbid members.
fn nulls<'m>(members: impl Iterator<Item = &'m str>) -> impl Iterator<Item = (String, Value)> {
    members.map(|name| (name.to_owned(), json!({"type": "null"})))
}

/// Returns a schema that forbids all but one of the members.
fn at_most_one(members: &[&str]) -> Value {
    let without_others = members.iter().map(|member| {
        let others = members.iter().copied().filter(|other| other != member);
        json!({"properties": nulls(others).collect::<Map<String, Value>>()})
    });
    json!({"anyOf": without_others.collect::<Vec<_>>()})
}

fn moves() -> Vec<Value> {
    vec![
        only("id", &["option", "args"]),
        only("option", &["id"]),
        only("args", &["id", "option"]),
    ]
}

fn from_rules() -> Vec<Value> {
    vec![only("game", &["ruleset"]), only("ruleset", &["game"])]
}

fn sessions() -> Vec<Value> {
    let record = only("record", &["game", "variant", "rematch_of", "seed"]);
    vec![
        only("game", &["ruleset", "record", "rematch_of"]),
        only("ruleset", &["game", "variant", "record", "rematch_of"]),
        without_options(record),
        only("rematch_of", &["game", "ruleset", "record"]),
    ]
}

/// Returns the constraints of a step. Those of a list are judged one by one, with what they have in common.
fn steps() -> Value {
    json!({
        "oneOf": [
            without_options(only("state", &["game", "ruleset", "seed", "seats", "explicit_chance", "steps"])),
            only("game", &["state", "ruleset", "steps"]),
            only("ruleset", &["state", "game", "steps"]),
            only("steps", &["imagine"]),
        ],
        "allOf": either_or(),
    })
}

/// Returns what excludes each other in a step.
fn either_or() -> Value {
    json!([
        at_most_one(&["viewer", "viewers"]),
        at_most_one(&["choice", "action", "chance"]),
        at_most_one(&["seed", "explicit_chance"]),
    ])
}

fn without_options(mut branch: Value) -> Value {
    if let Some(properties) = branch.get_mut("properties").and_then(Value::as_object_mut) {
        properties.insert("options".into(), json!({"maxProperties": 0}));
    }
    branch
}

/// Returns the alternatives of an answer: the only choice, or an explicit one.
fn answers() -> Vec<Value> {
    let is_only = |value: bool| json!([{"properties": {"only": {"enum": [value]}}}]);
    let mut only_one = only("only", &["option", "args"]);
    if let Some(only_one) = only_one.as_object_mut() {
        only_one.insert("allOf".into(), is_only(true));
    }
    let chosen = [only("option", &[]), only("args", &[])];
    vec![only_one, json!({"anyOf": chosen, "allOf": is_only(false)})]
}

/// Returns the constraints of a claim: only a person who takes a seat can contribute entropy.
fn claim() -> Value {
    json!({"anyOf": [
        {"properties": {"entropy": {"type": "null"}, "secret": {"type": "null"}}},
        {"properties": {"bot": {"type": "null"}, "renew": {"enum": [false]}}},
    ]})
}

/// Returns the schemas of a record that a client sends. Members with defaults are optional, the format is fixed, and
/// integers are as wide as the reader accepts.
fn sent_record(schemas: &Map<String, Value>) -> Vec<(String, Value)> {
    let seat = json!({"type": "integer", "minimum": 1, "maximum": 8});
    let count = json!({"type": "integer", "minimum": 0, "maximum": u32::MAX});
    let key = json!({"type": "integer", "minimum": i32::MIN, "maximum": i32::MAX});
    let many = |items: &Value| json!({"type": "array", "items": items});
    let named = |schema: &str| json!({"$ref": format!("#/components/schemas/{schema}")});
    let or_null = |schema: &str| json!({"oneOf": [{"type": "null"}, named(schema)]});
    let rows = json!({
        "SentRecord": {
            "of": "GameRecord", "required": ["format", "game", "ruleset", "seats", "seed", "log"],
            "members": {
                "format": {"type": "integer", "enum": [wyrmgate_analysis::record::FORMAT]},
                "seed": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
                "log": many(&named("SentChoice")),
                "chance": {"oneOf": [{"type": "null"}, many(&named("SentChance"))]},
                "outcome": or_null("SentOutcome"),
                "fairness": or_null("SentFairness"),
            },
        },
        "SentChoice": {"of": "RecordedChoice", "required": ["seat"], "members": {"decision": count}},
        "SentChance": {
            "of": "RecordedChance", "required": ["after", "number", "result"],
            "members": {"after": count, "number": count, "result": named("SentResult")},
        },
        "SentOutcome": {
            "of": "Outcome", "required": ["winners", "drawn", "ranking"],
            "members": {"winners": many(&seat), "ranking": many(&named("SentRank"))},
        },
        "SentRank": {"of": "Rank", "required": ["seat", "place", "keys"], "members": {"keys": many(&key)}},
        "SentFairness": {
            "of": "RecordedFairness", "required": ["commitment", "secret"],
            "members": {"entropy": many(&named("SentEntropy"))},
        },
        "SentEntropy": {"of": "SeatEntropy", "required": ["seat", "value"], "members": {}},
    });
    let rows = rows.as_object().into_iter().flatten();
    rows.map(|(name, row)| (name.clone(), stricter(schemas, row)))
        .chain([("SentResult".to_owned(), result(&count))])
        .collect()
}

/// Returns a copy of a schema with other required members and stricter schemas for some members, as a row says.
fn stricter(schemas: &Map<String, Value>, row: &Value) -> Value {
    let of = row.get("of").and_then(Value::as_str);
    let mut schema = of
        .and_then(|of| schemas.get(of))
        .cloned()
        .unwrap_or_default();
    if let Value::Object(schema) = &mut schema {
        let required = row.get("required").cloned();
        schema.insert("required".into(), required.unwrap_or_default());
        schema.insert("additionalProperties".into(), json!(false));
        let members = row.get("members").and_then(Value::as_object).cloned();
        let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
        if let (Some(properties), Some(members)) = (properties, members) {
            properties.extend(members);
        }
    }
    schema
}

/// Returns the schema of the result of a random operation.
fn result(count: &Value) -> Value {
    let object = |members: Value| {
        let names = members.as_object().into_iter().flat_map(Map::keys);
        let names: Vec<String> = names.cloned().collect();
        json!({"type": "object", "properties": members, "required": names, "additionalProperties": false})
    };
    let texts = json!({"type": "array", "items": {"type": "string"}});
    let values = json!({"type": "array", "items": {}});
    let die = object(json!({"die": {"type": "string"}, "faces": values, "face": {}}));
    let shuffle = object(json!({"zone": {"type": "string"}, "before": texts, "order": texts}));
    json!({
        "description": "The result of a random operation; see `docs/record-format.md`.",
        "oneOf": [
            object(json!({"shuffle": shuffle})),
            object(json!({"roll": {"type": "array", "items": die}})),
            object(json!({"draw": object(json!({"from": values, "drawn": values}))})),
            object(json!({"choice": object(json!({"of": count, "number": count}))})),
        ],
    })
}
