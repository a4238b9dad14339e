//! Codes in short texts: the same in every position of a game, so that a reader can learn them.

use std::collections::BTreeMap;

use wyrmgate_program::{Sign, Type};
use wyrmgate_view::Doc;

use super::build::label;
use super::builder::PictureBuilder;
use super::scene::Scene;
use super::styles::{Looks, SignPart, type_of};
use super::symbols;
use super::wording::Labels;

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

/// Returns labels for everything that pieces usually have as one: kinds, and values of types.
fn labels(looks: &Looks<'_>) -> Labels {
    let kinds = looks.program.kinds.iter();
    let kinds = kinds.map(|kind| looks.title(&kind.title, &kind.name));
    let all: Vec<String> = kinds
        .chain(values(looks, &|_| true).into_iter().map(|(_, words)| words))
        .collect();
    Labels::of(all.iter().map(String::as_str))
}

/// Returns the words of symbols of all values of these types, or the values themselves, with what the values mean.
fn values(looks: &Looks<'_>, is_wanted: &dyn Fn(Type) -> bool) -> Vec<(String, String)> {
    let enums = looks.program.enums.iter().enumerate();
    let enums = enums.map(|(number, info)| (Type::Enum(number as u16), info));
    let values = enums
        .filter(|(of, _)| is_wanted(*of))
        .flat_map(|(of, info)| {
            info.values.iter().filter_map(move |value| {
                let doc = Doc::from(value.clone());
                let word = looks.word_of_value(SignPart::Symbol, of, &doc)?.to_owned();
                Some((word, looks.words(of, &doc)))
            })
        });
    values.collect()
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

/// Returns whether the symbol of some kind is that of a value of this type.
fn is_symbol_of_kinds(looks: &Looks<'_>, of: Type) -> bool {
    looks.program.kinds.iter().any(|kind| {
        let symbol = looks.of_kind(kind).get(|style| style.symbol.as_ref());
        matches!(symbol, Some(Sign::Field(name)) if type_of(&kind.fields, name) == Some(of))
    })
}

/// Returns what the symbols beside titles, on backs and of pieces on boards mean: `♦ ruby`.
pub(super) fn signs(builder: &PictureBuilder<'_>, scene: &Scene) -> Vec<String> {
    let looks = &builder.looks;
    let mut used: BTreeMap<char, Option<String>> = BTreeMap::new();
    let mut has_backs = false;
    scene.each_piece(&mut |piece| {
        let back = piece.symbol.filter(|_| piece.is_hidden);
        let badges = piece.badges.iter().map(|badge| badge.symbol);
        used.extend(badges.chain(back).map(|symbol| (symbol.glyph, None)));
        has_backs |= piece.is_hidden && !piece.corners.is_empty();
    });
    let kinds = values(looks, &|of| is_symbol_of_kinds(looks, of)).into_iter();
    let kinds = kinds.filter_map(|(word, _)| Some(symbols::named(&word)?.glyph));
    let kinds: Vec<char> = kinds.collect();
    let on_boards = scene.spaces().flat_map(|space| &space.pieces);
    let glyphs = on_boards.filter_map(|piece| Some(piece.symbol?.glyph));
    used.extend(
        glyphs
            .filter(|glyph| kinds.contains(glyph))
            .map(|glyph| (glyph, None)),
    );
    let styles = looks.program.look.things.values();
    let badges = styles.clone().flat_map(|style| &style.badges);
    let badges = badges.map(|(field, symbol)| (symbol.clone(), field.replace('_', " ")));
    for (word, meaning) in badges.chain(values(looks, &|_| true)) {
        let symbol = symbols::named(&word);
        if let Some(known) = symbol.and_then(|symbol| used.get_mut(&symbol.glyph)) {
            known.get_or_insert(meaning);
        }
    }
    let told = used.into_iter();
    let told = told.filter_map(|(glyph, meaning)| Some(format!("{glyph} {}", meaning?)));
    let backs = styles
        .filter_map(|style| style.back.as_ref())
        .filter(|_| has_backs);
    let backs = backs.map(|back| {
        let symbol = back.symbol.iter().filter_map(|sign| match sign {
            Sign::Field(field) => Some(field),
            Sign::Word(_) | Sign::ByValue(_) => None,
        });
        let fields: Vec<&str> = symbol.chain(&back.corners).map(String::as_str).collect();
        format!("[? {}]", fields.join(" "))
    });
    told.chain(backs).collect()
}
