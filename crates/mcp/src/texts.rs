//! Parts of answers and of requests as text.

use serde_json::Value;

/// Returns the version with which an answer in plain text begins.
pub(crate) fn version_in(text: &str) -> Option<u64> {
    text.lines().next()?.strip_prefix("version ")?.parse().ok()
}

/// Describes a problem of the API with the rule behind it.
pub(crate) fn problem_text(problem: &Value) -> String {
    let detail = match string(problem, "detail") {
        "" => string(problem, "title"),
        detail => detail,
    };
    // A model has tools in the place of requests.
    let detail = detail.split("; `GET ").next().unwrap_or(detail);
    let mut said = format!("{}: {detail}", string(problem, "code"));
    let errors = problem.get("errors").and_then(Value::as_array);
    for error in errors.into_iter().flatten() {
        said += &format!(
            "\n{}: {}",
            string(error, "pointer"),
            string(error, "detail")
        );
    }
    let clauses = problem.pointer("/reason/clauses").and_then(Value::as_array);
    for clause in clauses.into_iter().flatten() {
        said += &format!("\n{} {}", string(clause, "id"), string(clause, "text"));
    }
    said
}

/// Returns a list of a document.
pub(crate) fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    let list = value.get(name).and_then(Value::as_array);
    list.map_or(&[], Vec::as_slice)
}

pub(crate) fn string<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Returns a text as a part of a path or of a query.
pub(crate) fn segment(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    let encoded = text.bytes().map(|byte| match is_plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    });
    encoded.collect()
}

/// Returns as many letters as may be, to the end of a line.
pub(crate) fn cut(text: &str, letters: usize) -> String {
    if text.len() <= letters {
        return text.to_owned();
    }
    let mut kept = String::new();
    for line in text.lines() {
        if kept.len() + line.len() > letters {
            break;
        }
        kept += line;
        kept.push('\n');
    }
    if kept.is_empty() {
        kept = text.chars().take(letters).collect();
    }
    kept + "… ask with `words` for the rest\n"
}
