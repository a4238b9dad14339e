//! One of all states that differ only in which of the components that are alike lies where, and in orders that mean
//! nothing.

use crate::identity::identified;
use crate::state::State;
use wyrmgate_program::{NONE, Program, Type};

/// The properties that distinguish a component from others of its class.
type Looks = Vec<i32>;

/// Returns the same state for all that it stands for. The components of `fixed` keep their numbers.
pub fn canonical(program: &Program, state: &State, fixed: &[i32]) -> State {
    let kinds = KindClasses {
        program,
        state,
        fixed,
    };
    let mut other = identified(program, state, &kinds.names());
    for zone in (0..state.zones() as i32).filter(|zone| program.has_any_order(*zone)) {
        let mut order: Vec<i32> = other.members(zone).collect();
        order.sort_unstable();
        other.reorder(zone, &order);
    }
    other
}

struct KindClasses<'s> {
    program: &'s Program,
    state: &'s State,
    fixed: &'s [i32],
}

impl KindClasses<'_> {
    /// Returns the class of a component that can have the number of another.
    fn class(&self, component: i32) -> Option<usize> {
        let class = self.program.classes().shared(component)?;
        (!self.fixed.contains(&component)).then_some(class)
    }

    /// Returns the new number of each component: those of a class are numbered from zone to zone.
    fn names(&self) -> Vec<i32> {
        let all = 0..self.state.components() as i32;
        let mut names: Vec<i32> = all.clone().collect();
        let mut left = vec![Vec::new(); self.program.classes().count()];
        for component in all.rev() {
            let class = self.class(component);
            if let Some(left) = class.and_then(|class| left.get_mut(class)) {
                left.push(component);
            }
        }
        for zone in 0..self.state.zones() as i32 {
            let mut members: Vec<i32> = self.state.members(zone).collect();
            if self.program.has_any_order(zone) {
                members.sort_by_cached_key(|member| self.looks(*member));
            }
            for member in members {
                let class = self.class(member);
                let name = class.and_then(|class| left.get_mut(class)?.pop());
                let place = names.get_mut(member.max(0) as usize);
                if let (Some(name), Some(place)) = (name, place) {
                    *place = name;
                }
            }
        }
        names
    }

    /// Returns what is so whatever the numbers are; a reference to another component that may have another number says
    /// which class it is of.
    fn looks(&self, component: i32) -> Looks {
        let state = self.state;
        let mut looks = vec![
            state.flags(component),
            state.cell_of(component),
            state.turned(component),
        ];
        let value = |of: Type, word: u32| {
            let value = state.var(word);
            let class = self.class(value);
            let class = class.filter(|_| matches!(of, Type::Component(_)));
            class.map_or(value, |class| NONE - 1 - class as i32)
        };
        let kind = self.program.kind_of(component);
        for field in kind.map_or(&[][..], |kind| &kind.fields) {
            looks.extend(field.word_of(component).map(|word| value(field.of, word)));
        }
        for var in &self.program.vars {
            if matches!(var.index, Some(Type::Component(_))) {
                let index = u32::try_from(component.saturating_sub(var.low)).ok();
                let index = index.filter(|index| *index < var.len);
                looks.extend(index.map(|index| value(var.of, var.offset + index)));
            } else if matches!(var.of, Type::Component(_)) {
                let words = var.offset..var.offset + var.len;
                let refers = words.filter(|word| state.var(*word) == component);
                looks.extend(refers.map(|word| word as i32));
            }
        }
        looks
    }
}
