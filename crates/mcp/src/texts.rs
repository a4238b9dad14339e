//! Parts of answers and of requests as text.

use serde_json::Value;

/// Returns the version with which an answer in plain text begins.
pub(crate) fn version_in(text: &str) -> Option<u64> {
    text.lines().next()?.strip_prefix("version ")?.parse().ok()
}

pub(crate) const NO_SEAT: &str = "you hold no seat there; take one with `join`, or see `my_games`";

/// Describes a problem of the API with the rule behind it.
pub(crate) fn problem_text(problem: &Value) -> String {
    let detail = match string(problem, "detail") {
        "" => string(problem, "title"),
        detail => detail,
    };
    // A model has tools in the place of requests.
    let detail = detail.split("; `GET ").next().unwrap_or(detail);
    let detail = detail.replace("list the choices again", "call `look`");
    let mut said = format!("{}: {detail}", string(problem, "code"));
    for error in list(problem, "errors") {
        let more = string(error, "detail");
        if !said.contains(more) {
            said += &format!("\n{more}");
        }
    }
    let clauses = problem.pointer("/reason/clauses").and_then(Value::as_array);
    for clause in clauses.into_iter().flatten() {
        said += &format!("\n{} {}", string(clause, "id"), string(clause, "text"));
    }
    said.replace("session", "table")
}

/// Returns how the ids of the choices in a text begin: the line above them ends with `12.1.N`.
pub(crate) fn told_to(text: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let ids = line.rsplit(' ').next()?.strip_suffix(".N")?;
        let mut parts = ids.split('.');
        parts
            .all(|part| part.parse::<u64>().is_ok())
            .then(|| ids.to_owned())
    })
}

/// Returns the choices that have a line of their own, with their numbers.
pub(crate) fn listed_choices(text: &str) -> impl Iterator<Item = (String, String)> {
    text.lines().filter_map(|line| {
        let (number, words) = line.strip_prefix('#')?.split_once(' ')?;
        let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| (number.to_owned(), words.to_owned()))
    })
}

/// Returns the id of the choice in a text that lists only one.
pub(crate) fn own_id(text: &str) -> Option<String> {
    let ids = told_to(text)?;
    let is_head = |line: &&str| line.ends_with(&format!(" {ids}.N"));
    let head = text.lines().find(is_head)?;
    let (number, _) = listed_choices(text)
        .last()
        .filter(|_| head.starts_with("1 "))?;
    Some(format!("{ids}.{number}"))
}

/// Returns a text of the API as a model reads it, which has tools in the place of requests.
pub(crate) fn in_words_of_tools(text: &str) -> String {
    let line = |line: &str| {
        let count = line.rsplit_once(". ").filter(|_| told_to(line).is_some());
        count.map_or_else(|| format!("{line}\n"), |(count, _)| format!("{count}:\n"))
    };
    let text: String = text.lines().map(line).collect();
    text.replace(
        "or search with `words`.\n",
        "or call `look` with `words`.\n",
    )
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

/// Returns the first of the lines, as many as have at most this number of letters, and the others.
pub(crate) fn whole_lines(lines: &[String], letters: usize) -> (String, &[String]) {
    let mut kept = String::new();
    for (at, line) in lines.iter().enumerate() {
        if at > 0 && kept.len() + line.len() > letters {
            return (kept, lines.get(at..).unwrap_or_default());
        }
        kept += line;
        kept.push('\n');
    }
    (kept, &[])
}
