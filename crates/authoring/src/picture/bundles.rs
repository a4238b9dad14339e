//! Bundles in pictures: for each value of which there is some, its symbol in its color, and how many.

use wyrmgate_program::{EnumId, PartOf, Program, Type, VarInfo, VarRole};
use wyrmgate_view::Doc;

use super::scene::PictureBadge;
use super::styles::{Looks, SignPart};
use super::{palette, symbols};

/// Returns the type of the bundles of a variable, for the first of its parts; `Some(None)` for the others, which are drawn
/// with it, and `None` for all other variables.
pub(super) fn whole(program: &Program, var: &VarInfo) -> Option<Option<EnumId>> {
    let is_whole = |part: &&PartOf| part.within.is_none() || var.role == VarRole::Values;
    let part = var.part.as_ref().filter(is_whole)?;
    let of = part.bundle_of?;
    let info = program.enums.get(usize::from(of))?;
    let is_first = info.values.first() == Some(&part.part);
    Some(is_first.then_some(of))
}

/// Returns the values of which there is some, as documents, and how many.
fn some<'d>(bundle: &'d Doc<'_>) -> impl Iterator<Item = (Doc<'static>, i64)> + 'd {
    let amounts = bundle
        .as_object()
        .into_iter()
        .flat_map(|amounts| amounts.iter());
    let amounts = amounts.filter_map(|(value, amount)| {
        let value = Doc::from(value.to_owned());
        Some((value, amount.as_whole()?))
    });
    amounts.filter(|(_, amount)| *amount > 0)
}

/// Returns the badges of a bundle. A value without a symbol has a ring, and its name behind the number.
pub(super) fn badges(looks: &Looks<'_>, of: EnumId, bundle: &Doc<'_>) -> Vec<PictureBadge> {
    let of = Type::Enum(of);
    let badge = |value: Doc<'static>, amount: i64| {
        let word = |part| looks.word_of_value(part, of, &value);
        let symbol = word(SignPart::Symbol).and_then(symbols::named);
        let color = word(SignPart::Color).and_then(palette::named);
        let number = match symbol {
            Some(_) => amount.to_string(),
            None => format!("{amount} {}", looks.words(of, &value)),
        };
        let symbol = symbol.or_else(|| symbols::named("circle"))?;
        Some(PictureBadge {
            symbol,
            number,
            color,
        })
    };
    let some = some(bundle);
    some.filter_map(|(value, amount)| badge(value, amount))
        .collect()
}

/// Returns a bundle in words: `2 wood, 1 ore`.
pub(super) fn words(looks: &Looks<'_>, of: EnumId, bundle: &Doc<'_>) -> String {
    let words = looks.words(Type::Amounts(of), bundle);
    match words.is_empty() {
        true => "0".to_owned(),
        false => words,
    }
}
