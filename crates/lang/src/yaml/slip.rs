//! Mistakes that show in the text around a YAML error; each is reported where it was made.

use serde_yaml::granit_parser::ErrorKind;

use super::indentation;
use crate::lookalike::{Lookalike, invisible, lookalike, plain};
use wyrmgate_base::diagnostic::{Diagnostic, FileId, Span};

/// A place in a file at which YAML failed.
pub(super) struct Place<'t> {
    pub file: FileId,
    pub text: &'t str,
    pub at: usize,
}

/// Returns the mistake at the place, if it is a common one.
pub(super) fn find(place: &Place, kind: &ErrorKind) -> Option<Diagnostic> {
    use ErrorKind::*;
    match kind {
        TabNotAllowed
        | TabInBlockIndentation
        | TabAtBlockScalarStart
        | TabInIndentation
        | TabInPlainScalar => place.tab(),
        ExpectedFlowMappingSeparator => place.bracket().or_else(|| place.missing_comma()),
        MappingValueNotAllowed if place.is_in_value() => None,
        UnexpectedCharacter { character } => place.foreign(*character),
        SimpleKeyExpected | InvalidSimpleKey if place.colon().is_some() => place.colon(),
        SimpleKeyExpected | InvalidSimpleKey if place.of_key().is_some() => place.of_key(),
        ExpectedBlockMappingKey
        | ExpectedBlockSequenceEntry
        | InvalidIndentation
        | InvalidBlockScalarIndent
        | MappingValueNotAllowed
        | SimpleKeyExpected
        | InvalidSimpleKey => place
            .blank()
            .or_else(|| indentation::diagnostic(place.file, place.text, place.at)),
        _ => None,
    }
}

