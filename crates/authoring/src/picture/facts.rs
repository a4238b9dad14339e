//! What is written on components and no short text shows: whose a figure is, what a card is worth.

use std::collections::BTreeMap;

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

/// Maximum number of components or titles that facts are listed for.
const LINES_MAX: usize = 12;

/// By title, the components with it, each with its facts: by its cell or its id, the words for what is not shown otherwise.
type SeenFacts = BTreeMap<String, BTreeMap<String, Vec<String>>>;

/// Returns `Knight: owner 2` for each title of components with fields that neither the title nor a picture shows, and
/// `knight-2: owner 2` where components with a title differ.
pub(super) fn facts(builder: &PictureBuilder<'_>) -> Vec<String> {
    let mut seen = SeenFacts::new();
    for (_, content) in builder.sight.view.into_iter().flat_map(|view| &view.zones) {
        let components = content.components.iter();
        components.for_each(|doc| add(builder, doc, false, &mut seen));
    }
    let lines = seen.iter().flat_map(|(title, of_each)| {
        let first = of_each.values().next();
        let are_like = of_each.values().all(|facts| Some(facts) == first);
        let told = of_each.iter().take(if are_like { 1 } else { usize::MAX });
        told.filter(|(_, facts)| !facts.is_empty())
            .map(move |(id, facts)| {
                let name = if are_like { title } else { id };
                format!("{name}: {}", facts.join(", "))
            })
    });
    lines.take(LINES_MAX).collect()
}

/// Adds the facts of a component, and of what it holds, where no color says whose something is. A value that is nothing is no
/// fact.
fn add(builder: &PictureBuilder<'_>, doc: &Members<'_>, is_held: bool, seen: &mut SeenFacts) {
    let text = |name: &str| doc.get(name).and_then(Doc::as_str);
    let title = text("title").unwrap_or_default();
    let kind = pieces::kind_of(&builder.looks, doc);
    let looks = &builder.looks;
    let with_form = kind.map(|kind| (kind, looks.form_of(kind, Form::Row)));
    if let Some((kind, form)) = with_form.filter(|(_, form)| *form != Form::Hidden) {
        let has_signs = || {
            let symbol = looks.symbol(kind, doc, form);
            symbol.is_some() && looks.color(kind, doc, form).is_some()
        };
        let is_owned = !is_held && has_signs();
        let facts = kind.fields.iter().filter_map(|field| {
            let (name, value) = (&field.name, doc.get(&field.name)?);
            let is_nothing = match value {
                Doc::Int(number) => *number == 0,
                Doc::Text(word) => word == "none",
                Doc::Null | Doc::Bool(_) | Doc::Real(_) | Doc::List(_) | Doc::Object(_) => true,
            };
            let is_shown = || name == "owner" && is_owned || shows(builder, kind, field, is_owned);
            if is_nothing || is_shown() {
                return None;
            }
            let words = looks.words(field.of, value);
            Some(match matches!(field.of, Type::Enum(_)) {
                true => words,
                false => format!("{} {words}", name.replace('_', " ")),
            })
        });
        let at = text("cell").map(|cell| format!("{title} at {cell}"));
        let name = at.unwrap_or_else(|| text("id").unwrap_or_default().to_owned());
        let of_title = seen.entry(title.to_owned()).or_default();
        of_title.insert(name, facts.collect());
    }
    let inside = doc
        .get("holds")
        .and_then(|holds| holds.get("components")?.as_list());
    let inside = inside.into_iter().flatten().filter_map(Doc::as_object);
    inside.for_each(|doc| add(builder, doc, true, seen));
}

/// Returns whether the title or the picture of a component shows a field: it is a key, or its look names it. A color that says
/// whose it is counts only where texts have it, too.
fn shows(
    builder: &PictureBuilder<'_>,
    kind: &KindInfo,
    field: &FieldInfo,
    has_color: bool,
) -> bool {
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
        let colors = style.color.iter().filter(|_| has_color || name != "owner");
        let mut signs = colors.chain(&style.symbol);
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
