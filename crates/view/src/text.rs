//! Texts with holes, such as prompts, labels and messages, as one reader sees them.
//!
//! The engine evaluates the holes once. Each viewer reads the values in its own language and as far as it may know them.

use crate::name::Titles;
use wyrmgate_engine::SeenValue;
use wyrmgate_program::{EnumId, Hole, Program, TextId, TextPiece, Type};

/// Stands for a value that the reader may not know, or that cannot be told.
pub(crate) const UNTOLD: &str = "…";

/// Returns the text with these values in its holes, named by `names`; missing ones read as `…`.
pub(crate) fn read(
    program: &Program,
    text: TextId,
    holes: &[Vec<SeenValue>],
    names: &impl Titles,
) -> String {
    parts(program, text, holes, names).concat()
}

/// Returns the same in whole parts: words between holes, and each value.
pub(crate) fn parts(
    program: &Program,
    text: TextId,
    holes: &[Vec<SeenValue>],
    names: &impl Titles,
) -> Vec<String> {
    let language = names.language();
    let mut parts = Vec::new();
    let Some(info) = program.prose.texts_with_holes.get(usize::from(text)) else {
        return parts;
    };
    for piece in info.parts_in(language) {
        match piece {
            TextPiece::Words(words) => parts.push(words.clone()),
            TextPiece::Hole(number) => match info.holes.get(*number).zip(holes.get(*number)) {
                Some((hole, values)) => {
                    parts.extend(in_hole(program, *hole, values, names));
                }
                None => parts.push(UNTOLD.to_owned()),
            },
        }
    }
    parts
}

/// Lists the members one after the other. An empty list reads as the language's word for none.
pub(crate) fn in_hole(
    program: &Program,
    hole: Hole,
    values: &[SeenValue],
    names: &impl Titles,
) -> Vec<String> {
    if let Type::Amounts(of) = hole.of() {
        return vec![bundle(program, of, values, names)];
    }
    if values.is_empty() {
        return vec![program.prose.words.none.get(names.language()).to_owned()];
    }
    let titles = values.iter().map(|value| names.title(value, hole.of()));
    let titles: Vec<String> = titles.collect();
    if hole.of() == Type::Letter {
        return vec![titles.concat()];
    }
    listed(titles, ", ")
}

/// Returns members of a list, with this between them.
pub(crate) fn listed(titles: Vec<String>, between: &str) -> Vec<String> {
    let mut parts = Vec::with_capacity(titles.len() * 2);
    for title in titles {
        if !parts.is_empty() {
            parts.push(between.to_owned());
        }
        parts.push(title);
    }
    parts
}

/// Lists of what there is some in a bundle, and how many: `2 wood, 1 ore`.
fn bundle(program: &Program, of: EnumId, amounts: &[SeenValue], names: &impl Titles) -> String {
    let some = (0..)
        .zip(amounts)
        .filter_map(|(value, amount)| match amount {
            SeenValue::Plain(amount) if *amount > 0 => {
                let title = names.title(&SeenValue::Plain(value), Type::Enum(of));
                Some(format!("{amount} {title}"))
            }
            SeenValue::Plain(_) | SeenValue::Component(_) | SeenValue::Inside(_) => None,
        });
    let listed = some.collect::<Vec<_>>().join(", ");
    match listed.is_empty() {
        true => program.prose.words.none.get(names.language()).to_owned(),
        false => listed,
    }
}
