//! The words and signs of effect texts, for editors that color them.

use pest::Parser;
use pest::iterators::{Pair, Pairs};

use super::{Grammar, Rule};
use crate::layout::lay_out;
use crate::positions::Positions;
use wyrmgate_base::diagnostic::{Report, Span};

/// A text of the effect language as an author wrote it.
#[derive(Debug, Clone)]
pub struct Written {
    pub(crate) entrance: Rule,
    pub(crate) text: Box<str>,
    pub(crate) positions: Positions,
}

/// The meaning of a word or sign without regard to names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lexeme {
    /// A word of the language.
    Keyword,
    Number,
    /// A text for people, without its holes.
    Text,
    /// The id of a clause.
    Clause,
    Comment,
}

impl Written {
    /// Returns the words and signs in order. Names are omitted, and so are lines that do not parse.
    pub fn lexemes(&self) -> Vec<(Span, Lexeme)> {
        let Some(laid_out) = lay_out(&self.text, &self.positions, &mut Report::default()) else {
            return Vec::new();
        };
        let mut found = comments(&self.text, &laid_out);
        let laid_out = match self.entrance {
            Rule::text => laid_out,
            _ => laid_out.replace('\n', " "),
        };
        if let Ok(parts) = Grammar::parse(self.entrance, &laid_out) {
            gather(parts, &mut found);
        }
        found.sort_unstable();
        let place = |(start, end, lexeme)| (self.positions.span(start, end), lexeme);
        found.into_iter().map(place).collect()
    }
}

/// From a byte to a byte of the text.
type Found = (usize, usize, Lexeme);

/// Returns the comments, which are the only words that the layout removes.
fn comments(text: &str, laid_out: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let removed =
            |(at, _): &(usize, &str)| laid_out.as_bytes().get(start + at).copied() == Some(b' ');
        if let Some((at, _)) = line.match_indices('#').find(removed) {
            let end = start + line.trim_end().len();
            found.push((start + at, end, Lexeme::Comment));
        }
        start += line.len();
    }
    found
}

fn gather(parts: Pairs<'_, Rule>, found: &mut Vec<Found>) {
    for part in parts {
        match part.as_rule() {
            Rule::text_lit => gather_text(&part, found),
            rule => gather_part(rule, part, found),
        }
    }
}

fn gather_part(rule: Rule, part: Pair<'_, Rule>, found: &mut Vec<Found>) {
    let span = part.as_span();
    let inside = part.into_inner();
    if inside.peek().is_some() {
        gather(inside, found);
    } else if let Some(lexeme) = lexeme(rule, span.as_str()) {
        found.push((span.start(), span.end(), lexeme));
    }
}

/// Gathers a text in pieces, from one hole to the next.
fn gather_text(part: &Pair<'_, Rule>, found: &mut Vec<Found>) {
    let span = part.as_span();
    let mut start = span.start();
    let holes = part.clone().into_inner();
    for hole in holes.filter(|inside| inside.as_rule() == Rule::hole) {
        found.push((start, hole.as_span().start(), Lexeme::Text));
        start = hole.as_span().end();
        gather(hole.into_inner(), found);
    }
    found.push((start, span.end(), Lexeme::Text));
}

/// Returns the meaning of a rule without parts. A word is a keyword if the grammar has a rule of its own for it.
fn lexeme(rule: Rule, text: &str) -> Option<Lexeme> {
    match rule {
        Rule::word | Rule::name | Rule::bad_text => None,
        Rule::clause => Some(Lexeme::Clause),
        Rule::int => Some(Lexeme::Number),
        _ => text
            .starts_with(|c: char| c.is_ascii_lowercase())
            .then_some(Lexeme::Keyword),
    }
}
