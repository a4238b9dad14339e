//! The components that events and values name.

use wyrmgate_engine::{AssignmentTarget, Event, SeenComponent, SeenValue};

/// Returns the component of a value, or that around its zone.
pub fn component_in(value: &SeenValue) -> Option<&SeenComponent> {
    match value {
        SeenValue::Component(what) | SeenValue::Inside(what) => Some(what),
        SeenValue::Plain(_) => None,
    }
}

/// Returns all components that an event names, in its order. The viewer may not know some of them.
pub fn components_in(event: &Event) -> impl Iterator<Item = &SeenComponent> {
    let mut named: Vec<&SeenComponent> = Vec::new();
    match event {
        Event::Moved { what, .. }
        | Event::Turned { what, .. }
        | Event::ShuffledInside { holder: what, .. } => named.push(what),
        Event::Shown { what, .. } => named.extend(what),
        Event::Rolled { dice } => named.extend(dice.iter().map(|(die, _)| die)),
        Event::Given { to, value, .. } => {
            if let AssignmentTarget::Field { what, .. } = to {
                named.push(what);
            }
            named.extend(component_in(value));
        }
        Event::Chose { args: values, .. } | Event::Said { holes: values, .. } => {
            named.extend(values.iter().flatten().filter_map(component_in));
        }
        Event::GameBegan
        | Event::RoundBegan { .. }
        | Event::RoundEnded { .. }
        | Event::TurnBegan { .. }
        | Event::TurnEnded { .. }
        | Event::PhaseBegan { .. }
        | Event::PhaseEnded { .. }
        | Event::Scored { .. }
        | Event::Drawn { .. }
        | Event::Set { .. }
        | Event::FieldSet { .. }
        | Event::Finished(_)
        | Event::Shuffled { .. } => {}
    }
    named.into_iter()
}
