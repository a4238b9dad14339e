//! YAML errors in our words, with advice for common mistakes.

use serde_yaml::granit_parser::ErrorKind;

use super::lines::{Line, lines};
use super::slip::{Place, begins_statement};
use super::{quote, slip};
use wyrmgate_base::diagnostic::{Diagnostic, Span};

/// Returns the diagnostic for a place, noticed after the value that begins at byte `last` (if there is one).
pub(super) fn diagnostic(place: &Place, last: Option<usize>, kind: &ErrorKind) -> Diagnostic {
    let Place { file, text, at } = *place;
    if let Some(quote) = quote::left_open(text, at, kind, last) {
        return quote::diagnostic(file, text, quote);
    }
    if let Some(slip) = slip::find(place, kind).or_else(|| place.bracket_first()) {
        return slip;
    }
    let is_of_key = matches!(
        kind,
        ErrorKind::MappingValueNotAllowed
            | ErrorKind::SimpleKeyExpected
            | ErrorKind::InvalidSimpleKey
    );
    if is_of_key && let Some(found) = place.unquoted_statement() {
        return found;
    }
    if is_of_key && let Some(found) = place.missing_bar() {
        return found;
    }
    let (code, message, help) = match kind {
        ErrorKind::MappingValueNotAllowed => colon(text.get(..at).unwrap_or_default()),
        kind => explain(kind),
    };
    let sign = text.get(at..).and_then(|rest| rest.chars().next());
    let length = sign.filter(|c| *c != '\n').map_or(0, char::len_utf8);
    let message = message.unwrap_or_else(|| format!("this is not YAML: {kind}"));
    place.problem(code, at, length, message, help)
}

impl Place<'_> {
    /// `near(d): [1, 2] where it > 1`: a value that continues after its list or map.
    fn bracket_first(&self) -> Option<Diagnostic> {
        let (before, rest) = self.text.split_at_checked(self.at)?;
        let start = before.rfind('\n').map_or(0, |i| i + 1);
        let end = self.at + rest.find('\n').unwrap_or(rest.len());
        let line = self.text.get(start..end)?;
        let mut colons = line.match_indices(": ").map(|(colon, _)| colon);
        colons.find_map(|colon| self.bracket_first_behind(line, start, colon))
    }

    /// Finds the same mistake in the value behind one colon of the line.
    fn bracket_first_behind(&self, line: &str, start: usize, colon: usize) -> Option<Diagnostic> {
        let rest = line.get(colon + 1..)?;
        let begin = start + colon + 1 + (rest.len() - rest.trim_start().len());
        let value = value_of_entry(rest.trim_start())?;
        let head = line.get(begin - start..self.at - start)?.trim_end();
        let closes = [('[', ']'), ('{', '}')];
        let is_closed = closes.iter().any(|(opens, closes)| {
            head.starts_with(*opens) && head.ends_with(*closes) && value.len() > head.len()
        });
        let quoted = match (value.contains('"'), value.contains('\'')) {
            (false, _) => format!("\"{value}\""),
            (true, false) => format!("'{value}'"),
            (true, true) => return None,
        };
        is_closed.then(|| {
            let problem = |message, help: String| {
                self.problem("yaml-syntax", begin, value.len(), message, help)
            };
            if let Some(list) = list_of_map(head) {
                let index = value.get(head.len()..).unwrap_or_default();
                let help = format!(
                    "write a list with a value for each, in their order: `\"{list}{index}\"`"
                );
                return problem("a map is no value", help);
            }
            let key = key_before(line.get(..colon).unwrap_or_default());
            let help = format!("put the whole value in quotes: `{key}: {quoted}`");
            let message = "in YAML, a value that begins with a bracket ends with it";
            let problem = problem(message, help);
            let span = problem.span;
            problem.repair(span, quoted)
        })
    }

    /// `after roll die: if die.face = 6: stop`: a statement with a block on the line of its key.
    fn unquoted_statement(&self) -> Option<Diagnostic> {
        let lines = lines(self.text);
        let line = lines.iter().rfind(|line| line.start <= self.at)?;
        let (key, value) = line.text.split_once(": ")?;
        let begins = |text: &str| begins_statement(text.split(' ').next().unwrap_or_default());
        let is_key = !begins(key) || self.text.contains("extends: ");
        let quote = if value.contains('"') { '\'' } else { '"' };
        if !is_key || !begins(value) || value.contains(" else") || value.contains(quote) {
            return None;
        }
        let message = "in YAML, a value with `: ` in it needs quotes";
        let help = format!("put the statement in quotes: `{key}: {quote}{value}{quote}`");
        let at = line.start + key.len() + 2;
        Some(self.problem("yaml-syntax", at, value.len(), message, help))
    }

    /// Lines of effect text under a key without a `|`.
    fn missing_bar(&self) -> Option<Diagnostic> {
        let lines = lines(self.text);
        let told = lines.iter().rposition(|line| line.start <= self.at)?;
        let line = lines.get(told)?;
        let is_statement = |line: &Line| {
            begins_statement(line.text.split(' ').next().unwrap_or_default())
                || line.text.ends_with("\":")
        };
        if !is_statement(line) {
            return None;
        }
        let mut indent = line.indent;
        let mut above = lines.get(..told)?.iter().rev();
        let key = above.find(|above| {
            let is_outer = above.indent < indent;
            indent = indent.min(above.indent);
            is_outer && !is_statement(above)
        })?;
        let head = key.text.strip_suffix(':')?;
        let colon = key.start + key.text.len();
        let help =
            format!("effect text of several lines begins with `|` after its key: `{head}: |`");
        let message = format!("missing `|` after `{head}:`");
        let problem = self.problem("yaml-syntax", key.start, key.text.len(), message, help);
        Some(problem.repair(Span::new(self.file, colon, colon), " |"))
    }
}

