//! Describes in words for people what is wrong with a JSON body. The library that reads it speaks of Rust types.

use serde_json::Error;
use serde_json::error::Category;

/// Returns what is wrong, without the place.
pub fn words(error: &Error) -> String {
    let text = error.to_string();
    let text = text.split(" at line ").next().unwrap_or_default();
    match error.classify() {
        Category::Eof => "the body ends too early: this JSON is not complete".to_owned(),
        Category::Syntax | Category::Io => syntax(text),
        Category::Data => data(text),
    }
}

fn syntax(text: &str) -> String {
    let meant = match text {
        "expected value" => "a value is missing",
        "trailing comma" => "a comma stands before the end",
        "trailing characters" => "more follows behind the end of the object",
        "key must be a string" => "the name of a member must be in double quotes",
        "expected `:`" => "a colon is missing behind the name of a member",
        "expected `,` or `}`" | "expected `,` or `]`" => {
            "a comma or the closing bracket is missing"
        }
        "invalid number" | "number out of range" => "this is no number that JSON can state",
        "invalid escape" => "this escape is not known in JSON",
        "invalid unicode code point" => "a text is not in UTF-8, or an escape is no character",
        "recursion limit exceeded" => "the values are nested too deeply",
        text if text.starts_with("control character") => {
            "a text must not contain a line break or another control character"
        }
        _ => "this is not JSON",
    };
    meant.to_owned()
}

/// Returns what is wrong with the values of a query, in which numbers are texts.
pub fn of_query(text: &str) -> String {
    let meant = match text {
        "invalid digit found in string" | "cannot parse integer from empty string" => {
            "expected a whole number from 0"
        }
        "number too large to fit in target type" => "this number is too large",
        "provided string was not `true` or `false`" => "expected `true` or `false`",
        _ => return data(text).replace(" member", " parameter"),
    };
    meant.to_owned()
}

fn data(text: &str) -> String {
    let (what, expected) = text.split_once(", expected ").unwrap_or((text, ""));
    if let Some(name) = what.strip_prefix("missing field ") {
        return format!("{name} is missing");
    }
    if let Some(name) = what.strip_prefix("duplicate field ") {
        return format!("{name} is given twice");
    }
    if let Some(name) = what.strip_prefix("unknown field ") {
        let known = expected.trim_start_matches("one of ");
        return format!("unknown member {name}; known members: {known}");
    }
    if let Some(name) = what.strip_prefix("unknown variant ") {
        let known = expected.trim_start_matches("one of ");
        return format!("{name} is not possible here; possible: {known}");
    }
    let found = ["invalid type: ", "invalid value: ", "invalid length "]
        .iter()
        .find_map(|start| what.strip_prefix(start));
    match found {
        Some(found) => format!("expected {}, found {}", wanted(expected), given(found)),
        None => text.to_owned(), // our own words
    }
}

fn wanted(expected: &str) -> &str {
    match expected {
        "u8" => "a whole number from 0 to 255",
        "u16" | "u32" | "u64" | "usize" => "a whole number from 0",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "f32" | "f64" | "a JSON number" => "a number",
        "a boolean" => "`true` or `false`",
        "a string" | "string" | "str" => "a text",
        "a sequence" => "a list",
        "a map" => "an object",
        "unit" => "`null`",
        other if other.starts_with("struct ") => "an object",
        other if other.starts_with("enum ") || other.ends_with(" enum") => "one of the known words",
        other => other,
    }
}

/// `integer `5`` becomes `the number 5`.
fn given(found: &str) -> String {
    let (kind, value) = found.split_once(' ').unwrap_or((found, ""));
    match kind {
        "null" => "`null`".to_owned(),
        "map" => "an object".to_owned(),
        "sequence" => "a list".to_owned(),
        "string" => format!("the text {value}"),
        "integer" => format!("the number {}", value.trim_matches('`')),
        "boolean" => value.to_owned(),
        "floating" => format!(
            "the number {}",
            value.trim_start_matches("point ").trim_matches('`')
        ),
        _ => found.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Order {
        #[expect(dead_code, reason = "only read")]
        seats: u8,
        #[serde(default)]
        #[expect(dead_code, reason = "only read")]
        names: Vec<String>,
        #[serde(default)]
        #[expect(dead_code, reason = "only read")]
        size: Size,
    }

    #[derive(Debug, Default, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Size {
        #[default]
        Small,
        Large,
    }

    fn told(body: &str) -> String {
        words(&serde_json::from_str::<Order>(body).unwrap_err())
    }

    #[test]
    fn nothing_is_said_in_terms_of_rust() {
        for (body, said) in [
            (
                r#"{"seats": 300}"#,
                "expected a whole number from 0 to 255, found the number 300",
            ),
            (
                r#"{"seats": "two"}"#,
                "expected a whole number from 0 to 255, found the text \"two\"",
            ),
            (
                r#"{"seats": 1.5}"#,
                "expected a whole number from 0 to 255, found the number 1.5",
            ),
            (
                r#"{"seats": null}"#,
                "expected a whole number from 0 to 255, found `null`",
            ),
            (
                r#"{"seats": 2, "names": 3}"#,
                "expected a list, found the number 3",
            ),
            (
                r#"{"seats": 2, "names": [true]}"#,
                "expected a text, found `true`",
            ),
            (
                r#"{"seats": 2, "size": "huge"}"#,
                "`huge` is not possible here; possible: `small` or `large`",
            ),
            (
                r#"{"seats": 2, "seat": 1}"#,
                "unknown member `seat`; known members: `seats`, `names`, `size`",
            ),
            (r#"{"seats": 2, "seats": 1}"#, "`seats` is given twice"),
            (r#"{"names": []}"#, "`seats` is missing"),
            (
                r#"{"seats": 2"#,
                "the body ends too early: this JSON is not complete",
            ),
            (r#"{"seats": 2,}"#, "a comma stands before the end"),
            (r#"{"seats": two}"#, "this is not JSON"),
            (
                r#"{seats: 2}"#,
                "the name of a member must be in double quotes",
            ),
            (
                r#"{"seats": 2} x"#,
                "more follows behind the end of the object",
            ),
        ] {
            assert_eq!(told(body), said, "{body}");
        }
    }
}
