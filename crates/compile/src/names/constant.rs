//! Constants of a game: the values of `each`, `copies`, `data` and `fields` for one setup.

use std::slice;

use super::types::Ty;
use wyrmgate_program::{NONE, Type};

/// A constant, with its type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Constant {
    One(Option<Type>, i32),
    List(Option<Type>, Vec<Constant>),
}

impl Constant {
    pub const NOTHING: Constant = Constant::One(None, NONE);

    pub fn int(value: i32) -> Constant {
        Constant::One(Some(Type::Int), value)
    }

    pub fn bool(value: bool) -> Constant {
        Constant::One(Some(Type::Bool), value as i32)
    }

    /// Returns the value, or the length of a list.
    pub fn value(&self) -> i32 {
        match self {
            Constant::One(_, value) => *value,
            Constant::List(_, items) => items.len() as i32,
        }
    }

    pub fn of(&self) -> Option<Type> {
        match self {
            Constant::One(of, _) | Constant::List(of, _) => *of,
        }
    }

    pub fn ty(&self) -> Ty {
        Ty {
            of: self.of(),
            list: matches!(self, Constant::List(..)),
        }
    }

    /// Returns the members of a list; a single value is a list of itself.
    pub fn items(&self) -> &[Constant] {
        match self {
            Constant::One(..) => slice::from_ref(self),
            Constant::List(_, items) => items,
        }
    }

    /// Returns how many indexes lead to values.
    pub fn depth(&self) -> usize {
        match self {
            Constant::One(..) => 0,
            Constant::List(_, items) => 1 + items.iter().map(Constant::depth).max().unwrap_or(0),
        }
    }

    /// Returns whether it has lists as members.
    pub fn is_of_lists(&self) -> bool {
        self.depth() > 1
    }

    /// Returns the members as plain values.
    pub fn values(&self) -> Vec<i32> {
        self.items().iter().map(Constant::value).collect()
    }

    pub fn list(of: Option<Type>, values: impl IntoIterator<Item = i32>) -> Constant {
        Constant::List(
            of,
            values.into_iter().map(|v| Constant::One(of, v)).collect(),
        )
    }
}
