//! The caption of a choice for which the rules declare no label: its option and its values in words.

use wyrmgate_program::{BinderInfo, BinderSize, Type};

/// Returns the angle of a rotation in quarters.
pub fn angle(quarters: i32) -> String {
    format!("↻{}°", quarters.rem_euclid(4) * 90)
}

/// Joins the chosen members of a list: a path goes from one to the next.
pub fn members(binder: &BinderInfo, titles: &[String]) -> String {
    titles.join(match binder.count {
        BinderSize::Path { .. } => " → ",
        BinderSize::One
        | BinderSize::Any
        | BinderSize::Permutation
        | BinderSize::Many { .. }
        | BinderSize::Repeated { .. } => ", ",
    })
}

/// Joins the title of an option and those of its values. A component comes before its zone.
pub fn caption(option: Option<String>, values: &[(&BinderInfo, String)]) -> String {
    let mut caption = option.unwrap_or_default();
    let mut before: Option<Type> = None;
    for (binder, title) in values {
        let is_place = |of: Type| matches!(of, Type::Component(_) | Type::Zone(_));
        caption.push_str(match before {
            _ if caption.is_empty() => "",
            None => " ",
            Some(_) if binder.is_rotation => " ",
            Some(of) if is_place(of) && matches!(binder.of, Type::Zone(_)) => " → ",
            Some(_) => ", ",
        });
        caption.push_str(title);
        before = Some(binder.of);
    }
    caption
}
