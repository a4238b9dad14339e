//! The parameter `fields` of each operation, with an example of members that its answers have.

use serde_json::{Value, json};

use crate::api::request::fields::PATHS_MAX;
use crate::api::response::shape::{self, AnswerShape};

const ABOUT: &str = "Only these members of a JSON answer, separated by commas. Dots lead into objects and into the \
    elements of lists. Unknown names are refused with the list of those that exist. Secrets that are shown only once stay";

/// Returns the parameter of an operation. `None` if it never answers with JSON; in the strict form also if no members of its
/// answers are known.
///
/// The pattern allows the members themselves, not those in them: a text that fits it is never refused.
pub fn parameter(document: &Value, operation: &Value, is_strict: bool) -> Option<Value> {
    let form = shape::forms(operation).into_iter().next()?;
    let names = AnswerShape::of_answer(document, operation, form).names();
    if is_strict && names.is_empty() {
        return None;
    }
    let any = names.join("|");
    let more = PATHS_MAX - 1;
    let pattern = is_strict.then(|| format!("^({any})(,({any})){{0,{more}}}$"));
    let schema = [
        ("type", Some(json!("string"))),
        ("minLength", Some(json!(1))),
        ("maxLength", Some(json!(2000))),
        ("pattern", pattern.map(Value::from)),
    ];
    let example = names.get(..2).unwrap_or(&names).join(",");
    let parameter = [
        ("name", Some(json!("fields"))),
        ("in", Some(json!("query"))),
        ("required", Some(json!(false))),
        ("description", Some(json!(ABOUT))),
        ("schema", Some(object(schema))),
        (
            "example",
            (!names.is_empty()).then_some(Value::from(example)),
        ),
    ];
    Some(object(parameter))
}

fn object<const N: usize>(members: [(&str, Option<Value>); N]) -> Value {
    let given = members
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(given.collect())
}
