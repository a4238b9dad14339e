//! Maps ids to titles for people.

use std::collections::HashMap;

use wyrmgate_engine::Viewer;
use wyrmgate_program::{Language, Program, Type};
use wyrmgate_view::title_of_value;

/// The list of components is public.
#[expect(
    clippy::disallowed_methods,
    reason = "the contents of the box are public, and no state is read"
)]
const BOX: Viewer = Viewer::omniscient();

/// Titles of every component and zone by id, in one language.
#[derive(Debug, Default)]
pub struct Names(HashMap<String, String>);

impl Names {
    pub fn of(program: &Program, language: Language) -> Names {
        let title = |at: usize, of| title_of_value(program, BOX.reading(language), at as i32, of);
        let components = program.component_names().enumerate();
        let components =
            components.map(|(at, name)| (name.to_owned(), title(at, Type::Component(None))));
        let zones = program.zone_names().enumerate();
        let zones = zones.map(|(at, name)| (name.to_owned(), title(at, Type::Zone(None))));
        Names(components.chain(zones).collect())
    }

    /// Returns the title of an id or of a place (`hand-2#3`), or the word itself.
    pub fn name(&self, id: &str) -> String {
        match (self.0.get(id), id.split_once('#')) {
            (Some(title), _) => title.clone(),
            (None, Some((zone, place))) => format!("{} #{place}", self.name(zone)),
            (None, None) => id.to_owned(),
        }
    }
}
