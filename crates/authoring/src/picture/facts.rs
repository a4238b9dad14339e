//! What is written on components and no short text shows: whose a figure is, what a card is worth.

use std::collections::{BTreeMap, BTreeSet};

use wyrmgate_engine::Viewer;
use wyrmgate_program::{FieldInfo, FieldPlace, Form, KindInfo, LookStyle, Program, Sign, Type};
use wyrmgate_view::{Doc, Members, title_of_value};

use super::builder::PictureBuilder;
use super::pieces;
use super::styles::Looks;

/// Titles are public, and no state is read.
#[expect(
    clippy::disallowed_methods,
    reason = "titles of all components are public"
)]
const BOX: Viewer = Viewer::omniscient();

/// Maximum number of titles that facts are listed for.
const TITLES_MAX: usize = 12;

/// By title and field, the values that are not shown otherwise, in words, and where the components with them are.
type SeenFields = BTreeMap<(String, String), BTreeMap<String, BTreeSet<String>>>;

/// Returns `Knight: owner 2` for each title with fields that neither the title nor a picture shows. Where components with a
/// title differ, it says which have the value: `Tile at 1,0: owner 2`.
pub(super) fn facts(builder: &PictureBuilder<'_>) -> Vec<String> {
    let mut seen = SeenFields::new();
    for (zone, content) in builder.sight.view.into_iter().flat_map(|view| &view.zones) {
        for doc in &content.components {
            let cell = doc.get("cell").and_then(Doc::as_str);
            add(
                builder,
                zone,
                cell.unwrap_or(&content.title),
                doc,
                &mut seen,
            );
        }
    }
    let mut lines: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for ((title, name), values) in &seen {
        let told = values.iter().filter(|(words, _)| !words.is_empty());
        for (words, places) in told {
            let at = places.iter().map(String::as_str).collect::<Vec<_>>();
            let title = match values.len() {
                1 => title.clone(),
                _ => format!("{title} at {}", at.join("; ")),
            };
            let fact = format!("{} {words}", name.replace('_', " "));
            lines.entry(title).or_default().push(fact);
        }
    }
    let lines = lines.into_iter().take(TITLES_MAX);
    lines
        .map(|(title, facts)| format!("{title}: {}", facts.join(", ")))
        .collect()
}

/// Adds the fields of a component, and of what it holds. A value that is nothing has no words.
fn add(
    builder: &PictureBuilder<'_>,
    zone: &str,
    place: &str,
    doc: &Members<'_>,
    seen: &mut SeenFields,
) {
    let title = doc.get("title").and_then(Doc::as_str).unwrap_or_default();
    if let Some(kind) = pieces::kind_of(&builder.looks, doc) {
        let piece = pieces::piece(builder, zone, doc, Form::Row);
        let has_words = |value: &Doc<'_>| matches!(value, Doc::Int(_) | Doc::Text(_) | Doc::Null);
        for (name, value) in doc.iter().filter(|(_, value)| has_words(value)) {
            let mut fields = kind.fields.iter();
            let Some(field) = fields.find(|field| field.name == name) else {
                continue;
            };
            let is_shown = shows(builder, kind, field)
                || name == "owner" && piece.as_ref().is_some_and(|piece| piece.color.is_some());
            if !is_shown && piece.is_some() {
                let is_nothing = matches!(value, Doc::Int(0) | Doc::Null);
                let words = builder.looks.words(field.of, value);
                let words = if is_nothing { String::new() } else { words };
                let values = seen.entry((title.to_owned(), name.to_owned())).or_default();
                values.entry(words).or_default().insert(place.to_owned());
            }
        }
    }
    let inside = doc
        .get("holds")
        .and_then(|holds| holds.get("components")?.as_list());
    let inside = inside.into_iter().flatten().filter_map(Doc::as_object);
    inside.for_each(|doc| add(builder, title, place, doc, seen));
}

/// Returns whether the title or the picture of a component shows a field: it is a key, or its look names it.
fn shows(builder: &PictureBuilder<'_>, kind: &KindInfo, field: &FieldInfo) -> bool {
    let (looks, name) = (&builder.looks, &field.name);
    let layers = looks.of_kind(kind);
    let is_of_sign = |sign: &Sign| match sign {
        Sign::Word(_) => false,
        Sign::Field(named) => named == name,
        Sign::ByValue(pairs) => pairs
            .iter()
            .any(|(value, _)| has_value(looks, field, value)),
    };
    let named = |style: &LookStyle| {
        let texts = [&style.text, &style.small, &style.arrows];
        let texts = texts.into_iter().chain([&style.sideways, &style.at]);
        let mut signs = style.color.iter().chain(&style.symbol);
        let mut badges = style.badges.iter().chain(&style.edges);
        texts
            .flatten()
            .chain(&style.corners)
            .any(|text| text == name)
            || badges.any(|(field, _)| field == name)
            || signs.any(is_of_sign)
    };
    name == "face"
        || looks.big(kind, Form::Card).as_ref() == Some(name)
        || layers.get(|style| named(style).then_some(())).is_some()
        || is_key(builder.sight.program, kind, field)
}

fn has_value(looks: &Looks<'_>, field: &FieldInfo, value: &String) -> bool {
    let Type::Enum(of) = field.of else {
        return false;
    };
    let info = looks.program.enums.get(usize::from(of));
    info.is_some_and(|info| info.values.contains(value))
}

/// Returns whether titles contain a field: they do for the first and for the last component of a kind.
fn is_key(program: &Program, kind: &KindInfo, field: &FieldInfo) -> bool {
    let FieldPlace::Constant(table) = field.at else {
        return false;
    };
    let last = (kind.first + kind.count.saturating_sub(1)) as i32;
    [kind.first as i32, last].into_iter().all(|component| {
        let title = title_of_value(program, BOX, component, Type::Component(None));
        let value = title_of_value(program, BOX, program.constant(table, component), field.of);
        format!(" {title} ").contains(&format!(" {value} "))
    })
}
