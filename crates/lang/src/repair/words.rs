//! Repairs of words: misspelled ones, those of other languages, and those that are missing.

use super::{Broken, Repair, shown};
use crate::token::token;
use wyrmgate_base::diagnostic::misspelled;

/// Keywords inside statements.
const WORDS: &[&str] = &[
    "chooses", "choose", "where", "from", "with", "random", "face", "down", "times", "ranked",
    "drawn", "ties", "else", "then", "sorted", "most", "least", "turned", "bottom", "ordered",
    "repeated", "path", "has", "every", "some", "won", "not", "and", "mod", "top",
];

/// Our words inside statements, and those of other languages for them: tried if nothing else fits.
const FOREIGN: &[(&str, &[&str])] = &[
    ("to", &["into", "onto", "on", "in"]),
    ("in", &["from", "of", "out"]),
    ("with", &["for", "and"]),
    ("where", &["when", "with", "having", "if"]),
    (":", &["do", "then"]),
    ("won by", &["winner", "wins"]),
    ("ranked", &["rank"]),
    ("drawn", &["draw"]),
    ("most", &["desc"]),
    ("at random", &["randomly"]),
];

/// Characters that may be missing.
const LEFT_OUT: &[&str] = &[":", "]", "}"];

/// Words that may be missing, and the statements that need them.
const LEFT_OUT_IN: &[(&str, &[&str])] = &[
    ("in", &["each", "choose", "chooses", "some", "every", "no"]),
    ("to", &["move", "draw", "show"]),
    ("from", &["draw", "turns"]),
    ("with", &["swap"]),
    ("of", &["turn"]),
    ("by", &["finish"]),
    ("has", &["some", "every", "no"]),
    ("times", &["repeat"]),
];

impl Broken<'_> {
    pub(super) fn misspelled_word(self) -> Option<Repair> {
        self.suspects().find_map(|(start, word)| {
            let begins = |ours: &str| word.len() > 3 && ours.starts_with(word);
            let prefixed = |ours: &&&str| begins(ours) && **ours != format!("{word}ed");
            let near = misspelled(word, WORDS.iter().copied());
            let ours = near.or_else(|| WORDS.iter().find(prefixed).copied())?;
            let fixed = self.with(start, word.len(), ours);
            (ours != word && self.parses_beyond(&fixed, start + ours.len()))
                .then(|| self.replaced(start, word, ours, &fixed))
        })
    }

    pub(super) fn foreign_word(self) -> Option<Repair> {
        self.suspects().find_map(|(start, word)| {
            let (ours, _) = FOREIGN.iter().find(|(_, words)| words.contains(&word))?;
            let blanks = match *ours {
                ":" => blanks_before(self.text, start),
                _ => 0,
            };
            let fixed = self.with(start - blanks, word.len() + blanks, ours);
            self.parses(&fixed)
                .then(|| self.replaced(start, word, ours, &fixed))
        })
    }

    pub(super) fn left_out(self) -> Option<Repair> {
        let (before, rest) = (self.before().trim_end(), self.rest());
        LEFT_OUT.iter().find_map(|missing| {
            let fixed = format!("{before}{missing} {rest}");
            let is_bracket = *missing == "]" && !before.contains('[');
            let until = before.len() + missing.len();
            (!is_bracket && self.parses(fixed.trim_end()))
                .then(|| self.missing(missing, &fixed, until))
        })
    }

    /// Repairs `each p seats: …`, `move c discard`.
    pub(super) fn left_out_word(self) -> Option<Repair> {
        let (before, rest) = (self.before().trim_end(), self.rest());
        let begins = before.rfind([':', ';']).map_or(0, |at| at + 1);
        let statement = before.get(begins..).unwrap_or_default();
        let words: Vec<&str> = statement.split([' ', '(']).collect();
        let needed = |(missing, statements): &&(&str, &[&str])| {
            words.iter().any(|word| statements.contains(word)) && words.last() != Some(missing)
        };
        LEFT_OUT_IN.iter().filter(needed).find_map(|(missing, _)| {
            let blank = if rest.starts_with(':') { "" } else { " " };
            let fixed = format!("{before} {missing}{blank}{rest}");
            let until = before.len() + 1 + missing.len();
            (!rest.trim().is_empty() && self.parses(&fixed))
                .then(|| self.missing(missing, &fixed, until))
        })
    }

    /// Repairs `say Water`, `choose e in edge Draw a line [DOT-01]: …`.
    pub(super) fn unquoted(self) -> Option<Repair> {
        let (rest, word) = (self.rest(), token(self.rest()));
        let in_small = self.with(self.at, word.len(), &word.to_lowercase());
        let is_value = self
            .before()
            .trim_end()
            .ends_with(['=', '(', '[', ',', '<', '>', '+']);
        if is_value || !word.starts_with(char::is_uppercase) || self.parses(&in_small) {
            return None;
        }
        let ends = rest.match_indices([' ', ':', ';']).map(|(end, _)| end);
        let texts = ends.chain([rest.len()]).filter_map(|end| rest.get(..end));
        let mut quoted =
            texts.map(|text| (text, self.with(self.at, text.len(), &format!("\"{text}\""))));
        let (text, fixed) = quoted.find(|(_, fixed)| self.parses(fixed))?;
        Some(Repair {
            message: "a text stands in double quotes".to_owned(),
            help: format!("write `{}`", shown(&fixed, self.at + text.len() + 2)),
            place: (self.at, self.at + text.len()),
            fixed: Some(fixed),
        })
    }

    fn missing(self, what: &str, fixed: &str, until: usize) -> Repair {
        let end = self.before().trim_end().len();
        Repair {
            message: format!("missing `{what}`"),
            help: format!("write `{}`", shown(fixed, until)),
            place: match token(self.rest()) {
                "" => (end.saturating_sub(1), end),
                next => (self.at, self.at + next.len()),
            },
            fixed: Some(fixed.to_owned()),
        }
    }
}

fn blanks_before(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    before.len() - before.trim_end_matches(' ').len()
}