/// `{red: 1, blue: 2}` as `[1, 2]`
fn list_of_map(map: &str) -> Option<String> {
    let entries = map.strip_prefix('{')?.strip_suffix('}')?.split(',');
    let values = entries.map(|entry| Some(entry.split_once(':')?.1.trim()));
    let values: Option<Vec<&str>> = values.collect();
    Some(format!("[{}]", values?.join(", ")))
}

/// Returns the value at the beginning of a text, up to a bracket that closes what is around it.
fn value_of_entry(text: &str) -> Option<&str> {
    let mut depth = 0i32;
    for (at, c) in text.char_indices() {
        depth += match c {
            '[' | '{' => 1,
            ']' | '}' => -1,
            _ => 0,
        };
        if depth < 0 {
            return text.get(..at).map(str::trim_end);
        }
    }
    Some(text.trim_end())
}

/// Returns the key at the end of a text: behind a bracket or a comma, if there is one.
fn key_before(text: &str) -> &str {
    let begin = text.rfind(['{', '[', ',']).map_or(0, |at| at + 1);
    text.get(begin..).unwrap_or(text).trim()
}

/// Explains an extra colon on its line, or a missing one on the line above.
fn colon(before: &str) -> Explanation {
    let line = before.rsplit('\n').next().unwrap_or_default();
    let word = line.trim_start().split(' ').next().unwrap_or_default();
    let key = line.split(": ").next().unwrap_or_default();
    let help = if begins_statement(word) || before.ends_with('"') {
        "effect text of several lines needs `|` after its key: `key: |`"
    } else if line.contains(": if ") || line.contains(" ? ") {
        "a value that depends is written `if a then b else c`"
    } else if key.contains('(') && !key.contains(')') {
        "a parameter has its type before it, without a colon: `mount(seat p)`"
    } else if is_key_behind_key(line) {
        "write the second key on a line of its own, indented more than the first"
    } else if line.contains(": ") {
        "a value on the line of its key cannot contain `: `; put it in quotes, or below the key after `|`"
    } else {
        "the line above may be a key without its `:`"
    };
    let message = "YAML does not allow `: ` here".to_string();
    ("yaml-syntax", Some(message), help)
}

/// `change: data.length`
fn is_key_behind_key(line: &str) -> bool {
    let is_key = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '.');
    let second = line.split_once(": ").map(|(_, second)| second);
    second.is_some_and(|second| !second.is_empty() && second.chars().all(is_key))
}

