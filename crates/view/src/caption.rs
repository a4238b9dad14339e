//! The caption of a choice for which the rules declare no label: its option and its values in words.

use wyrmgate_program::{BinderInfo, BinderSize, Language, Program, SiteOption, Type};

/// Returns the angle of a rotation in quarters.
pub fn angle(quarters: i32) -> String {
    format!("↻{}°", quarters.rem_euclid(4) * 90)
}

/// Joins the chosen members of a list: a path goes from one to the next.
fn members(binder: &BinderInfo, titles: &[String]) -> String {
    titles.join(match binder.count {
        BinderSize::Path { .. } => " → ",
        BinderSize::Text { .. } => "",
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
    for (binder, titles) in option.binders.iter().zip(values) {
        if let (Some((_, value)), [amount]) = (binder.amount_in(), titles.as_slice()) {
            if amount != "0" {
                let comma = if before == Some(Type::Int) { ", " } else { " " };
                caption.push_str(if caption.is_empty() { "" } else { comma });
                caption.push_str(&format!("{amount} {}", value.replace('_', " ")));
                before = Some(Type::Int);
            }
            continue;
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
