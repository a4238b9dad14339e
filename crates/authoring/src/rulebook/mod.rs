//! Rulebooks for players, generated from the rules: clauses, components, options, boards, examples, glossary,
//! and marks of what a variant changes.

mod changes;
mod collect;
mod examples;
mod html;
mod markdown;
mod words;

pub use collect::collect;
pub use html::html;
pub use markdown::markdown;

/// Pictures follow the colors of the page around them.
const THEME: crate::picture::PictureTheme = crate::picture::PictureTheme::Auto;

/// The content of a rulebook in one language.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RulebookPage {
    pub title: String,
    pub about: String,
    /// The language tag, such as `en`.
    pub language: String,
    /// The supported numbers of players, ascending.
    pub seats: Vec<usize>,
    pub options: Vec<OptionRow>,
    pub components: Vec<ComponentRow>,
    pub boards: Vec<RulebookPicture>,
    pub clauses: Vec<RulebookClause>,
    pub examples: Vec<Example>,
    /// Numbers of a variant that differ from those of its game.
    pub numbers: Vec<String>,
    pub glossary: Vec<GlossaryEntry>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct OptionRow {
    pub title: String,
    pub values: String,
    pub default: String,
    pub text: String,
    pub change: Option<VariantChange>,
}

/// A change that a variant makes to a part of its game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VariantChange {
    Added,
    /// With the text before; empty if it was not a text, or not in this language.
    Changed {
        was: String,
    },
    Removed {
        was: String,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub struct ComponentRow {
    pub title: String,
    /// Number of components, or several numbers if it depends on the players.
    pub count: String,
    /// One of each look, as SVG.
    pub pictures: Vec<String>,
    /// Each key with its values: `color: red, blue`
    pub keys: Vec<String>,
    pub text: String,
    pub change: Option<VariantChange>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct RulebookPicture {
    pub title: String,
    pub svg: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct RulebookClause {
    pub id: String,
    pub text: String,
    pub change: Option<VariantChange>,
}

/// A scenario as pictures: the position before, and after each choice.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    pub title: String,
    /// The clauses that it shows.
    pub clauses: Vec<String>,
    pub pictures: Vec<RulebookPicture>,
}

/// A word of the game and its meaning.
#[derive(Debug, Clone, PartialEq)]
pub struct GlossaryEntry {
    pub word: String,
    pub meaning: String,
}

impl ComponentRow {
    /// Returns the keys and the text, those that there are.
    fn told(&self) -> impl Iterator<Item = String> {
        let told = [self.keys.join("; "), self.text.clone()];
        told.into_iter().filter(|text| !text.is_empty())
    }
}

impl VariantChange {
    /// Returns the word for the change, and the text before.
    fn sign(&self, words: &words::Words) -> (&'static str, &str) {
        match self {
            VariantChange::Added => (words.added, ""),
            VariantChange::Changed { was } => (words.changed, was),
            VariantChange::Removed { was } => (words.removed, was),
        }
    }
}

impl RulebookPage {
    /// Returns the headings.
    fn words(&self) -> &'static words::Words {
        words::of(&self.language)
    }

    /// Returns every picture that has a file of its own beside a Markdown page: the boards, then those of the examples.
    pub fn pictures(&self) -> impl Iterator<Item = &RulebookPicture> {
        let examples = self.examples.iter().flat_map(|example| &example.pictures);
        self.boards.iter().chain(examples)
    }

    /// Formats `2–4` or `2, 4`.
    fn players(&self) -> String {
        let numbers: Vec<String> = self.seats.iter().map(usize::to_string).collect();
        let (first, last) = (self.seats.first(), self.seats.last());
        match (first, last) {
            (Some(first), Some(last)) if last - first + 1 == self.seats.len() && first < last => {
                format!("{first}–{last}")
            }
            _ => numbers.join(", "),
        }
    }
}
