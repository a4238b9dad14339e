//! The same state with components that have exchanged their identities.

use crate::state::State;
use wyrmgate_program::{ByNumber, FieldInfo, Program, Type};

/// Returns the state in which each component has the identity of another: `names` has it by component. References to one
/// then refer to the other, and the changing fields of one become those of the other. Suspended effects stay as they are.
pub fn identified(program: &Program, state: &State, names: &[i32]) -> State {
    let mut other = state.renamed(names);
    rename_vars(program, state, names, &mut other);
    rename_fields(program, state, names, &mut other);
    other
}

fn rename_vars(program: &Program, state: &State, names: &[i32], other: &mut State) {
    for var in &program.vars {
        let of_components = matches!(var.of, Type::Component(_));
        let by_component = matches!(var.index, Some(Type::Component(_)));
        if !of_components && !by_component {
            continue;
        }
        for word in 0..var.len {
            let mut value = state.var(var.offset + word);
            if of_components && state.is_component(value) {
                value = name(names, value);
            }
            let mut at = word;
            if by_component {
                let there = name(names, var.low.saturating_add(word as i32));
                let there = u32::try_from(there.saturating_sub(var.low)).ok();
                at = there.filter(|at| *at < var.len).unwrap_or(word);
            }
            other.set_var(var.offset + at, value);
        }
    }
}

fn rename_fields(program: &Program, state: &State, names: &[i32], other: &mut State) {
    for component in 0..state.components() as i32 {
        let there = name(names, component);
        let (Some(kind), Some(kind_there)) = (program.kind_of(component), program.kind_of(there))
        else {
            continue;
        };
        for field in &kind.fields {
            let is_component = matches!(field.of, Type::Component(_));
            if there == component && !is_component {
                continue;
            }
            let same = |found: &&FieldInfo| found.name == field.name && found.of == field.of;
            let word_there = kind_there.fields.iter().find(same);
            let word_there = word_there.and_then(|field| field.word_of(there));
            let (Some(word), Some(word_there)) = (field.word_of(component), word_there) else {
                continue;
            };
            let value = state.var(word);
            let value = match is_component && state.is_component(value) {
                true => name(names, value),
                false => value,
            };
            other.set_var(word_there, value);
        }
    }
}

fn name(names: &[i32], component: i32) -> i32 {
    names.at(component).copied().unwrap_or(component)
}
