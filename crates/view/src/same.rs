//! Choices that read alike and are the same for the seat that decides.

use crate::name::Pointing;
use wyrmgate_engine::see::viewers_of_var;
use wyrmgate_engine::{Choice, sees_as};
use wyrmgate_program::{See, Site, Type};

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
    let like = zone.filter(|zone| {
        is_heap(pointing, *zone, value)
            && program.holds(value).is_none()
            && sees_as(program, state, pointing.reader.viewer, value)
            && !is_named(pointing, value)
    });
    let Some(zone) = like else {
        return vec![value];
    };
    let fields = program.kind_of(value).map_or(&[][..], |kind| &kind.fields);
    let fields = fields.iter().filter_map(|field| field.word_of(value));
    let is_down = i32::from(state.is_face_down(value));
    let class = program.classes().class(value) as i32;
    let place = [-1, zone, class, is_down, state.cell_of(value)];
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

/// Returns whether the order of what lies here means nothing to this seat: dice, and the cards that it holds.
fn is_heap(pointing: Pointing<'_>, zone: i32, component: i32) -> bool {
    let program = pointing.program;
    let see = program.zone_info(zone).map(|zone| zone.see);
    let is_die = program
        .kind_of(component)
        .is_some_and(|kind| kind.die.is_some());
    is_die || see == Some(See::Owner) || program.has_any_order(zone)
}

/// Returns whether a variable that the reader sees names this component.
fn is_named(pointing: Pointing<'_>, component: i32) -> bool {
    let (program, state, viewer) = (pointing.program, pointing.state, pointing.reader.viewer);
    let vars = program.vars.iter().enumerate();
    let mut vars = vars.filter(|(_, var)| matches!(var.of, Type::Component(_)));
    vars.any(|(number, var)| {
        (0..var.len).any(|word| {
            state.var(var.offset + word) == component
                && viewer.is_among(viewers_of_var(program, state, number, word))
        })
    })
}
