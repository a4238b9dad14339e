//! Compares expectations with results. A scenario states a *part* of the result, and everything that it states must
//! match.

use serde_json::Value;

/// A place where expectation and result differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedPlace {
    /// The path, such as `zones.hand-1.count`. Empty for the whole.
    pub path: String,
    pub expected: String,
    pub found: String,
}

/// Returns every difference. An object in `found` may have more members than expected, a list may not.
pub fn differences(expected: &Value, found: &Value) -> Vec<ComparedPlace> {
    let mut all = Vec::new();
    compare(expected, found, "", &mut all);
    all
}

/// Returns whether `found` contains everything in `expected`.
pub fn contains(expected: &Value, found: &Value) -> bool {
    differences(expected, found).is_empty()
}

fn compare(expected: &Value, found: &Value, path: &str, all: &mut Vec<ComparedPlace>) {
    match (expected, found) {
        (Value::Object(wanted), Value::Object(given)) => {
            for (key, value) in wanted {
                let inner = join(path, key);
                match given.get(key) {
                    Some(other) => compare(value, other, &inner, all),
                    None => all.push(difference(&inner, short(value), "nothing".into())),
                }
            }
        }
        (Value::Array(wanted), Value::Array(given)) if wanted.len() == given.len() => {
            for (i, (value, other)) in wanted.iter().zip(given).enumerate() {
                compare(value, other, &join(path, &(i + 1).to_string()), all);
            }
        }
        _ if expected == found => {}
        _ => all.push(difference(path, short(expected), short(found))),
    }
}

fn difference(path: &str, expected: String, found: String) -> ComparedPlace {
    ComparedPlace {
        path: path.to_owned(),
        expected,
        found,
    }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() {
        key.to_owned()
    } else {
        format!("{path}.{key}")
    }
}

/// Formats a value as in a scenario, on one line.
pub fn short(value: &Value) -> String {
    match value {
        Value::Null => "none".into(),
        Value::String(text) => text.clone(),
        Value::Array(members) => format!("[{}]", join_all(members.iter().map(inner))),
        Value::Object(members) => {
            let pairs = members.iter();
            let pairs = pairs.map(|(key, value)| format!("{key}: {}", inner(value)));
            format!("{{{}}}", join_all(pairs))
        }
        Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

/// Formats a part of a list or map, so that it can be pasted into a scenario: `{k: "0,-1"}`
fn inner(value: &Value) -> String {
    match value {
        Value::String(text) if needs_quotes(text) => value.to_string(),
        value => short(value),
    }
}

/// Returns whether YAML would not read this text as one value inside `{ }`.
fn needs_quotes(text: &str) -> bool {
    let special = |c: char| matches!(c, ',' | '[' | ']' | '{' | '}' | '"');
    let begins = |c: char| "&*!|>%@`'#".contains(c);
    text.is_empty()
        || text.contains(special)
        || text.starts_with(begins)
        || text.contains(": ")
        || text.contains(" #")
}

fn join_all(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

/// Returns whether a value contains this text anywhere, including its keys.
pub fn mentions(value: &Value, wanted: &str) -> bool {
    match value {
        Value::String(text) => text == wanted,
        Value::Array(members) => members.iter().any(|member| mentions(member, wanted)),
        Value::Object(members) => {
            let mut members = members.iter();
            members.any(|(key, member)| key == wanted || mentions(member, wanted))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Returns the first expected member that does not appear among the found ones in order. Others may lie between.
pub fn first_missing<'a>(expected: &'a [Value], found: &[Value]) -> Option<&'a Value> {
    let mut rest = found.iter();
    let mut expected = expected.iter();
    expected.find(|wanted| !rest.any(|candidate| contains(wanted, candidate)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_not_stated_is_not_compared() {
        let found = json!({"zones": {"hand-1": {"count": 7, "family": "hand"}}, "turn": 2});
        assert!(contains(
            &json!({"zones": {"hand-1": {"count": 7}}}),
            &found
        ));
    }

    #[test]
    fn a_value_that_is_shown_can_be_pasted() {
        let choice = json!({"k": "0,-1", "r": 2, "c": ["leap-red-1", ""]});
        assert_eq!(short(&choice), r#"{k: "0,-1", r: 2, c: [leap-red-1, ""]}"#);
        assert_eq!(short(&json!("0,-1")), "0,-1");
    }

    #[test]
    fn a_difference_names_its_path() {
        let found = json!({"zones": {"hand-1": {"count": 6}}});
        let wanted = json!({"zones": {"hand-1": {"count": 7}, "deck": {"count": 1}}});
        let all = differences(&wanted, &found);
        assert_eq!(
            all[0],
            difference("zones.hand-1.count", "7".into(), "6".into())
        );
        assert_eq!(all[1].found, "nothing");
    }

    #[test]
    fn lists_agree_in_length_and_order() {
        assert!(contains(
            &json!([1, {"a": 2}]),
            &json!([1, {"a": 2, "b": 3}])
        ));
        assert!(!contains(&json!([1]), &json!([1, 2])));
    }

    #[test]
    fn events_may_have_others_between_them() {
        let found = [
            json!({"type": "a"}),
            json!({"type": "b"}),
            json!({"type": "c"}),
        ];
        assert_eq!(
            first_missing(&[json!({"type": "a"}), json!({"type": "c"})], &found),
            None
        );
        let wrong_order = [json!({"type": "c"}), json!({"type": "a"})];
        assert_eq!(first_missing(&wrong_order, &found), Some(&wrong_order[1]));
    }

    #[test]
    fn ids_are_found_as_keys_and_as_values() {
        assert!(mentions(
            &json!({"a": [{"dragon-red-3": 1}]}),
            "dragon-red-3"
        ));
        assert!(!mentions(&json!({"a": "dragon-red-31"}), "dragon-red-3"));
    }
}
