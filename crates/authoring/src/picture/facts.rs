//! What is written on components and no short text shows: whose a figure is, what a card is worth.

use std::collections::{BTreeMap, BTreeSet};

use wyrmgate_program::Form;
use wyrmgate_view::{Doc, Members};

use super::builder::PictureBuilder;
use super::pieces;
use super::scene::Piece;
use super::styles::type_of;

/// Maximum number of titles that facts are listed for.
const TITLES_MAX: usize = 12;

/// By title and field, the values that are not shown otherwise, in words.
type SeenFields = BTreeMap<(String, String), BTreeSet<String>>;

/// Returns `Knight: owner 2` for each title: the fields in which components that the viewer sees differ, if components with
/// this title have one value of it, and neither the title nor a picture shows it.
pub(super) fn facts(builder: &PictureBuilder<'_>) -> Vec<String> {
    let mut seen = SeenFields::new();
    for (zone, content) in builder.sight.view.into_iter().flat_map(|view| &view.zones) {
        let components = content.components.iter();
        components.for_each(|doc| add(builder, zone, doc, &mut seen));
    }
    let mut lines: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for ((title, name), values) in &seen {
        let mut alike = seen.iter().filter(|((_, other), _)| other == name);
        let differs = values.len() == 1 && alike.any(|(_, others)| others != values);
        if let Some(words) = values.first().filter(|_| differs) {
            let fact = format!("{} {words}", name.replace('_', " "));
            lines.entry(title).or_default().push(fact);
        }
    }
    let lines = lines.into_iter().take(TITLES_MAX);
    lines
        .map(|(title, facts)| format!("{title}: {}", facts.join(", ")))
        .collect()
}

/// Adds the fields of a component, and of what it holds.
fn add(builder: &PictureBuilder<'_>, zone: &str, doc: &Members<'_>, seen: &mut SeenFields) {
    let title = doc.get("title").and_then(Doc::as_str).unwrap_or_default();
    if let Some(kind) = pieces::kind_of(&builder.looks, doc) {
        let piece = pieces::piece(builder, zone, doc, Form::Row);
        let has_words = |value: &Doc<'_>| matches!(value, Doc::Int(_) | Doc::Text(_));
        for (name, value) in doc.iter().filter(|(_, value)| has_words(value)) {
            let words = type_of(&kind.fields, name).map(|of| builder.looks.words(of, value));
            let is_shown = |words: &String| {
                piece
                    .as_ref()
                    .is_some_and(|piece| shows(piece, name, words))
            };
            if let Some(words) = words.filter(|words| !is_shown(words)) {
                seen.entry((title.to_owned(), name.to_owned()))
                    .or_default()
                    .insert(words);
            }
        }
    }
    let inside = doc
        .get("holds")
        .and_then(|holds| holds.get("components")?.as_list());
    let inside = inside.into_iter().flatten().filter_map(Doc::as_object);
    inside.for_each(|doc| add(builder, title, doc, seen));
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
    let badges = piece.badges.iter().map(|badge| &badge.number);
    let mut all = all.into_iter().chain(&piece.corners).chain(badges);
    is_owned || all.any(|text| format!(" {text} ").contains(&format!(" {words} ")))
}
