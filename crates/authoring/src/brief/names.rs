//! Maps ids to titles for people.

use std::collections::HashMap;

use wyrmgate_engine::Viewer;
use wyrmgate_program::{Language, Program, Type};
use wyrmgate_view::title_of_value;

use super::words::{self, Words};
use crate::picture;

/// The list of components is public.
#[expect(
    clippy::disallowed_methods,
    reason = "the contents of the box are public, and no state is read"
)]
const BOX: Viewer = Viewer::omniscient();

/// Titles of every component, zone and value of a type by id, in one language, and the words that go with them.
#[derive(Debug)]
pub struct Names {
    titles: HashMap<String, String>,
    /// The word for a seat.
    seat: String,
    pub words: &'static Words,
    /// The words beside choices.
    pub(super) beside: &'static picture::words::Words,
}

impl Default for Names {
    fn default() -> Names {
        Names {
            titles: HashMap::new(),
            seat: "seat".to_owned(),
            words: words::of("en"),
            beside: picture::words::of("en"),
        }
    }
}

impl Names {
    pub fn of(program: &Program, language: Language) -> Names {
        let title = |at: usize, of| title_of_value(program, BOX.reading(language), at as i32, of);
        let components = program.component_names().enumerate();
        let components =
            components.map(|(at, name)| (name.to_owned(), title(at, Type::Component(None))));
        let zones = program.zone_names().enumerate();
        let zones = zones.map(|(at, name)| (name.to_owned(), title(at, Type::Zone(None))));
        let values = program.enums.iter().enumerate().flat_map(|(number, info)| {
            let of = Type::Enum(number as u16);
            let names = info.values.iter().enumerate();
            names.map(move |(at, name)| (name.clone(), title(at, of)))
        });
        Names {
            titles: values.chain(components).chain(zones).collect(),
            seat: program.prose.words.seat.get(language).to_owned(),
            words: words::of(program.language_tag(language)),
            beside: picture::words::of(program.language_tag(language)),
        }
    }

    /// Returns what a seat is called: `Seat 2`.
    pub fn seat(&self, number: &str) -> String {
        let mut letters = self.seat.chars();
        let first = letters.next().map(char::to_uppercase);
        let first: String = first.into_iter().flatten().collect();
        format!("{first}{} {number}", letters.as_str())
    }

    /// Returns the title of an id or of a place (`hand-2#3`), or the word itself.
    pub fn name(&self, id: &str) -> String {
        match (self.titles.get(id), id.split_once('#')) {
            (Some(title), _) => title.clone(),
            (None, Some((zone, place))) => format!("{} #{place}", self.name(zone)),
            (None, None) => id.to_owned(),
        }
    }
}
