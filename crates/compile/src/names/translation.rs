//! The texts of a game in its languages.

use hashbrown::HashMap;

use wyrmgate_lang::definition::{Definition, PlainText};
use wyrmgate_program::{CellForm, Localized, TextPiece, Texts, Words};

/// The default language of rules.
const ENGLISH: &str = "en";

/// Looks up translations. A text without a translation stays in the original language.
#[derive(Debug, Clone, Default)]
pub struct Translations {
    /// The languages, beginning with that of the rules.
    pub languages: Vec<String>,
    /// For each further language: texts by their keys.
    texts: Vec<HashMap<String, String>>,
}

impl Translations {
    pub fn of(definition: &Definition) -> Translations {
        let written = definition.texts.language.as_ref();
        let written = written.map_or(ENGLISH, |language| language.text.as_str());
        let mut translations = Translations {
            languages: vec![written.to_owned()],
            texts: Vec::new(),
        };
        for translation in &definition.texts.translations {
            let texts = translation.texts.iter();
            let texts = texts.map(|(key, text)| (key.text.clone(), text.text.clone()));
            let language = translation.language.text.clone();
            translations.languages.push(language);
            translations.texts.push(texts.collect());
        }
        translations
    }

    /// Returns a text whose key is itself.
    pub fn text(&self, text: &str) -> Localized {
        self.called(text, text)
    }

    /// Returns a text with a key of its own: a clause.
    pub fn called(&self, key: &str, text: &str) -> Localized {
        let others = self.texts.iter();
        let others = others.map(|known| known.get(key).map_or(text, String::as_str));
        let all = std::iter::once(text).chain(others);
        Localized::new(all.map(str::to_owned).collect())
    }

    /// Returns the title, or the name in words.
    pub fn title(&self, title: &PlainText, name: &str) -> Localized {
        if title.text.is_empty() {
            self.name(name)
        } else {
            self.text(&title.text)
        }
    }

    /// Returns a name in words: `light blue` for `light_blue`.
    pub fn name(&self, name: &str) -> Localized {
        self.text(&in_words(name))
    }

    /// Returns a text with holes in the further languages, as far as it is translated.
    pub fn pieces(&self, key: &str, holes: &[&str]) -> Vec<Option<Vec<TextPiece>>> {
        let translated = self.texts.iter().map(|known| {
            let pieces = split(known.get(key)?);
            pieces.into_iter().map(|piece| piece.place(holes)).collect()
        });
        translated.collect()
    }

    pub fn of_game(&self, definition: &Definition) -> Texts {
        Texts {
            title: self.title(&definition.texts.title, &definition.name.text),
            about: self.text(&definition.texts.about.text),
        }
    }

    pub fn words(&self, cells: CellForm) -> Words {
        let sides = cells
            .sides()
            .iter()
            .map(|side| in_words(side).as_str().into());
        let words = Words {
            sides: sides.collect(),
            ..Words::default()
        };
        words.map(|word| self.text(word.get(Default::default())))
    }
}

/// Returns a name as people read it.
pub fn in_words(name: &str) -> String {
    name.replace(['_', '-'], " ")
}

/// A piece of a translation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    Words(String),
    /// The text between the braces.
    Hole(String),
}

impl Piece {
    /// Replaces the hole by its number; `None` if there is no such hole.
    fn place(self, holes: &[&str]) -> Option<TextPiece> {
        match self {
            Piece::Words(words) => Some(TextPiece::Words(words)),
            Piece::Hole(written) => {
                let at = holes.iter().position(|hole| **hole == written)?;
                Some(TextPiece::Hole(at))
            }
        }
    }
}

/// Splits `Juega {c}` into pieces; `\{` is a brace. Unclosed holes are words.
pub fn split(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut words = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        match c {
            '\\' if rest.starts_with(['{', '\\']) => {
                words.extend(rest.chars().next());
                rest = rest.get(1..).unwrap_or_default();
            }
            '{' if rest.contains('}') => {
                let (hole, after) = rest.split_once('}').unwrap_or_default();
                if !words.is_empty() {
                    pieces.push(Piece::Words(std::mem::take(&mut words)));
                }
                pieces.push(Piece::Hole(hole.trim().to_owned()));
                rest = after;
            }
            _ => words.push(c),
        }
    }
    if !words.is_empty() {
        pieces.push(Piece::Words(words));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_split_at_its_holes() {
        let words = |words: &str| Piece::Words(words.to_owned());
        let hole = |hole: &str| Piece::Hole(hole.to_owned());
        assert_eq!(
            split("Pon {c} en {top(s.cards)}."),
            [
                words("Pon "),
                hole("c"),
                words(" en "),
                hole("top(s.cards)"),
                words(".")
            ]
        );
        assert_eq!(split(r"a\{b\\"), [words(r"a{b\")]);
        assert_eq!(split("{ n }{"), [hole("n"), words("{")]);
    }

    #[test]
    fn names_are_read_as_words() {
        assert_eq!(in_words("light_blue"), "light blue");
    }
}
