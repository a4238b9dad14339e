//! The caption of a choice for which the rules declare no label: its option and its values in words.

use crate::text;
use wyrmgate_program::{BinderInfo, BinderSize, Language, Program, SiteOption, Type};

/// Returns the angle of a rotation in quarters.
pub fn angle(quarters: i32) -> String {
    format!("↻{}°", quarters.rem_euclid(4) * 90)
}

/// Returns what stands between the chosen members of a list: a path goes from one to the next.
fn between(binder: &BinderInfo) -> &'static str {
    match binder.count {
        BinderSize::Path { .. } => " → ",
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
    for (binder, titles) in option.binders.iter().zip(values) {
        if let (Some((_, value)), [amount]) = (binder.amount_in(), titles.as_slice()) {
            if amount != "0" {
                let comma = if before == Some(Type::Int) { ", " } else { " " };
                parts.push(if parts.is_empty() { "" } else { comma }.to_owned());
                parts.push(format!("{amount} {}", value.replace('_', " ")));
                before = Some(Type::Int);
            }
            continue;
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
