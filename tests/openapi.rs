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
