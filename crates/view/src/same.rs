//! Choices that read alike and are the same for the seat that decides.

use crate::name::Pointing;
use wyrmgate_engine::see::viewers_of_var;
use wyrmgate_engine::{Choice, sees_as};
use wyrmgate_program::{Site, Type};

/// Everything about a component that a seat could tell from another one: its class, and what it says now.
pub type Appearance = Vec<i32>;

/// Returns what a seat can tell of a choice from others with the same label.
pub fn appearances(pointing: Pointing<'_>, site: &Site, choice: &Choice) -> Vec<Appearance> {
    let option = site.options.get(usize::from(choice.option));
    let binders = option.map_or(&[][..], |option| &option.binders);
    let values = binders.iter().zip(&choice.args);
    let of_choice = values.map(|(binder, arg)| {
        let mut looks: Vec<Appearance> = arg
            .values()
            .iter()
            .map(|value| appearance(pointing, *value, binder.of))
            .collect();
        if !binder.count.is_ordered() {
            looks.sort();
        }
        looks.concat()
    });
    std::iter::once(vec![i32::from(choice.option)])
        .chain(of_choice)
        .collect()
}

/// Returns a value itself, or what a component shows where order means nothing.
fn appearance(pointing: Pointing<'_>, value: i32, of: Type) -> Appearance {
    let (program, state) = (pointing.program, pointing.state);
    let is_component = matches!(of, Type::Component(_)) && state.is_component(value);
    let zone = is_component.then(|| state.zone_of(value));
    let class = program.classes().shared(value);
    let like = zone.zip(class).filter(|(zone, _)| {
        program.has_any_order(*zone)
            && program.holds(value).is_none()
            && sees_as(program, state, pointing.reader.viewer, value)
    });
    let Some((zone, class)) = like else {
        return vec![value];
    };
    let fields = program.kind_of(value).map_or(&[][..], |kind| &kind.fields);
    let fields = fields.iter().filter_map(|field| field.word_of(value));
    let is_down = i32::from(state.is_face_down(value));
    let place = [-1, zone, class as i32, is_down, state.cell_of(value)];
    let vars = program.vars.iter().enumerate();
    let marks = vars.filter_map(|(number, var)| {
        let index = u32::try_from(value.saturating_sub(var.low)).ok()?;
        let is_of = matches!(var.index, Some(Type::Component(_))) && index < var.len;
        let is_known = |viewers| pointing.reader.viewer.is_among(viewers);
        let is_seen = is_of && is_known(viewers_of_var(program, state, number, index));
        is_seen.then_some(var.offset + index)
    });
    let words = fields.chain(marks).map(|word| state.var(word));
    place.into_iter().chain(words).collect()
}
