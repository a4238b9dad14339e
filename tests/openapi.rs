//! The committed description is the one that the code gives.

#![cfg(test)]

use std::collections::BTreeSet;

use serde_json::Value;
use wyrmgate::api;

#[test]
fn the_committed_document_is_up_to_date() {
    let committed = include_str!("../openapi/openapi.json");
    let present = api::openapi_json();
    assert!(
        committed.trim_end() == present,
        "run `cargo run -- openapi > openapi/openapi.json`"
    );
}

#[test]
fn what_is_served_is_what_is_described() {
    let document: Value = serde_json::from_str(&api::strict_openapi_json()).unwrap();
    let paths = document["paths"].as_object().unwrap();
    let described = paths.iter().flat_map(|(path, item)| {
        let methods = item.as_object().unwrap().keys();
        methods.map(move |method| (method.to_uppercase(), path.clone()))
    });
    let served = api::SERVED.iter();
    let served = served.map(|(method, path)| (method.to_string(), path.to_string()));
    assert_eq!(
        served.collect::<BTreeSet<_>>(),
        described.collect::<BTreeSet<_>>()
    );
}

#[test]
fn every_recorded_exchange_has_its_operation() {
    let exchanges = include_str!("../openapi/examples.json");
    let exchanges: Vec<Value> = serde_json::from_str(exchanges).unwrap();
    let known: BTreeSet<String> = operations().into_iter().map(|(id, _)| id).collect();
    for exchange in exchanges {
        let operation = exchange["operation"].as_str().unwrap();
        assert!(known.contains(operation), "{operation}");
    }
}

/// Every operation, by its id.
fn operations() -> Vec<(String, Value)> {
    let document: Value = serde_json::from_str(&api::openapi_json()).unwrap();
    let paths = document["paths"].as_object().unwrap().clone();
    let operations = paths.into_iter().flat_map(|(_, item)| {
        let operations = item.as_object().unwrap().clone();
        operations.into_iter().map(|(_, operation)| {
            let id = operation["operationId"].as_str().unwrap();
            (id.to_owned(), operation)
        })
    });
    operations.collect()
}

#[test]
fn every_response_and_parameter_is_described() {
    for (id, operation) in operations() {
        assert!(operation["summary"].is_string(), "{id}");
        let responses = operation["responses"].as_object().unwrap();
        for (status, response) in responses {
            let described = response["description"].is_string() || response["$ref"].is_string();
            assert!(described, "{id} {status}");
        }
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let described = parameter["description"].is_string() || parameter["$ref"].is_string();
            assert!(described, "{id} {parameter}");
        }
    }
}

/// Forms that a program reads. Pages, pictures, metrics, backups and this document itself have no example.
const FORMS: [&str; 4] = [
    "application/json",
    "application/jsonl",
    "text/event-stream",
    "text/plain",
];

#[test]
fn every_request_and_answer_has_an_example() {
    for (id, operation) in operations() {
        // The schemas of a ruleset have references, which some generators follow even in an example.
        if ["getOpenApi", "getBackup", "getRuleset"].contains(&id.as_str()) {
            continue;
        }
        let responses = operation["responses"].as_object().unwrap();
        let good = responses
            .iter()
            .filter(|(status, _)| status.starts_with('2'));
        let answers: Vec<&Value> = good.map(|(_, response)| &response["content"]).collect();
        for contents in [answers, vec![&operation["requestBody"]["content"]]] {
            for form in FORMS {
                let forms: Vec<&Value> = contents.iter().map(|content| &content[form]).collect();
                let is_shown = |form: &&Value| form["examples"].is_object();
                let is_described = forms.iter().any(|form| form.is_object());
                assert!(!is_described || forms.iter().any(is_shown), "{id} {form}");
            }
        }
    }
}

#[test]
fn every_reference_leads_somewhere() {
    let document: Value = serde_json::from_str(&api::openapi_json()).unwrap();
    let mut references = Vec::new();
    collect(&document, &mut references);
    assert!(references.len() > 100);
    for reference in references {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

fn collect(value: &Value, references: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            let reference = members.get("$ref").and_then(Value::as_str);
            references.extend(reference.map(str::to_owned));
            members
                .values()
                .for_each(|member| collect(member, references));
        }
        Value::Array(elements) => elements.iter().for_each(|e| collect(e, references)),
        _ => {}
    }
}

/// The document as it is served, and the closed one.
fn both() -> [Value; 2] {
    [api::openapi_json(), api::strict_openapi_json()]
        .map(|text| serde_json::from_str(&text).unwrap())
}

/// Returns a validator of a schema of a document.
fn validator(document: &Value, name: &str) -> jsonschema::Validator {
    let schema = serde_json::json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$ref": format!("#/components/schemas/{name}"),
        "components": document["components"],
    });
    jsonschema::validator_for(&schema).unwrap()
}

