//! A page of rules for players, made of what the rules say themselves: clauses, components, options, boards, words.

mod collect;
mod html;
mod markdown;

pub use collect::collect;
pub use html::html;
pub use markdown::markdown;

/// What a rulebook says, in one language.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Page {
    pub title: String,
    pub about: String,
    /// `en`
    pub language: String,
    /// How many can play, ascending.
    pub seats: Vec<usize>,
    pub options: Vec<OptionRow>,
    pub components: Vec<ComponentRow>,
    pub boards: Vec<Picture>,
    pub clauses: Vec<Clause>,
    pub glossary: Vec<Entry>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct OptionRow {
    pub title: String,
    pub values: String,
    pub default: String,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ComponentRow {
    pub title: String,
    /// How many there are; with several numbers where that depends on the players.
    pub count: String,
    /// Each key with its values: `color: red, blue`
    pub keys: Vec<String>,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    pub title: String,
    pub svg: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Clause {
    pub id: String,
    pub text: String,
}

/// A word of the game, and what it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub word: String,
    pub meaning: String,
}

impl Page {
    /// `2–4`, `2, 4`
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
