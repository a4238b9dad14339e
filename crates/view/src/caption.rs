//! The caption of a choice for which the rules declare no label: its option and its values in words.

use crate::name::enum_title;
use crate::text;
use wyrmgate_program::{BinderInfo, BinderSize, CellForm, Language, Program, SiteOption, Type};

/// Returns the angle of a rotation by this many sides.
pub fn angle(turned: i32, cells: CellForm) -> String {
    let ways = cells.count();
    format!("↻{}°", turned.rem_euclid(ways) * (360 / ways))
}

/// Returns what stands between the chosen members of a list: a path goes from one to the next.
fn between(binder: &BinderInfo) -> &'static str {
    match binder.count {
        BinderSize::Path { .. } => " → ",
        BinderSize::Text { .. } => "",
        BinderSize::One
        | BinderSize::Any
        | BinderSize::Permutation
        | BinderSize::Many { .. }
        | BinderSize::Repeated { .. } => ", ",
    }
}

/// Returns the name of an option in words.
fn option_title(option: &SiteOption, language: Language) -> String {
    match option.title.get(language) {
        "" => option.name.replace('_', " "),
        title => title.to_owned(),
    }
}

/// Returns the title of a value of a bundle, which has a name for each value of one type.
fn value_title(
    program: &Program,
    language: Language,
    option: &SiteOption,
    of: &str,
    value: &str,
) -> String {
    let amounts = option.binders.iter().filter_map(BinderInfo::amount_in);
    let values = amounts
        .filter(|(whole, _)| *whole == of)
        .map(|(_, value)| value);
    let mut types = program.enums.iter();
    let of = types.position(|of| of.values.iter().map(String::as_str).eq(values.clone()));
    let at = values.clone().position(|known| known == value);
    let title = of
        .zip(at)
        .and_then(|(of, at)| enum_title(program, of, at, language));
    title.unwrap_or_else(|| value.to_owned())
}

/// Returns the title of an option, those of the values of each of its names, and what stands between them. A component comes
/// before its zone.
pub fn caption(
    program: &Program,
    language: Language,
    option: &SiteOption,
    values: impl Iterator<Item = Vec<String>>,
) -> Vec<String> {
    let mut parts = match option.name.as_str() {
        "" => Vec::new(),
        _ => vec![option_title(option, language)],
    };
    let mut before: Option<Type> = None;
    let mut some: Vec<String> = Vec::new();
    let mut values = option.binders.iter().zip(values).peekable();
    while let Some((binder, mut titles)) = values.next() {
        // All amounts of a bundle are told together, and none that is zero.
        if let (Some((of, value)), [amount]) = (binder.amount_in(), titles.as_slice()) {
            let title = value_title(program, language, option, of, value);
            some.extend((amount != "0").then(|| format!("{amount} {title}")));
            if values
                .peek()
                .is_some_and(|(next, _)| next.whole_name() == of)
            {
                continue;
            }
            titles = std::mem::take(&mut some);
        }
        let is_place = |of: Type| matches!(of, Type::Component(_) | Type::Zone(_));
        let space = match before {
            _ if parts.is_empty() => "",
            None => " ",
            Some(_) if binder.is_rotation => " ",
            Some(of) if is_place(of) && matches!(binder.of, Type::Zone(_)) => " → ",
            Some(_) => ", ",
        };
        parts.push(space.to_owned());
        match titles.is_empty() {
            true => parts.push(program.prose.words.none.get(language).to_owned()),
            false => parts.extend(text::listed(titles, between(binder))),
        }
        before = Some(binder.of);
    }
    parts
}