#[test]
fn answers_may_grow_and_requests_are_closed() {
    let change = |event: Value| serde_json::json!({"version": 3, "at": "2026-11-30T12:00:00Z", "events": [event]});
    let problem = |code: &str| serde_json::json!({"type": "/problems/x", "title": "X", "status": 409, "code": code, "request_id": "r"});
    let seat = |bot: &str| serde_json::json!({"seat": 1, "status": "bot", "bot": bot});
    let grown = [
        (
            "Change",
            change(serde_json::json!({"type": "meteor-fell", "size": {"kg": 3}})),
        ),
        (
            "Change",
            change(serde_json::json!({"type": "seat-taken", "seat": 1, "bot": "search-9"})),
        ),
        (
            "Change",
            change(serde_json::json!({"type": "seat-taken", "seat": 1, "mood": "good"})),
        ),
        ("Problem", problem("moon-is-full")),
        ("SeatState", seat("search-9")),
        (
            "Clock",
            serde_json::json!({"at_end": "explode", "phase_of_moon": 3}),
        ),
    ];
    let [served, strict] = both();
    for (name, value) in grown {
        assert!(validator(&served, name).is_valid(&value), "{name}: {value}");
        assert!(
            !validator(&strict, name).is_valid(&value),
            "{name}: {value}"
        );
    }
    let known = change(serde_json::json!({"type": "seat-taken", "seat": 1, "bot": "search-2"}));
    for (name, value) in [
        ("Change", known),
        ("Problem", problem("not-found")),
        ("SeatState", seat("random")),
    ] {
        for document in [&served, &strict] {
            assert!(
                validator(document, name).is_valid(&value),
                "{name}: {value}"
            );
        }
    }
    let asked = [
        (
            "NewSession",
            serde_json::json!({"game": "x", "seats": ["search-9"]}),
        ),
        (
            "NewSession",
            serde_json::json!({"game": "x", "clock": {"game_ms": 60_000, "at_end": "explode"}}),
        ),
        (
            "NewSession",
            serde_json::json!({"game": "x", "spectators": {"policy": "replays"}}),
        ),
        (
            "NewSession",
            serde_json::json!({"game": "x", "endings": {"mood": 1}}),
        ),
    ];
    for (name, value) in asked {
        assert!(
            !validator(&served, name).is_valid(&value),
            "{name}: {value}"
        );
    }
}

/// Words in an answer that are no list of words for ever: where a schema lists several, another text is possible.
#[test]
fn no_answer_lists_words_for_ever() {
    let [served, _] = both();
    let mut closed = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for (_, operation) in operations() {
        closed_within(&served, &operation["responses"], "", &mut seen, &mut closed);
    }
    closed_within(&served, &served["webhooks"], "", &mut seen, &mut closed);
    // A client must know every operation of a patch; comparisons are all there are.
    let decided = ["OperationKind", "Relation"].map(str::to_owned);
    assert_eq!(closed, BTreeSet::from(decided));
    assert!(
        ["GameEvent", "Problem", "SeatState"]
            .iter()
            .all(|name| seen.contains(*name))
    );
}

/// Collects the names of enumerations that a client may take for complete.
fn closed_within(
    document: &Value,
    value: &Value,
    inside: &str,
    seen: &mut BTreeSet<String>,
    closed: &mut BTreeSet<String>,
) {
    match value {
        Value::Object(members) => {
            let branches = members.get("anyOf").and_then(Value::as_array);
            let text = serde_json::json!({"type": "string"});
            let is_open = branches.is_some_and(|branches| branches.contains(&text));
            if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
                let name = reference.rsplit('/').next().unwrap();
                if seen.insert(name.to_owned())
                    || document.pointer(&reference[1..]).unwrap()["enum"].is_array()
                {
                    closed_within(
                        document,
                        document.pointer(&reference[1..]).unwrap(),
                        name,
                        seen,
                        closed,
                    );
                }
            }
            let several = members
                .get("enum")
                .and_then(Value::as_array)
                .is_some_and(|words| words.len() > 1);
            if several {
                closed.insert(inside.to_owned());
            }
            for (key, member) in members
                .iter()
                .filter(|(key, _)| !["examples", "example", "default"].contains(&key.as_str()))
            {
                match (key.as_str(), is_open) {
                    ("anyOf", true) => {
                        let named = branches
                            .unwrap()
                            .iter()
                            .filter_map(|branch| branch["$ref"].as_str());
                        seen.extend(named.map(|name| name.rsplit('/').next().unwrap().to_owned()));
                    }
                    _ => closed_within(document, member, inside, seen, closed),
                }
            }
        }
        Value::Array(elements) => elements
            .iter()
            .for_each(|of| closed_within(document, of, inside, seen, closed)),
        _ => {}
    }
}

#[test]
fn an_answer_has_one_typed_form_and_names_the_others() {
    let mut others = BTreeSet::new();
    for (id, operation) in operations() {
        let responses = operation["responses"].as_object().unwrap();
        for (status, response) in responses
            .iter()
            .filter(|(status, _)| status.starts_with('2'))
        {
            let forms = response["content"].as_object().into_iter().flatten();
            let forms: Vec<&String> = forms.map(|(form, _)| form).collect();
            assert!(forms.len() <= 1, "{id} {status}: {forms:?}");
            let named = response["x-other-forms"].as_object().into_iter().flatten();
            others.extend(named.map(|(form, _)| format!("{id} {form}")));
        }
    }
    for wanted in [
        "getView text/plain",
        "makeMove text/plain",
        "listEvents application/jsonl",
        "getRecord text/plain",
    ] {
        assert!(others.contains(wanted), "{wanted}: {others:?}");
    }
}

#[test]
fn what_is_included_is_a_list_everywhere() {
    let mut found = 0;
    for (id, operation) in operations() {
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        for parameter in parameters.filter(|parameter| parameter["name"] == "include") {
            found += 1;
            assert_eq!(parameter["schema"]["type"], "array", "{id}");
            let words = serde_json::json!(["actions", "view"]);
            assert_eq!(parameter["schema"]["items"]["enum"], words, "{id}");
        }
    }
    assert_eq!(found, 4);
}
