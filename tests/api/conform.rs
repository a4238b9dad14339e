//! Fits real answers to the OpenAPI document.

use std::collections::HashMap;
use std::sync::OnceLock;

use jsonschema::Validator;
use serde_json::{Value, json};
use wyrmgate::api;

/// Asserts that some operation of this path describes an answer of this status and form.
pub fn conforms(path: &str, status: u16, body: &Value) {
    let (template, validators) = operations(path, status);
    let errors: Vec<String> = validators
        .iter()
        .filter_map(|validator| validator.validate(body).err())
        .map(|error| format!("at {}: {error}", error.instance_path()))
        .collect();
    assert!(
        errors.len() < validators.len().max(1),
        "an answer {status} of {template} is not as described: {errors:?}\n{body}"
    );
    assert!(
        !validators.is_empty(),
        "an answer {status} of {template} is not described\n{body}"
    );
}

type Described = HashMap<(String, u16), Vec<Validator>>;

fn operations(path: &str, status: u16) -> (String, &'static [Validator]) {
    static DESCRIBED: OnceLock<Described> = OnceLock::new();
    let described = DESCRIBED.get_or_init(describe);
    let templates = described.keys().map(|(template, _)| template);
    let template = templates
        .filter(|template| fits(template, path))
        .min_by_key(|template| template.matches('{').count());
    let template = template.unwrap_or_else(|| panic!("{path} is not described"));
    let found = described.get(&(template.clone(), status));
    (template.clone(), found.map_or(&[], Vec::as_slice))
}

fn fits(template: &str, path: &str) -> bool {
    let (template, path) = (template.split('/'), path.split('/'));
    template.clone().count() == path.clone().count()
        && template
            .zip(path)
            .all(|(part, found)| part.starts_with('{') || part == found)
}

fn describe() -> Described {
    let document: Value = serde_json::from_str(&api::strict_openapi_json()).unwrap();
    let mut described = Described::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for operation in item.as_object().unwrap().values() {
            for (status, response) in operation["responses"].as_object().unwrap() {
                let key = (path.clone(), status.parse().unwrap());
                let validators = described.entry(key).or_default();
                validators.extend(validator(&document, response));
            }
        }
    }
    described
}

/// `None` for an answer without a JSON body.
fn validator(document: &Value, response: &Value) -> Option<Validator> {
    let response = match response["$ref"].as_str() {
        Some(reference) => document.pointer(reference.trim_start_matches('#')).unwrap(),
        None => response,
    };
    let content = response["content"].as_object()?;
    let json = |media_type: &&String| media_type.ends_with("json");
    let media_type = content.keys().find(json)?;
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "allOf": [content[media_type]["schema"]],
        "components": document["components"],
    });
    Some(jsonschema::validator_for(&schema).unwrap())
}
