//! Keys below the text of an effect: `RACE-02`, `after draw 1 from deck`, `choose "Your move".else`.

use std::fmt;

use super::splice::Piece;
use crate::yaml::Scalar;

/// The attributes of a part: `choose "…".else`.
const ATTRIBUTES: [&str; 5] = ["else", "prompt", "label", "if", "do"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Before,
    After,
}

/// A key as written.
#[derive(Debug)]
pub(crate) struct Key {
    pub side: Option<Side>,
    /// A clause, or the first words of a statement; empty if it is the one around the key.
    pub words: String,
    pub attribute: Option<&'static str>,
    written: Scalar,
}

impl Key {
    pub fn new(written: &Scalar) -> Key {
        let text = written.text.trim();
        let (side, text) = match (text.strip_prefix("before "), text.strip_prefix("after ")) {
            (Some(rest), _) => (Some(Side::Before), rest),
            (_, Some(rest)) => (Some(Side::After), rest),
            _ => (None, text),
        };
        let named = |name: &'static str| {
            let rest = text.strip_suffix(name)?;
            let words = match rest.is_empty() {
                true => Some(rest),
                false => rest.strip_suffix('.'),
            };
            Some((words?, name))
        };
        let attribute = ATTRIBUTES.iter().find_map(|name| named(name));
        let (words, attribute) = match attribute.filter(|_| side.is_none()) {
            Some((words, name)) => (words, Some(name)),
            None => (text, None),
        };
        Key {
            side,
            words: words.to_owned(),
            attribute,
            written: written.clone(),
        }
    }

    /// Returns the key itself as a piece of text: the head of a new option.
    pub fn piece(&self) -> Piece {
        Piece::of(&self.written)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.written.text.trim())
    }
}
