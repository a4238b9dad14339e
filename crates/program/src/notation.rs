//! How choices are written in files that other programs read. Only readers and writers of such files use it; it changes
//! nothing in play.

use super::{FamilyId, Temp, TextId};

/// How the choices of a game are written.
#[derive(Debug, Clone, Default)]
pub struct Notation {
    /// The syntax of files, if the rules name one.
    pub syntax: Option<Syntax>,
    /// What files say before the moves: names, and texts without names of a choice.
    pub tags: Vec<(String, TextId)>,
    /// What stands for each value of something.
    pub letters: Vec<Vec<String>>,
    /// Queries without parameters, and what is added to a move after which they hold, and to one that also wins the game; only the
    /// first that does counts.
    pub after: Vec<(String, Vec<String>)>,
    pub position: Option<NotedPosition>,
}

/// How a position is written: the rows of a board from the last to the first, then words.
#[derive(Debug, Clone)]
pub struct NotedPosition {
    /// The spaces, with two keys: column and row.
    pub on: FamilyId,
    /// Holds the space while its letter is made.
    pub space: Temp,
    pub letter: NotedForm,
    pub words: Vec<NotedForm>,
}

/// A text in which a choice can be written.
#[derive(Debug, Clone)]
pub struct NotedForm {
    pub text: TextId,
    /// For each hole, the number of the letters that stand for its values; otherwise it is written as its id.
    pub letters: Vec<Option<usize>>,
}

/// The syntax of files with games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    /// Tags in brackets, then numbered moves and the result.
    Pgn,
    /// The same for draughts.
    Pdn,
    /// Nodes of a tree, with properties.
    Sgf,
}

impl Syntax {
    /// Returns the syntax that a word of the rules means.
    pub fn named(word: &str) -> Option<Syntax> {
        let all = [
            ("pgn", Syntax::Pgn),
            ("pdn", Syntax::Pdn),
            ("sgf", Syntax::Sgf),
        ];
        let found = all.into_iter().find(|(name, _)| *name == word);
        found.map(|(_, syntax)| syntax)
    }
}
