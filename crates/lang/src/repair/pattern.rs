//! Patterns with holes over the tokens of a line, and what is written in place of what fits.
//!
//! | In a pattern | Fits |
//! | --- | --- |
//! | `to`, `in\|into`, `a\|the\|` | this token, one of several, perhaps none; `$1` is the first that is one of several |
//! | `!a\|b` | if none of these follows |
//! | `@` | a quantifier of speech, `$2`; `$1` is ours |
//! | `$N`, `#n`, `"$t"` | a word or number, a number, what is in a text; a second `$N` fits the same again |
//! | `$x` | at an end of the pattern, an operand; otherwise, all that precedes the next token of the pattern |
//! | `$*x` | the same, also behind `:` and `;`; at the end, the rest of the line |
//! | `^` | the beginning of a statement |
//! | `$` | the end of the line |
//!
//! A hole takes as little as it can and never more after that, so a match takes time in proportion to the line. A `(` or
//! `[` without a blank before it is that of a call or an index.

use super::line::Line;

/// Quantifiers of speech, and ours.
const QUANTIFIERS: &[(&str, &str)] = &[
    ("all", "every"),
    ("each", "every"),
    ("every", "every"),
    ("any", "some"),
    ("some", "some"),
    ("exists", "some"),
    ("no", "no"),
];

