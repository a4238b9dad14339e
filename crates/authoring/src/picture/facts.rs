//! What is written on components and no short text shows: whose a figure is, what a card is worth.

use std::collections::{BTreeMap, BTreeSet};

use wyrmgate_program::Form;
use wyrmgate_view::{Doc, Members};

use super::builder::PictureBuilder;
use super::pieces;
use super::scene::Piece;
use super::styles::type_of;

/// Maximum number of letters of all facts of a position.
const LETTERS_MAX: usize = 400;

/// The values of a field, in words.
type Values = BTreeSet<String>;

/// The fields of the components that a viewer sees.
#[derive(Default)]
struct SeenFields {
    by_field: BTreeMap<String, Values>,
    /// By title and field, what is not shown otherwise.
    by_title: BTreeMap<(String, String), Values>,
}

/// Returns `Knight: owner 2` for each title: the fields in which components that the viewer sees differ, if components with
/// this title have one value of it, and neither the title nor a picture shows it.
pub(super) fn facts(builder: &PictureBuilder<'_>) -> Vec<String> {
    let mut seen = SeenFields::default();
    let zones = builder.sight.view.into_iter().flat_map(|view| &view.zones);
    for (zone, content) in zones {
        let components = content.components.iter();
        components.for_each(|doc| seen.add(builder, zone, doc));
    }
    let mut lines: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for ((title, name), values) in &seen.by_title {
        let differs = seen.by_field.get(name).is_some_and(|all| all.len() > 1);
        if let Some(words) = values.first().filter(|_| differs && values.len() == 1) {
            let fact = format!("{} {words}", name.replace('_', " "));
            lines.entry(title).or_default().push(fact);
        }
    }
    let lines = lines.into_iter();
    let lines = lines.map(|(title, facts)| format!("{title}: {}", facts.join(", ")));
    let mut room = LETTERS_MAX;
    let fitting = lines.take_while(|line| {
        let letters = line.chars().count() + 3;
        let fits = letters <= room;
        room = room.saturating_sub(letters);
        fits
    });
    fitting.collect()
}

impl SeenFields {
    /// Adds a component and what it holds.
    fn add(&mut self, builder: &PictureBuilder<'_>, zone: &str, doc: &Members<'_>) {
        let title = doc.get("title").and_then(Doc::as_str).unwrap_or_default();
        if let Some(kind) = pieces::kind_of(&builder.looks, doc) {
            let piece = pieces::piece(builder, zone, doc, Form::Row);
            for (name, value) in doc.iter() {
                let words = match (type_of(&kind.fields, name), value) {
                    (Some(_), Doc::Int(number)) => number.to_string(),
                    (Some(of), Doc::Text(_)) => builder.looks.words(of, value),
                    _ => continue,
                };
                if !piece
                    .as_ref()
                    .is_some_and(|piece| shows(piece, name, &words))
                {
                    let of_title = self.by_title.entry((title.to_owned(), name.to_owned()));
                    of_title.or_default().insert(words.clone());
                }
                let of_field = self.by_field.entry(name.to_owned());
                of_field.or_default().insert(words);
            }
        }
        let inside = doc
            .get("holds")
            .and_then(|holds| holds.get("components")?.as_list());
        let inside = inside.unwrap_or_default().iter();
        inside
            .filter_map(Doc::as_object)
            .for_each(|doc| self.add(builder, title, doc));
    }
}

/// Returns whether the title or the picture of a component shows a value.
fn shows(piece: &Piece, name: &str, words: &str) -> bool {
    let is_owned = name == "owner" && piece.symbol.is_some() && piece.color.is_some();
    let all = [
        &piece.title,
        &piece.text,
        &piece.big,
        &piece.small,
        &piece.label,
    ];
    let all = all.into_iter().chain(&piece.corners);
    let mut all = all.chain(piece.badges.iter().map(|badge| &badge.number));
    let is_word = |text: &String| text.split(' ').any(|word| word == words);
    is_owned || all.any(|text| is_word(text) || (words.contains(' ') && text.contains(words)))
}
