//! The JSON Schema of the files of a game, so that editors complete and underline while one types.
//!
//! Made from the tables the reader itself goes by ([`crate::lang::keys`], [`crate::scenario::keys`]); a schema cannot
//! say what a name means, so what it accepts may still be refused by `wyrmgate check`.

mod write;

use std::path::Path;

use serde_json::Value;

use crate::lang::keys;
use crate::lang::shape::Shape;
use crate::scenario;

/// The kinds of files that have a schema of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum File {
    /// `game.yaml`
    Game,
    /// What it includes: the same sections, and none that must be there.
    Part,
    /// A file under `scenarios/`.
    Scenarios,
}

impl File {
    pub const ALL: [File; 3] = [File::Game, File::Part, File::Scenarios];

    /// As it is called on the command line, and its file without the ending.
    pub fn name(self) -> &'static str {
        match self {
            File::Game => "game",
            File::Part => "part",
            File::Scenarios => "scenarios",
        }
    }

    fn title(self) -> &'static str {
        match self {
            File::Game => "A game of Wyrmgate (game.yaml)",
            File::Part => "A part of a game of Wyrmgate (a file that game.yaml includes)",
            File::Scenarios => "Scenarios of a game of Wyrmgate (scenarios/*.yaml)",
        }
    }

    /// What a file is, by where it lies and, where that does not say, by what it says.
    pub fn of(path: &Path, text: &str) -> File {
        let folder = path.parent().and_then(Path::file_name);
        let is_list = || {
            let mut lines = text.lines().filter(|line| !line.starts_with('#'));
            lines
                .find(|line| !line.trim().is_empty())
                .is_some_and(|line| line.starts_with("- "))
        };
        if folder.is_some_and(|folder| folder == "scenarios") || is_list() {
            return File::Scenarios;
        }
        match path.file_name().is_some_and(|name| name == "game.yaml") {
            true => File::Game,
            false => File::Part,
        }
    }

    /// What its root is.
    pub fn shape(self) -> Shape {
        match self {
            File::Game | File::Part => Shape::Map(&keys::GAME),
            File::Scenarios => scenario::keys::FILE,
        }
    }

    /// The schema, as a document of its own.
    pub fn schema(self) -> Value {
        write::document(self.title(), self.shape(), self != File::Part)
    }
}