enum Element {
    OneOf(Vec<&'static str>, Before),
    NoneOf(Vec<&'static str>),
    Quantifier,
    Word(&'static str),
    Number(&'static str),
    Text(&'static str),
    Value(&'static str),
    Several(&'static str),
    End,
}

/// What precedes a bracket.
#[derive(Clone, Copy, PartialEq)]
enum Before {
    Blank,
    Word,
    /// It begins the pattern, or is no bracket.
    Anything,
}

pub(super) struct Pattern {
    elements: Vec<Element>,
    begins_statement: bool,
}

/// The tokens that fit a pattern, and what its holes hold.
pub(super) struct Match<'t> {
    pub start: usize,
    pub end: usize,
    /// The last token that the pattern names without others.
    pub last: usize,
    held: Vec<(&'static str, &'t str)>,
}

impl Pattern {
    pub fn new(text: &'static str) -> Pattern {
        let bare = text.strip_prefix("^ ");
        let line = Line::new(bare.unwrap_or(text));
        let mut elements = Vec::new();
        let mut at = 0;
        while at < line.tokens.len() {
            let begin = at;
            at += 2;
            let name = line.token(begin + 1);
            elements.push(match line.token(begin) {
                "$" if name == "*" => {
                    at += 1;
                    Element::Several(line.token(begin + 2))
                }
                "$" if name.is_empty() => Element::End,
                "$" if name.starts_with(char::is_uppercase) => Element::Word(name),
                "$" if name.starts_with(char::is_lowercase) => Element::Value(name),
                "#" => Element::Number(name),
                "!" => Element::NoneOf(options(&line, begin + 1, &mut at)),
                "@" => {
                    at = begin + 1;
                    Element::Quantifier
                }
                text if text.starts_with('"') => {
                    at = begin + 1;
                    Element::Text(text.trim_matches(['"', '$']))
                }
                text => {
                    let before = match text {
                        "(" | "[" if begin > 0 && line.is_joined(begin) => Before::Word,
                        "(" | "[" if begin > 0 => Before::Blank,
                        _ => Before::Anything,
                    };
                    Element::OneOf(options(&line, begin, &mut at), before)
                }
            });
        }
        Pattern {
            elements,
            begins_statement: bare.is_some(),
        }
    }

    /// Returns what fits, for each token at which it begins.
    pub fn matches<'m, 't>(&'m self, line: &'m Line<'t>) -> impl Iterator<Item = Match<'t>> + 'm {
        let begins = move |at: &usize| {
            let before = at.checked_sub(1).map_or(";", |before| line.token(before));
            !self.begins_statement || matches!(before, ":" | ";")
        };
        let starts = (0..line.tokens.len()).filter(begins);
        starts.filter_map(move |start| self.fit(line, start))
    }

    fn fit<'t>(&self, line: &Line<'t>, start: usize) -> Option<Match<'t>> {
        let mut found = Match {
            start,
            end: start,
            last: start,
            held: Vec::new(),
        };
        for (index, element) in self.elements.iter().enumerate() {
            let is_inside = index > 0 || self.begins_statement;
            let next = self.elements.get(index + 1);
            let fits = |at: usize| next.is_some_and(|next| next.single(line, at).is_some());
            let at = found.end;
            found.end = match element {
                Element::Several(_) if next.is_none() => line.tokens.len(),
                Element::Several(_) => line.until(at, false, fits)?,
                Element::Value(_) if is_inside && next.is_some() => line.until(at, true, fits)?,
                Element::Value(_) => line.operand(at, fits)?,
                _ => element.single(line, at)?,
            };
            found.hold(element, line, at)?;
        }
        let (start, end) = line.bytes(found.start, found.end);
        found.held.push(("0", line.text.get(start..end)?));
        found.held.push(("_", line.token(found.last)));
        Some(found)
    }
}

/// Returns the alternatives that begin at a token: `in|into`.
fn options(line: &Line<'static>, first: usize, at: &mut usize) -> Vec<&'static str> {
    let mut options = vec![line.token(first)];
    *at = first + 1;
    while line.token(*at) == "|" {
        *at += 1;
        match line.is_joined(*at) {
            true => options.push(line.token(*at)),
            false => return [options, vec![""]].concat(), // `a| b`: `a`, or nothing
        }
        *at += 1;
    }
    options
}

impl Element {
    /// Returns the end of what fits here, if it is a single token at most.
    fn single(&self, line: &Line<'_>, at: usize) -> Option<usize> {
        let token = line.token(at);
        let is_one = |fits: bool| (fits && !token.is_empty()).then_some(at + 1);
        match self {
            Element::OneOf(options, before) => {
                let is_joined = *before == Before::Word;
                let fits = options.contains(&token)
                    && (*before == Before::Anything || line.is_joined(at) == is_joined);
                is_one(fits).or_else(|| options.contains(&"").then_some(at))
            }
            Element::NoneOf(options) => (!options.contains(&token)).then_some(at),
            Element::Quantifier => is_one(QUANTIFIERS.iter().any(|(said, _)| *said == token)),
            Element::Word(_) => is_one(token.starts_with(|c: char| c.is_alphanumeric())),
            Element::Number(_) => is_one(token.starts_with(|c: char| c.is_ascii_digit())),
            Element::Text(_) => is_one(token.len() > 1 && token.starts_with('"')),
            Element::End => (at == line.tokens.len()).then_some(at),
            Element::Value(_) | Element::Several(_) => None,
        }
    }
}

impl<'t> Match<'t> {
    /// Keeps what an element holds, from the token `at` on; nothing if it holds something else already.
    fn hold(&mut self, element: &Element, line: &Line<'t>, at: usize) -> Option<()> {
        let (start, end) = line.bytes(at, self.end);
        let text = line.text.get(start..end)?;
        let (name, text) = match element {
            Element::OneOf(options, _) => {
                if options.len() == 1 {
                    self.last = at;
                }
                let is_first = options.len() > 1 && self.held("1").is_none();
                (if is_first { "1" } else { "" }, text)
            }
            Element::Quantifier => {
                let (_, ours) = QUANTIFIERS.iter().find(|(said, _)| *said == text)?;
                self.held.push(("2", text));
                ("1", *ours)
            }
            Element::Text(name) => (*name, text.trim_matches('"')),
            Element::Word(name)
            | Element::Number(name)
            | Element::Value(name)
            | Element::Several(name) => (*name, text),
            Element::NoneOf(_) | Element::End => ("", ""),
        };
        if name.is_empty() {
            return Some(());
        }
        match self.held(name) {
            Some(held) => (held == text).then_some(()),
            None => {
                self.held.push((name, text));
                Some(())
            }
        }
    }

    fn held(&self, name: &str) -> Option<&'t str> {
        let mut held = self.held.iter();
        held.find(|(of, _)| *of == name).map(|(_, text)| *text)
    }

    /// Writes what the holes hold: `$x`; `$t` is the initial of `$T`, `$Ts` its plural, `#n-1` a number less, and
    /// ` ($x)` has parentheses unless `$x` is an operand. `$0` is all that fits, and `$_` the last token that the pattern names alone.
    pub fn written(&self, template: &str) -> String {
        let mut written = String::new();
        let mut rest = template;
        while let Some((before, hole)) = rest
            .find(['$', '#'])
            .and_then(|at| rest.split_at_checked(at))
        {
            written.push_str(before);
            let (name, behind) = (hole.get(1..2).unwrap_or_default(), hole.get(2..));
            let Some((text, behind)) = self.named(name).zip(behind) else {
                let (sign, behind) = hole.split_at_checked(1).unwrap_or((hole, ""));
                written.push_str(sign);
                rest = behind;
                continue;
            };
            rest = behind;
            if let (Some(less), Ok(number)) = (behind.strip_prefix("-1"), text.parse::<i64>()) {
                written.push_str(&(number - 1).to_string());
                rest = less;
                continue;
            }
            if text.ends_with('s') {
                rest = rest.strip_prefix('s').unwrap_or(rest);
            }
            if let (true, Some(closed)) = (written.ends_with(" ("), rest.strip_prefix(')')) {
                let line = Line::new(text);
                if line.operand(0, |_| false) == Some(line.tokens.len()) {
                    written.pop();
                    rest = closed;
                }
            }
            written.push_str(text);
        }
        written + rest
    }

    fn named(&self, name: &str) -> Option<&'t str> {
        let initial = || self.held(&name.to_uppercase())?.get(..1);
        self.held(name).or_else(initial)
    }
}
