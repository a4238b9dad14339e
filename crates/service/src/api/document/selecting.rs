//! The parameter `fields` of each operation, with an example of members that its answers have.

use serde_json::{Value, json};

use crate::api::document::shape::{self, Shape};

const ABOUT: &str = "Only these members of a JSON answer, separated by commas. Dots lead into objects and into the \
    elements of lists. Unknown names are refused with the list of those that exist. Secrets that are shown only once stay";

/// Returns the parameter of an operation. `None` if it never answers with JSON.
///
/// The pattern allows the members themselves, not those in them: a text that fits it is never refused.
pub fn parameter(document: &Value, operation: &Value, has_pattern: bool) -> Option<Value> {
    let form = shape::forms(operation).into_iter().next()?;
    let names = Shape::of_answer(document, operation, form).names();
    let mut schema = json!({"type": "string", "minLength": 1, "maxLength": 2000});
    let any = names.join("|");
    if has_pattern && !names.is_empty() {
        schema["pattern"] = json!(format!("^({any})(,({any}))*$"));
    }
    let mut parameter = json!({
        "name": "fields", "in": "query", "required": false, "description": ABOUT, "schema": schema,
    });
    if let [first, ..] = &names[..] {
        let two = names.get(1).map(|second| format!("{first},{second}"));
        parameter["example"] = json!(two.unwrap_or_else(|| first.clone()));
    }
    Some(parameter)
}
