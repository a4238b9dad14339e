//! JSON Schemas of game files, for completion and validation in editors.
//!
//! They are generated from the tables that the reader uses ([`wyrmgate_lang::keys`], [`crate::scenario::keys`]). A
//! schema cannot resolve names, so `wyrmgate check` may refuse what the schema accepts.

mod write;

use std::path::Path;

use serde_json::Value;

use crate::{mutate, scenario};
use wyrmgate_lang::keys;
use wyrmgate_lang::overlay::extends_of;
use wyrmgate_lang::shape::Shape;
use wyrmgate_lang::stack::EQUIVALENTS_FILE;

wyrmgate_base::named_enum! {
    /// The kinds of files with a schema.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum File {
        /// `game.yaml`
        Game = "game",
        /// An included file: the same sections, none of them required.
        Part = "part",
        /// A file under `variants/`.
        Overlay = "overlay",
        /// A file under `scenarios/`.
        Scenarios = "scenarios",
        /// A list of equivalent mutants beside the scenarios.
        Equivalents = "equivalents",
    }
}

impl File {
    fn title(self) -> &'static str {
        match self {
            File::Game => "A game of Wyrmgate (game.yaml)",
            File::Part => "A part of a game of Wyrmgate (a file that game.yaml includes)",
            File::Overlay => "House rules for a game of Wyrmgate (variants/*.yaml)",
            File::Scenarios => "Scenarios of a game of Wyrmgate (scenarios/*.yaml)",
            File::Equivalents => {
                "Equivalent mutants of a game of Wyrmgate (scenarios/equivalents.yaml)"
            }
        }
    }

    /// Returns the kind of a file by its name, its place and, if those do not suffice, its content.
    pub fn of(path: &Path, text: &str) -> File {
        let folder = path.parent().and_then(Path::file_name);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let in_folder = |wanted: &str| folder.is_some_and(|folder| folder == wanted);
        if name == EQUIVALENTS_FILE || name.ends_with(".equivalents.yaml") {
            File::Equivalents
        } else if in_folder("scenarios")
            || name.ends_with(".scenarios.yaml")
            || name.ends_with(".yaml") && is_list(text)
        {
            File::Scenarios
        } else if in_folder("variants") || extends_of(text).is_some() {
            File::Overlay
        } else if name == "game.yaml" {
            File::Game
        } else {
            File::Part
        }
    }

    /// Returns the shape of its root.
    pub fn shape(self) -> Shape {
        match self {
            File::Game | File::Part => Shape::Map(&keys::GAME),
            File::Overlay => Shape::Map(&keys::OVERLAY),
            File::Scenarios => scenario::keys::FILE,
            File::Equivalents => mutate::keys::FILE,
        }
    }

    /// Returns the schema as a document.
    pub fn schema(self) -> Value {
        write::document(self.title(), self.shape(), self != File::Part)
    }

    /// Returns the schema as text.
    pub fn text(self) -> String {
        format!("{:#}\n", self.schema())
    }

    /// Returns the name of its file: `game.json`.
    pub fn file_name(self) -> String {
        format!("{}.json", self.name())
    }
}

fn is_list(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let first = lines.find(|line| !line.trim().is_empty());
    first.is_some_and(|line| line.starts_with("- "))
}
