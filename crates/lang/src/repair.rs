//! Suggests repairs for a line that does not parse: it tries small changes and proposes one that parses. Advice
//! therefore always concerns this line and is always valid grammar.

mod beginning;
mod line;
mod pattern;
mod rows;
mod words;

use pest::Parser;
use pest::error::InputLocation;

use crate::effect::{Grammar, Rule};
use crate::token::token;

/// A report that replaces the grammar's own message.
pub(super) struct Repair {
    pub message: String,
    pub help: String,
    /// The bytes of the line to mark.
    pub place: (usize, usize),
    /// The whole line as it should be, if it is known.
    pub fixed: Option<String>,
}

impl Repair {
    /// Returns the bytes of the broken line that differ from the repaired one, and what belongs there.
    pub fn change<'r>(&'r self, broken: &str) -> Option<(usize, usize, &'r str)> {
        let fixed = self.fixed.as_deref()?;
        let start = equal_bytes(broken.chars().zip(fixed.chars()));
        let (old, new) = (broken.get(start..)?, fixed.get(start..)?);
        let same = equal_bytes(old.chars().rev().zip(new.chars().rev()));
        Some((start, broken.len() - same, new.get(..new.len() - same)?))
    }
}

/// Returns the length of the equal letters at the beginning.
fn equal_bytes(pairs: impl Iterator<Item = (char, char)>) -> usize {
    let same = pairs.take_while(|(a, b)| a == b);
    same.map(|(a, _)| a.len_utf8()).sum()
}

/// A line, and where its parsing failed.
#[derive(Clone, Copy)]
pub(super) struct Broken<'t> {
    pub entrance: Rule,
    pub text: &'t str,
    pub at: usize,
}

/// How advice on a missing `*` begins, which is right only in a game with bundles.
pub(crate) const OF_A_BUNDLE: &str = "of a bundle, write ";

/// The maximum length of the shown rest of a line.
const REST_MAX: usize = 24;

impl<'t> Broken<'t> {
    /// Returns the repair of a well-known slip, which comes before all other advice.
    pub fn of_slip(self) -> Option<Repair> {
        match self.entrance {
            Rule::only_line | Rule::only_expr | Rule::only_range => self.slip(),
            _ => None,
        }
    }

    pub fn repair(self) -> Option<Repair> {
        let repairs: &[fn(Broken<'t>) -> Option<Repair>] = match self.entrance {
            Rule::only_line => &[
                Self::backslash,
                Self::no_statement_sign,
                Self::word_set,
                Self::colon_before_statement,
                Self::misspelled_word,
                Self::foreign_word,
                Self::no_times,
                Self::left_out,
                Self::left_out_word,
                Self::open_brackets,
                Self::colon_of_opener,
                Self::unquoted,
            ],
            Rule::only_expr | Rule::only_range => &[
                Self::backslash,
                Self::misspelled_word,
                Self::no_times,
                Self::statement,
            ],
            Rule::signature => &[Self::open_brackets],
            _ => &[],
        };
        repairs.iter().find_map(|repair| repair(self))
    }

    // ---- helpers

    fn before(self) -> &'t str {
        self.text.get(..self.at).unwrap_or_default()
    }

