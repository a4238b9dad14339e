//! Repairs of the beginning of a line: a missing `:`, and signs and words with which no statement begins.

use pest::Parser;

use super::{Broken, Repair, shown};
use crate::advice;
use crate::effect::{Grammar, Rule};
use crate::token::token;

/// Words that begin a statement with a block.
const OPENERS: &[&str] = &[
    "if", "else", "each", "while", "option", "ask", "turn", "turns", "as", "choose", "may",
];

impl Broken<'_> {
    /// Repairs `option keep "Keep them" draw 1 from deck to hand(p)`.
    pub(super) fn colon_before_statement(self) -> Option<Repair> {
        // `each p in seats choose …` means `chooses`.
        let is_choice = |word: &str| word == "choose" && self.text.trim_start().starts_with("each");
        let mut statements = self
            .suspects()
            .filter(|(at, word)| *at > 0 && begins_statement(word) && !is_choice(word));
        self.opens()
            .then(|| statements.find_map(|(at, _)| self.colon_at(at)))?
    }

    /// Repairs `option score active scores 1`: the first word before which a `:` makes sense.
    pub(super) fn colon_of_opener(self) -> Option<Repair> {
        let is_closed = self.text.contains(':');
        let words = self.text.match_indices(' ').map(|(at, _)| at + 1);
        let can_begin = |at: &usize| {
            let word = token(self.text.get(*at..).unwrap_or_default());
            word.starts_with(|c: char| c.is_ascii_lowercase())
                && !self.text.trim_start().starts_with("choose")
                && Grammar::parse(Rule::reserved_word, word).is_err()
        };
        (self.opens() && !is_closed)
            .then(|| words.filter(can_begin).find_map(|at| self.colon_at(at)))?
    }

    /// Returns whether the line begins a block.
    fn opens(self) -> bool {
        OPENERS.contains(&token(self.text.trim_start()))
    }

    fn colon_at(self, at: usize) -> Option<Repair> {
        let (before, rest) = self.text.split_at_checked(at)?;
        let before = before.trim_end();
        let fixed = format!("{before}: {rest}");
        self.parses(&fixed).then(|| Repair {
            message: "missing `:`".to_owned(),
            help: format!("write `{}`", shown(&fixed, before.len() + 1)),
            place: (at, at + token(rest).len()),
            fixed: Some(fixed),
        })
    }

    /// Finds `(move Slide …)`, `<move …/>`.
    pub(super) fn no_statement_sign(self) -> Option<Repair> {
        let line = self.text.trim_start();
        let start = self.text.len() - line.len();
        let sign = line.chars().next()?;
        let word = token(line.get(sign.len_utf8()..)?);
        let usage = advice::form_of(word).filter(|_| begins_statement(word));
        let help = match (sign, usage) {
            ('(' | '<' | '{' | '[' | '@' | '$', Some(usage)) => usage,
            ('<' | '@' | '$', None) => {
                "write a statement, such as `move c to discard`, or the words of an effect"
            }
            _ => return None,
        };
        Some(Repair {
            message: format!("a statement does not begin with `{sign}`"),
            help: help.to_owned(),
            place: (start, start + sign.len_utf8()),
            fixed: None,
        })
    }

    /// Finds `turn += 1`, also behind another statement: `wind = 1; turn = 3`.
    pub(super) fn word_set(self) -> Option<Repair> {
        let behind = self.before().rfind([';', ':']).map_or(0, |sign| sign + 1);
        let line = self.text.get(behind..)?.trim_start();
        let start = self.text.len() - line.len();
        let word = token(line);
        let rest = line.get(word.len()..)?.trim_start();
        let sets = ["=", "+=", "-=", "++", "--"];
        let is_set = sets.iter().any(|sign| rest.starts_with(sign));
        let help = match word {
            "turn" => {
                "`turns from p: …` and `turn of p: …` count the turns; `turn` is their number"
            }
            _ => "choose another name for the variable",
        };
        (is_set && begins_statement(word)).then(|| Repair {
            message: format!("`{word}` is a word of the language, which nothing can set"),
            help: help.to_owned(),
            place: (start, start + word.len()),
            fixed: None,
        })
    }
}

fn begins_statement(word: &str) -> bool {
    Grammar::parse(Rule::statement_word, word).is_ok_and(|found| found.as_str() == word)
}