const COLUMN: &str = "indent all keys of a map alike, and the content of a key more than the key";
const BRACKET: &str = "every `[` and `{` needs a closing bracket, and commas between its members";
const QUOTE: &str = "close the text with the same kind of quote";
const SIGN: &str =
    "put a value that begins with this character in quotes; a `|` stands outside of braces";

/// Code, message (YAML's own if there is none), and help.
type Explanation = (&'static str, Option<String>, &'static str);

fn explain(kind: &ErrorKind) -> Explanation {
    use ErrorKind::*;
    match kind {
        TabNotAllowed
        | TabInBlockIndentation
        | TabAtBlockScalarStart
        | TabInIndentation
        | TabInPlainScalar => {
            let message = "YAML does not allow tabs for indentation";
            explained("yaml-tab", message, "indent with spaces")
        }
        ExpectedBlockMappingKey => syntax("YAML expects a key here", COLUMN),
        InvalidIndentation | InvalidBlockScalarIndent | InvalidFlowScalarIndent => {
            let message = "this line is not indented like the lines above it";
            explained("yaml-indentation", message, COLUMN)
        }
        ExpectedBlockSequenceEntry => syntax("YAML expects a `- ` here", COLUMN),
        SimpleKeyExpected | InvalidSimpleKey => syntax(
            "a key without its `:`",
            "write `key: value`, with a space after the colon",
        ),
        RecursionLimitExceeded => {
            let message = "lists and maps are nested too deeply";
            explained("yaml-depth", message, "simplify the ruleset here")
        }
        CommentNotSeparated => syntax(
            "a `#` without a space before it",
            "write a space before a comment",
        ),
        CommentInterceptedScalar => syntax(
            "a comment inside a multi-line value",
            "put the value below its key after `|`",
        ),
        _ => explain_sign(kind),
    }
}

/// Explains a mistake with a bracket, a quote or another sign.
fn explain_sign(kind: &ErrorKind) -> Explanation {
    use ErrorKind::*;
    match kind {
        InvalidColonPlacement => syntax("a `:` inside an unclosed `[` or `{`", BRACKET),
        ExpectedFlowMappingSeparator | UnexpectedEofFlowMapping => {
            syntax("an unclosed `{`", BRACKET)
        }
        ExpectedFlowSequenceSeparator | UnexpectedEofFlowSequence => {
            syntax("an unclosed `[`", BRACKET)
        }
        UnclosedFlowCollection { open } => syntax(&format!("an unclosed `{open}`"), BRACKET),
        MismatchedFlowCollectionEnd { open, close } => {
            syntax(&format!("a `{open}` closed by a `{close}`"), BRACKET)
        }
        MisplacedFlowCollectionEnd => syntax("a closing bracket without an opening one", BRACKET),
        InvalidQuotedScalarIndent => syntax(
            "a quoted text continues in this line",
            "close the quote on the line where it begins, or indent the lines where it continues",
        ),
        UnclosedQuotedScalar => syntax("an unclosed quote", QUOTE),
        InvalidTrailingSingleQuotedScalar | InvalidTrailingDoubleQuotedScalar => syntax(
            "more text after the closing quote",
            "a value that begins with a quote ends with it; use the other kind of quotes around the whole value",
        ),
        UnknownQuotedScalarEscape | InvalidQuotedScalarHexEscape => syntax(
            "YAML does not know this escape",
            "a backslash in double quotes begins an escape; write `\\\\`, or use single quotes",
        ),
        UnexpectedCharacter { character } => {
            let character = character.escape_default();
            syntax(&format!("YAML does not allow `{character}` here"), SIGN)
        }
        DirectiveDisallowed => syntax("YAML directives (`%…`) have no meaning here", SIGN),
        _ => (
            "yaml-syntax",
            None,
            "check the lines around it: indentation, brackets and quotes",
        ),
    }
}

fn explained(code: &'static str, message: &str, help: &'static str) -> Explanation {
    (code, Some(message.to_owned()), help)
}

fn syntax(message: &str, help: &'static str) -> Explanation {
    explained("yaml-syntax", message, help)
}