    fn rest(self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Returns the word at which parsing failed, and the one before it: one of them is wrong.
    fn suspects(self) -> impl Iterator<Item = (usize, &'t str)> {
        let here = (self.at, token(self.rest()));
        let before = self.before().trim_end();
        let start = before
            .rfind(|c: char| !c.is_alphanumeric() && c != '_')
            .map_or(0, |i| i + 1);
        let last = (start, before.get(start..).unwrap_or_default());
        [here, last]
            .into_iter()
            .filter(|(_, word)| !word.is_empty())
    }

    fn parses(self, text: &str) -> bool {
        Grammar::parse(self.entrance, text).is_ok()
    }

    /// Returns whether the text parses at least beyond this byte.
    fn parses_beyond(self, text: &str, byte: usize) -> bool {
        match Grammar::parse(self.entrance, text) {
            Ok(_) => true,
            Err(error) => match error.location {
                InputLocation::Pos(at) | InputLocation::Span((at, _)) => at > byte,
            },
        }
    }

    fn with(self, start: usize, length: usize, new: &str) -> String {
        let (before, rest) = (self.text.get(..start), self.text.get(start + length..));
        format!(
            "{}{new}{}",
            before.unwrap_or_default(),
            rest.unwrap_or_default()
        )
    }

    fn replaced(self, start: usize, word: &str, new: &str, fixed: &str) -> Repair {
        Repair {
            message: format!("found `{word}`, expected `{new}`"),
            help: format!("write `{}`", shown(fixed, start + new.len())),
            place: (start, start + word.len()),
            fixed: Some(fixed.to_owned()),
        }
    }

    // ---- signs

    /// Repairs `count(dragons \` in a value of several lines.
    fn backslash(self) -> Option<Repair> {
        let slash = self
            .text
            .find("\\ ")
            .or(self.text.strip_suffix('\\').map(str::len))?;
        let is_here = self.rest().starts_with('\\') || slash + 1 == self.text.len();
        let fixed = self.with(slash, 1, " ");
        (is_here && self.parses(&fixed)).then(|| Repair {
            message: "a `\\` joins lines of effect text only".to_owned(),
            help: "remove the `\\`; the lines of a value continue by themselves".to_owned(),
            place: (slash, slash + 1),
            fixed: Some(fixed),
        })
    }

    // ---- brackets

    /// Repairs `n red` and `(n + 1) red` in the place of a bundle: only a number that is written out stands before a value.
    fn no_times(self) -> Option<Repair> {
        const OPENERS: &[&str] = &["= ", "+ ", "- ", "< ", "> ", "if ", "where "];
        let (before, word) = (self.before().trim_end(), token(self.rest()));
        let follows_operand = OPENERS.iter().any(|opener| before.contains(opener))
            && before.ends_with(|c: char| c.is_alphanumeric() || c == ')' || c == ']');
        let is_value = word.starts_with(|c: char| c.is_ascii_lowercase())
            && Grammar::parse(Rule::reserved_word, word).is_err();
        let is_clause = before.ends_with(']')
            && before
                .rsplit('[')
                .next()
                .is_some_and(|inside| inside.contains('-'));
        let fixed = format!("{before} * {}", self.rest());
        let can_be = follows_operand && is_value && !is_clause;
        (can_be && self.parses(&fixed)).then(|| Repair {
            message: format!("expected an operator before `{word}`"),
            help: format!(
                "{OF_A_BUNDLE}`{}`",
                shown(&fixed, before.len() + 3 + word.len())
            ),
            place: (self.at, self.at + word.len()),
            fixed: Some(fixed),
        })
    }

    /// Repairs `move c to hand(left(p)`.
    fn open_brackets(self) -> Option<Repair> {
        let open = self.before().matches('(').count();
        let missing = open.checked_sub(self.before().matches(')').count())?;
        let fixed = format!("{}{}", self.text.trim_end(), ")".repeat(missing));
        let at_end = self.rest().trim().is_empty();
        (at_end && missing > 0 && self.parses(&fixed)).then(|| Repair {
            message: "unclosed `(`".to_owned(),
            help: format!("write `{}`", shown(&fixed, fixed.len())),
            place: self.unclosed().unwrap_or((self.at, self.at)),
            fixed: Some(fixed),
        })
    }

    /// Returns the last `(` without its `)`.
    fn unclosed(self) -> Option<(usize, usize)> {
        let mut open = Vec::new();
        for (at, sign) in self.text.char_indices() {
            match sign {
                '(' => open.push(at),
                ')' => {
                    open.pop();
                }
                _ => {}
            }
        }
        open.last().map(|at| (*at, *at + 1))
    }

    // ---- values

    /// Repairs `1-9`, `1.9`, `1...9`, `1 to 9` in place of a range.
    pub fn range(self) -> Option<Repair> {
        if !matches!(self.entrance, Rule::only_expr | Rule::only_range) {
            return None;
        }
        let text = self.text.trim();
        let is_end = |c: char| c.is_alphanumeric() || c == '_';
        let low = text.find(|c| !is_end(c))?;
        let signs = text.get(low..)?;
        let between = ["...", "..", "-", "–", "—", "…", " to ", " - ", ":"];
        let sign = between.iter().find(|sign| signs.starts_with(**sign))?;
        let high = signs.get(sign.len()..)?;
        let length = high.find(|c| !is_end(c)).unwrap_or(high.len());
        let numbers = [text.get(..low)?, high.get(..length)?];
        let is_number = |end: &&str| end.starts_with(|c: char| c.is_ascii_digit());
        let fixed = format!("{}..{high}", numbers[0]);
        let wanted = *sign != ".." && numbers.iter().any(is_number) && length > 0;
        (wanted && self.parses(&fixed)).then(|| Repair {
            message: format!("`{}` is not the range operator", sign.trim()),
            help: format!("write a range as `{}..{}`", numbers[0], numbers[1]),
            place: self.trimmed(low + sign.len() + length),
            fixed: Some(fixed),
        })
    }

    /// Repairs `move c to deck` in place of a value.
    fn statement(self) -> Option<Repair> {
        let line = self.text.trim();
        let word = token(line);
        let value = line.get(word.len()..)?.trim();
        let place = self.trimmed(word.len());
        let is_value = word == "let" || word == "if" && value.contains(" then ");
        let is_statement =
            !value.is_empty() && !is_value && Grammar::parse(Rule::statement_word, word).is_ok();
        is_statement.then(|| Repair {
            message: format!("expected a value, found the statement `{word}`"),
            help: "put statements under `effects:`; a value only computes something".to_owned(),
            place,
            fixed: None,
        })
    }

    /// Returns this many bytes from the first word on.
    fn trimmed(self, length: usize) -> (usize, usize) {
        let start = self.text.len() - self.text.trim_start().len();
        (start, start + length)
    }
}

/// Returns the corrected line, from its last statement on, with a short rest after the change at byte `until`.
fn shown(line: &str, until: usize) -> String {
    let line = line.trim_end();
    let rest_from = until.max(REST_MAX).min(line.len());
    let rest = line.get(rest_from..).unwrap_or_default();
    let (head, cut) = match rest.char_indices().nth(REST_MAX) {
        Some((more, _)) => (line.get(..rest_from + more).unwrap_or(line), "…"),
        None => (line, ""),
    };
    format!("{}{cut}", head.trim())
}
