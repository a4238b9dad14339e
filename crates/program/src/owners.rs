//! What each word of the variables belongs to.

use super::{FieldPlace, Program};

/// What a word belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// A changing field of a component, as a field of the component's own kind.
    Field {
        component: i32,
        field: u16,
    },
    /// A variable: its number, and which of its words it is.
    Var {
        var: u16,
        index: u32,
    },
    Nobody,
}

impl Program {
    /// Returns what a word of the variables and changing fields belongs to. All owners are found at the first question.
    pub fn owner_of_word(&self, word: u32) -> Owner {
        let owners = self.caches.owners.get_or_init(|| {
            let words = 0..u32::try_from(self.room.var_words).unwrap_or(u32::MAX);
            words.map(|word| self.found_owner(word)).collect()
        });
        owners.get(word as usize).copied().unwrap_or(Owner::Nobody)
    }

    fn found_owner(&self, word: u32) -> Owner {
        let field = self.field_of(word);
        let owner = field.or_else(|| self.var_of(word));
        owner.unwrap_or(Owner::Nobody)
    }

    fn var_of(&self, word: u32) -> Option<Owner> {
        let mut vars = (0..).zip(&self.vars);
        vars.find_map(|(number, var)| {
            let index = word.checked_sub(var.offset)?;
            (index < var.len).then_some(Owner::Var { var: number, index })
        })
    }

    fn field_of(&self, word: u32) -> Option<Owner> {
        self.kinds.iter().enumerate().find_map(|(number, kind)| {
            (0..).zip(&kind.fields).find_map(|(field, info)| {
                let FieldPlace::Changing { offset, first } = info.at else {
                    return None;
                };
                let component = word.checked_sub(offset)?.checked_add(first)?;
                let of_kind = self.components.get(component as usize)?.kind;
                let is_own = usize::from(of_kind) == number && component >= kind.first;
                let component = i32::try_from(component).ok()?;
                is_own.then_some(Owner::Field { component, field })
            })
        })
    }
}
