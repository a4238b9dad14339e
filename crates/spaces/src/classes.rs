//! Components that look alike: copies, which only their numbers distinguish.

use wyrmgate_program::{FieldPlace, KindInfo, Program};

/// The classes of a program: copies share one.
#[derive(Debug, Clone)]
pub struct Classes {
    /// By component.
    pub of: Vec<u32>,
    /// By class: the first component, and how many there are.
    pub members: Vec<(u32, u32)>,
}

impl Classes {
    pub fn of(program: &Program) -> Classes {
        let mut classes = Classes {
            of: Vec::new(),
            members: Vec::new(),
        };
        for (number, info) in (0u32..).zip(&program.components) {
            // Copies follow one another.
            let last = classes.members.last_mut().filter(|(first, _)| {
                let first = program.components.get(*first as usize);
                first.is_some_and(|first| {
                    first.kind == info.kind && first.naming.has_keys_of(&info.naming)
                }) && has_copies(program, info.kind)
            });
            match last {
                Some((_, count)) => *count += 1,
                None => classes.members.push((number, 1)),
            }
            classes.of.push(classes.members.len() as u32 - 1);
        }
        classes
    }

    pub fn count(&self) -> usize {
        self.members.len()
    }

    /// Returns the class of a component.
    #[inline]
    pub fn class(&self, component: i32) -> usize {
        self.of
            .get(component as usize)
            .map_or(0, |class| *class as usize)
    }
}

fn has_copies(program: &Program, kind: u16) -> bool {
    program
        .kinds
        .get(usize::from(kind))
        .is_some_and(|kind| kind.has_copies)
}

/// Returns the kinds of which there are components, not the families of kinds.
pub fn kinds(program: &Program) -> impl Iterator<Item = (u16, &KindInfo)> {
    (0u16..).zip(&program.kinds).filter(|(number, kind)| {
        let first = program.components.get(kind.first as usize);
        first.is_some_and(|first| first.kind == *number)
    })
}

/// Returns whether a field can change in play.
pub fn changes(place: FieldPlace) -> bool {
    matches!(place, FieldPlace::Changing { .. })
}
