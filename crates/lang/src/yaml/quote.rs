//! Unclosed quotes: YAML continues to the next quote, lines below, and reports an error there.

use serde_yaml::granit_parser::ErrorKind;

use wyrmgate_base::diagnostic::{Diagnostic, FileId, Span};

/// Finds an unclosed quote that was closed lines below by one that was meant to open: the two are unrelated, and YAML
/// reports the second.
pub fn left_open(text: &str, at: usize, kind: &ErrorKind, last: Option<usize>) -> Option<usize> {
    use ErrorKind::*;
    if !matches!(
        kind,
        InvalidTrailingSingleQuotedScalar
            | InvalidTrailingDoubleQuotedScalar
            | InvalidQuotedScalarIndent
            | UnclosedQuotedScalar
            | ExpectedFlowMappingSeparator
            | ExpectedFlowSequenceSeparator
    ) {
        return None;
    }
    let from = last.unwrap_or(0);
    let quote = open_in(text.get(from..at)?)?;
    Some(from + quote)
}

/// Returns the first quote that begins a value and is not closed on its line.
fn open_in(text: &str) -> Option<usize> {
    let mut line_begins = 0;
    for line in text.split_inclusive('\n') {
        if !line.trim_start().starts_with('#')
            && let Some(quote) = open_in_line(line)
        {
            return Some(line_begins + quote);
        }
        line_begins += line.len();
    }
    None
}

fn open_in_line(line: &str) -> Option<usize> {
    let mut open: Option<(usize, char)> = None;
    let mut before = ' ';
    for (at, sign) in line.char_indices() {
        open = match open {
            None if matches!(sign, '"' | '\'') && begins_a_value(line, at) => Some((at, sign)),
            Some((_, quote)) if sign == quote && before != '\\' => None,
            open => open,
        };
        before = sign;
    }
    open.map(|(at, _)| at)
}

/// Returns whether the position follows `: `, `- `, `[`, `{` or `, `, or begins the line.
fn begins_a_value(line: &str, at: usize) -> bool {
    let before = line.get(..at).unwrap_or_default();
    let bare = before.trim_end();
    bare.is_empty()
        || bare.ends_with(['[', '{', ','])
        || (bare.len() < before.len() && bare.ends_with([':', '-']))
}

pub fn diagnostic(file: FileId, text: &str, quote: usize) -> Diagnostic {
    let line = text.get(quote..).unwrap_or_default();
    let line = line.lines().next().unwrap_or_default().trim_end();
    let span = Span::new(file, quote, quote + line.len());
    let message = "unclosed quote on this line";
    let help = "close it where the text ends; put a longer text below its key after `|`";
    Diagnostic::error("yaml-syntax", span, message).help(help)
}
