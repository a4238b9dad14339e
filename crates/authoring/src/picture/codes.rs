//! Codes in short texts: the same in every position of a game, so that a reader can learn them.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use wyrmgate_engine::Viewer;
use wyrmgate_program::{Language, Program, Sign, Type};
use wyrmgate_view::{Doc, title_of_value};

use super::build::label;
use super::builder::PictureBuilder;
use super::scene::Scene;
use super::styles::{Looks, SignPart, type_of};
use super::symbols;
use super::wording::Labels;

/// The contents of the box are public, and no state is read.
#[expect(
    clippy::disallowed_methods,
    reason = "titles of all components are public"
)]
const BOX: Viewer = Viewer::omniscient();

/// What tells one program from another: its digest, its seats, how many components it has, and the language.
type ProgramKey = (String, usize, usize, Language);

thread_local! {
    /// The labels of the program of which the thread wrote last: many texts of one game follow each other.
    static LATEST: RefCell<Option<(ProgramKey, Rc<Labels>)>> = const { RefCell::new(None) };
}

/// Gives pieces the labels that they have throughout the game, and seats their numbers and only colors that matter.
pub(super) fn fix(builder: &PictureBuilder<'_>, scene: &mut Scene) {
    label(scene, &labels(&builder.looks));
    let has_colors = has_colors_of_seats(&builder.looks);
    for player in &mut scene.players {
        let title = builder.seat_title(player.seat);
        if player.name != title {
            player.name = format!("{title}: {}", player.name);
        }
        player.color = player.color.filter(|_| has_colors);
    }
}

fn labels(looks: &Looks<'_>) -> Rc<Labels> {
    let (program, language) = (looks.program, looks.language);
    let digest = program.identity.digest.clone();
    let key = (digest, program.seats, program.components.len(), language);
    let latest = LATEST.with_borrow(|latest| latest.clone());
    if let Some((_, labels)) = latest.filter(|(known, _)| *known == key) {
        return labels;
    }
    let all = possible(looks);
    let labels = Rc::new(Labels::of(all.iter().map(String::as_str)));
    LATEST.set(Some((key, labels.clone())));
    labels
}

/// Returns everything that can be the label of a piece: kinds, keys of components with and without their owners, and values.
fn possible(looks: &Looks<'_>) -> BTreeSet<String> {
    let (program, reader) = (looks.program, BOX.reading(looks.language));
    let mut all = BTreeSet::new();
    for (at, _) in program.components.iter().enumerate() {
        let title = title_of_value(program, reader, at as i32, Type::Component(None));
        let kind = program.kind_of(at as i32);
        let kind = kind.map(|kind| looks.title(&kind.title, &kind.name));
        let kind = kind.unwrap_or_default();
        let keys = title.strip_prefix(kind.as_str()).unwrap_or(&title).trim();
        let own = keys
            .split_once(' ')
            .filter(|(owner, _)| owner.parse::<u8>().is_ok());
        all.extend([own.map_or(keys, |(_, own)| own), keys, &kind].map(str::to_owned));
    }
    for (number, info) in program.enums.iter().enumerate() {
        let of = Type::Enum(number as u16);
        let values = 0..info.values.len() as i32;
        all.extend(values.map(|value| title_of_value(program, reader, value, of)));
    }
    all.remove("");
    all
}

/// Returns whether the color of a seat is that of anything on the table.
fn has_colors_of_seats(looks: &Looks<'_>) -> bool {
    let program = looks.program;
    let by_owner = program.kinds.iter().any(|kind| {
        let style = looks.of_kind(kind).get(|style| style.color.as_ref());
        match style {
            Some(Sign::Field(name)) => type_of(&kind.fields, name) == Some(Type::Seat),
            Some(Sign::Word(_) | Sign::ByValue(_)) => false,
            None => type_of(&kind.fields, "owner").is_some(),
        }
    });
    let is_mark = |of: Option<Type>| matches!(of, Some(Type::Zone(_) | Type::Cell));
    let mut vars = program.vars.iter();
    by_owner
        || vars.any(|var| var.of == Type::Seat && is_mark(var.index))
        || program
            .families
            .iter()
            .any(|family| type_of(&family.fields, "owner").is_some())
}

/// Returns what the symbols beside the titles of pieces mean: `♦ ruby`.
pub(super) fn signs(builder: &PictureBuilder<'_>, scene: &Scene) -> Vec<String> {
    let mut used: BTreeMap<char, Option<String>> = BTreeMap::new();
    scene.each_piece(&mut |piece| {
        used.extend(piece.badges.iter().map(|badge| (badge.symbol.glyph, None)));
    });
    if used.is_empty() {
        return Vec::new();
    }
    for (word, meaning) in meanings(builder.sight.program, &builder.looks) {
        let symbol = symbols::named(&word);
        let glyph = symbol.and_then(|symbol| used.get_mut(&symbol.glyph));
        if let Some(known) = glyph {
            known.get_or_insert(meaning);
        }
    }
    let told = used.into_iter();
    let told = told.filter_map(|(glyph, meaning)| Some(format!("{glyph} {}", meaning?)));
    told.collect()
}

/// Returns the words of symbols: those of badges with their fields, and those of values.
fn meanings(program: &Program, looks: &Looks<'_>) -> Vec<(String, String)> {
    let styles = program.look.things.values();
    let badges = styles.flat_map(|style| &style.badges);
    let badges = badges.map(|(field, symbol)| (symbol.clone(), field.replace('_', " ")));
    let enums = program.enums.iter().enumerate();
    let values = enums.flat_map(|(number, info)| {
        let of = Type::Enum(number as u16);
        info.values.iter().filter_map(move |value| {
            let doc = Doc::from(value.clone());
            let word = looks.word_of_value(SignPart::Symbol, of, &doc)?.to_owned();
            Some((word, looks.words(of, &doc)))
        })
    });
    badges.chain(values).collect()
}
