//! Maps ids to titles for people.

use std::collections::HashMap;

use wyrmgate_engine::Viewer;
use wyrmgate_program::{FieldPlace, Language, Program, TextPiece, Type};
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
    /// Questions by the names of decisions whose answers say little alone: yes, a number, a card.
    questions: HashMap<String, String>,
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
            questions: HashMap::new(),
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
        let zones = zones.map(|(at, name)| {
            let title = title(at, Type::Zone(None)) + &number_on(program, at);
            (name.to_owned(), title)
        });
        let values = program.enums.iter().enumerate().flat_map(|(number, info)| {
            let of = Type::Enum(number as u16);
            let names = info.values.iter().enumerate();
            names.map(move |(at, name)| (name.clone(), title(at, of)))
        });
        Names {
            titles: values.chain(components).chain(zones).collect(),
            questions: questions(program, language),
            seat: program.prose.words.seat.get(language).to_owned(),
            words: words::of(program.language_tag(language)),
            beside: picture::words::of(program.language_tag(language)),
        }
    }

    /// Returns the question of a decision, if its answers need it.
    pub fn question(&self, decision: &str) -> Option<&str> {
        self.questions.get(decision).map(String::as_str)
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
            (None, Some((zone, place))) => format!("{} №{place}", self.name(zone)),
            (None, None) => id.to_owned(),
        }
    }
}

/// Returns ` (value 3)` for a space on which a number is written that is not its place.
fn number_on(program: &Program, zone: usize) -> String {
    let number = || {
        let info = program.zones.get(zone)?;
        let family = program.families.get(usize::from(info.family))?;
        let name = program.look.things.get(&family.name)?.label.as_ref()?;
        let field = family.fields.iter().find(|field| field.name == *name)?;
        let FieldPlace::Constant(table) = field.at else {
            return None;
        };
        let is_key = family.keys.iter().any(|key| key.name == *name);
        let value = program.constant(table, zone as i32);
        let is_written = field.of == Type::Int && !is_key && value != 0;
        is_written.then(|| format!(" ({} {value})", name.replace('_', " ")))
    };
    number().unwrap_or_default()
}

/// Returns the questions of decisions without labels of their own, with `…` for what depends on the position.
fn questions(program: &Program, language: Language) -> HashMap<String, String> {
    let sites = (0..).map_while(|number| program.site(number));
    let bare = sites.filter(|site| {
        let mut options = site.options.iter();
        site.is_ask || options.all(|option| option.label.is_none() && option.name.is_empty())
    });
    let asked = bare.filter_map(|site| {
        let text = program
            .prose
            .texts_with_holes
            .get(usize::from(site.prompt?))?;
        let parts = text.parts_in(language).iter().map(|part| match part {
            TextPiece::Words(words) => words.as_str(),
            TextPiece::Hole(_) => "…",
        });
        Some((site.name.clone(), parts.collect()))
    });
    asked.collect()
}
