//! Pieces of text that keep their locations.

use std::ops::Range;

use crate::positions::Positions;
use crate::yaml::Scalar;

/// A text and where it comes from.
#[derive(Debug)]
pub(crate) struct Piece {
    text: String,
    positions: Positions,
}

impl Piece {
    /// Returns the whole text of a scalar, without the white space around it.
    pub fn of(scalar: &Scalar) -> Piece {
        let start = scalar.text.len() - scalar.text.trim_start().len();
        Piece::cut(scalar, start..scalar.text.trim_end().len())
    }

    fn cut(scalar: &Scalar, range: Range<usize>) -> Piece {
        Piece {
            positions: scalar.positions.after(range.start),
            text: scalar.text.get(range).unwrap_or_default().to_owned(),
        }
    }

    /// Returns a piece of text that no author wrote, at the location of a scalar.
    pub fn fixed(text: String, on_behalf: &Scalar) -> Piece {
        Piece {
            positions: Positions::at(on_behalf.span, text.len()),
            text,
        }
    }
}

/// Returns the lines of a scalar, each with this indentation: the first one too if it begins a line.
pub fn lines_of(value: &Scalar, indent: &str, begins_line: bool) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for line in value.text.split_inclusive('\n') {
        let words = line.trim_end();
        if !words.is_empty() {
            if begins_line || !pieces.is_empty() {
                pieces.push(Piece::fixed(format!("\n{indent}"), value));
            }
            pieces.push(Piece::cut(value, start..start + words.len()));
        }
        start += line.len();
    }
    pieces
}

/// Returns the text if it is one line.
pub fn one_line(value: &Scalar) -> Option<Piece> {
    (!value.text.trim().contains('\n')).then(|| Piece::of(value))
}

/// Returns words as a text of the language, in quotes.
pub fn quoted(value: &Scalar) -> Vec<Piece> {
    if value.text.trim_start().starts_with('"') {
        return vec![Piece::of(value)];
    }
    let sign = || Piece::fixed("\"".into(), value);
    if !value.text.contains('"') {
        return vec![sign(), Piece::of(value), sign()];
    }
    let text = value.text.trim().replace('"', "\\\"");
    vec![sign(), Piece::fixed(text, value), sign()]
}

/// Returns the text with pieces in place of a range.
pub fn replaced(text: &Scalar, range: Range<usize>, pieces: Vec<Piece>) -> Scalar {
    let before = Piece::cut(text, 0..range.start);
    let after = Piece::cut(text, range.end..text.text.len());
    let all = std::iter::once(before).chain(pieces).chain([after]);
    let mut joined = String::new();
    let mut positions = Vec::new();
    for piece in all {
        positions.push((piece.text.len(), piece.positions));
        joined.push_str(&piece.text);
    }
    Scalar {
        text: joined.into(),
        positions: Positions::joined(positions),
        ..text.clone()
    }
}