impl Place<'_> {
    pub fn problem(
        &self,
        code: &'static str,
        start: usize,
        length: usize,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Diagnostic {
        let span = Span::new(self.file, start, start + length);
        Diagnostic::error(code, span, message).help(help)
    }

    /// Returns the beginning of the line of the place, and its text.
    fn line(&self) -> (usize, &str) {
        let before = self.text.get(..self.at).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |i| i + 1);
        let rest = self.text.get(start..).unwrap_or_default();
        (start, rest.lines().next().unwrap_or_default())
    }

    /// Finds the first tab after the place that precedes the words of its line; YAML may report a line earlier.
    fn tab(&self) -> Option<Diagnostic> {
        let (first, _) = self.line();
        let mut start = first;
        for line in self.text.get(first..)?.split_inclusive('\n') {
            let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
            let tab = line.get(..blanks).and_then(|blanks| blanks.find('\t'));
            if let Some(tab) = tab {
                let words = line.get(blanks..).unwrap_or_default().trim_end();
                let word = words.split(' ').next().unwrap_or_default();
                let length = blanks - tab + word.len();
                let help = "use spaces: the width of a tab depends on the editor";
                return Some(self.problem("yaml-tab", start + tab, length, TAB, help));
            }
            start += line.len();
        }
        None
    }

    /// Finds `{if: mood[red] = calm}`, `{title: Tricks [won]}`, `{excludes: not raids [ABC-32]}`.
    fn bracket(&self) -> Option<Diagnostic> {
        let (start, line) = self.line();
        let upto = self.at - start + usize::from(line.get(self.at - start..)?.starts_with('['));
        let open = line.get(..upto)?.rfind('[')?;
        let value = line.get(..open)?.trim_end();
        if !value.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ')' | '"' | '_')) {
            return None;
        }
        let rest = line.get(open..)?;
        let length = rest.find(']').map_or(rest.len(), |close| close + 1);
        let begin = value.rfind([',', '{', ':']).map_or(0, |i| i + 1);
        let behind = rest
            .get(length..)?
            .find([',', '}'])
            .unwrap_or(rest.len() - length);
        let meant = line.get(begin..open + length + behind)?.trim();
        let is_clause = rest.starts_with('[') && rest.get(1..2)?.starts_with(char::is_uppercase);
        let message = match is_clause {
            true => "inside `{ }`, YAML reads a clause after a value as a list",
            false => {
                "inside `{ }`, YAML reads `[` as the beginning of a list, even in the middle of a value"
            }
        };
        let help = match rest.get(length..)?.starts_with(':') {
            true => format!(
                "put the key in quotes: `\"{}\": …`",
                line.get(begin..open + length)?.trim()
            ),
            false => format!("put the whole value in quotes: `\"{meant}\"`"),
        };
        Some(self.problem("yaml-syntax", start + open, length, message, help))
    }

    /// Finds `{type: 3..6 default: 5}`.
    fn missing_comma(&self) -> Option<Diagnostic> {
        let (start, line) = self.line();
        let at = self.at - start;
        if !line.get(at..)?.starts_with(':') {
            return None;
        }
        let before = line.get(..at)?;
        let key = before.rfind(|c: char| !c.is_alphanumeric() && c != '_')? + 1;
        let value = before.get(..key)?.trim_end();
        let has_value = value.rsplit(['{', ',']).next()?.contains(": ");
        let word = before.get(key..)?;
        if value.contains(" ? ") {
            let message = "`? :` is no operator";
            let help = "a value that depends is written `if a then b else c`";
            return Some(self.problem("yaml-syntax", self.at, 1, message, help));
        }
        let message = format!("missing comma before `{word}`");
        let help = format!("write `{}, {word}: …`", short(value));
        has_value.then(|| self.problem("yaml-syntax", start + key, at - key, message, help))
    }

    /// Finds an invisible character in the indentation.
    fn blank(&self) -> Option<Diagnostic> {
        let (start, line) = self.line();
        let bare = line.trim_start_matches(' ');
        let begin = line.len() - bare.len();
        let sign = bare
            .chars()
            .next()
            .filter(|sign| invisible(*sign).is_some())?;
        let unseen = bare.find(|c| invisible(c).is_none()).unwrap_or(bare.len());
        let words = bare.get(unseen..)?;
        let word = words.find(' ').unwrap_or(words.len());
        let Lookalike { message, help, .. } = lookalike(sign)?;
        let message = format!("{message} in the indentation");
        Some(self.problem("lookalike", start + begin, unseen + word, message, help))
    }

    /// Finds a character that only looks like the colon after a key, or like the space after the colon.
    fn colon(&self) -> Option<Diagnostic> {
        let (start, line) = self.line();
        let mut signs = line.char_indices().filter(|(_, sign)| !sign.is_ascii());
        let behind_colon = |at: usize| line.get(..at).is_some_and(|before| before.ends_with(':'));
        let (at, sign) = signs.find(|(at, sign)| match plain(*sign) {
            Some(':') => true,
            Some(' ') => behind_colon(*at),
            _ => false,
        })?;
        let Lookalike { message, help, .. } = lookalike(sign)?;
        let plain = plain(sign)?;
        let problem = self.problem("lookalike", start + at, sign.len_utf8(), message, help);
        let (span, is_last) = (problem.span, line.len() == at + sign.len_utf8());
        Some(match plain == ':' && !is_last {
            true => problem.repair(span, ": "),
            false => problem.repair(span, plain),
        })
    }

    /// Reports a line that was to be a key.
    fn of_key(&self) -> Option<Diagnostic> {
        self.colon_alone()
            .or_else(|| self.text_of_member())
            .or_else(|| self.equals_of_query())
    }

    /// Finds `full(seat p) = count(hand(p)) > 4`.
    fn equals_of_query(&self) -> Option<Diagnostic> {
        let (start, line) = self.line();
        let (name, value) = line.split_once(" = ")?;
        let is_query = name.ends_with(')') && !name.contains(':');
        is_query.then(|| {
            let at = start + name.len();
            let message = "a query has a `:` behind its name";
            let help = format!("write `{}: {value}`", name.trim());
            let problem = self.problem("yaml-syntax", at + 1, 1, message, help);
            problem.repair(Span::new(self.file, at, at + 2), ":")
        })
    }

    /// Finds `bound:2000`.
    fn colon_alone(&self) -> Option<Diagnostic> {
        let (start, line) = self.line();
        let (key, value) = line.split_once(':')?;
        let is_key = |c: char| c.is_ascii_lowercase() || matches!(c, '_' | '0'..='9');
        let is_named = !key.trim().is_empty() && key.trim().chars().all(is_key);
        (is_named && !value.is_empty() && !value.starts_with(' ')).then(|| {
            let at = start + key.len() + 1;
            let help = format!("write `{}: {value}`", key.trim());
            let message = "no space after the `:`";
            let problem = self.problem("yaml-syntax", at - 1, 1, message, help);
            problem.repair(Span::new(self.file, at, at), " ")
        })
    }

    /// Explains text below `- play: |` that is not indented more than the key.
    fn text_of_member(&self) -> Option<Diagnostic> {
        let (start, line) = self.line();
        let above = self.text.get(..start)?.trim_end();
        let above = above.lines().next_back()?;
        let key = above.trim_start().strip_prefix("- ")?;
        let is_text = key.ends_with(": |") || key.ends_with(": >");
        is_text.then(|| {
            let blanks = line.len() - line.trim_start().len();
            let length = line.trim().len();
            let help = format!(
                "remove the `- ` before `{}`: keys that the author chooses are no list",
                key.split(':').next().unwrap_or_default()
            );
            let message = "this line is not indented more than the key of its text";
            self.problem("yaml-indentation", start + blanks, length, message, help)
        })
    }

    /// Reports a character that no text may contain.
    fn foreign(&self, sign: char) -> Option<Diagnostic> {
        if !sign.is_control() {
            return None;
        }
        let message = format!("an invisible control character (U+{:04X})", sign as u32);
        let help = "delete it, or type the line again";
        Some(self.problem("yaml-syntax", self.at, sign.len_utf8(), message, help))
    }

    /// Returns whether the colon follows another one, or is in a line of effect text.
    fn is_in_value(&self) -> bool {
        let (start, line) = self.line();
        let before = line.get(..self.at - start).unwrap_or_default();
        let word = before.trim_start().split(' ').next().unwrap_or_default();
        before.contains(": ") || before.ends_with('"') || begins_statement(word)
    }
}

const TAB: &str = "YAML does not allow tabs for indentation";

/// Returns the end of a text, from its last bracket on.
fn short(text: &str) -> &str {
    let begin = text.rfind(['{', ',']).map_or(0, |i| i + 1);
    text.get(begin..).unwrap_or(text).trim_start()
}

pub(super) fn begins_statement(word: &str) -> bool {
    STATEMENTS.contains(&word)
}

/// Words with which lines of effects begin, but hardly any keys.
const STATEMENTS: &[&str] = &[
    "if", "else", "each", "repeat", "repeat:", "while", "choose", "may", "option", "ask", "turn",
    "turns", "as", "phase", "round", "say", "let", "move",
];
