//! The caption of a choice for which the rules declare no label: its option and its values in words.

use crate::name::enum_title;
use wyrmgate_program::{BinderInfo, BinderSize, Language, Program, SiteOption, Type};

/// Returns the angle of a rotation in quarters.
pub fn angle(quarters: i32) -> String {
    format!("↻{}°", quarters.rem_euclid(4) * 90)
}

/// Joins the chosen members of a list: a path goes from one to the next.
fn members(binder: &BinderInfo, titles: &[String]) -> String {
    titles.join(match binder.count {
        BinderSize::Path { .. } => " → ",
        BinderSize::One
        | BinderSize::Any
        | BinderSize::Permutation
        | BinderSize::Many { .. }
        | BinderSize::Repeated { .. } => ", ",
    })
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

/// Joins the title of an option and those of the values of each of its names. A component comes before its zone.
pub fn caption(
    program: &Program,
    language: Language,
    option: &SiteOption,
    values: impl Iterator<Item = Vec<String>>,
) -> String {
    let mut caption = match option.name.as_str() {
        "" => String::new(),
        _ => option_title(option, language),
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
        caption.push_str(match before {
            _ if caption.is_empty() => "",
            None => " ",
            Some(_) if binder.is_rotation => " ",
            Some(of) if is_place(of) && matches!(binder.of, Type::Zone(_)) => " → ",
            Some(_) => ", ",
        });
        match titles.is_empty() {
            true => caption.push_str(program.prose.words.none.get(language)),
            false => caption.push_str(&members(binder, &titles)),
        }
        before = Some(binder.of);
    }
    caption
}
