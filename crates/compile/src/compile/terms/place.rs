//! Where a statement changes something: the lists that can change, and what becomes of them.

use crate::names::declaration::{ListDecl, VarDecl};
use crate::names::types::{Ty, default_of};
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::{self, SetOp};
use wyrmgate_program::*;

/// What an assignment does to its target: `= value`, `+= value`, `-= value`.
#[derive(Clone, Copy)]
pub struct Change<'a> {
    pub op: SetOp,
    pub value: &'a ast::Expr,
    /// The whole statement.
    pub span: Span,
}

/// Where a list is that can change.
#[derive(Clone)]
pub(crate) enum ListPlace {
    Variable(OfVariable),
    /// In a slot of the frame, see `statements::growing`.
    Growing {
        slot: Local,
        of: Type,
    },
}

/// A list in a variable, and its key if the variable has one list for each key.
#[derive(Clone)]
pub(crate) struct OfVariable {
    pub var: VarDecl,
    pub list: ListDecl,
    pub key: Option<ExprId>,
    /// Whether the key is the number of a combination of several keys.
    pub is_combination: bool,
}

impl OfVariable {
    /// Returns the same list with its key evaluated.
    pub(crate) fn with_key(&self, key: ExprId) -> OfVariable {
        OfVariable {
            key: Some(key),
            ..self.clone()
        }
    }

    pub(crate) fn key_type(&self) -> Ty {
        Ty::one(self.var.index.unwrap_or(Type::Int))
    }

    /// Returns the number of words for the members of all lists.
    pub(crate) fn words(&self) -> u32 {
        self.list.most * self.var.len
    }
}

impl ListPlace {
    pub(crate) fn of_variable(var: VarDecl, list: ListDecl, key: Option<ExprId>) -> ListPlace {
        ListPlace::Variable(OfVariable {
            var,
            list,
            key,
            is_combination: false,
        })
    }

    /// Returns the list in a slot. Nothing is written before its type is known.
    pub(crate) fn growing(slot: Local, ty: Ty) -> ListPlace {
        let of = ty.of.unwrap_or(Type::Int);
        ListPlace::Growing { slot, of }
    }

    /// Returns the type of the members.
    pub(crate) fn of(&self) -> Type {
        match self {
            ListPlace::Variable(place) => place.list.of,
            ListPlace::Growing { of, .. } => *of,
        }
    }

    /// Returns how many members there can be.
    pub(crate) fn most(&self) -> u32 {
        match self {
            ListPlace::Variable(place) => place.list.most,
            ListPlace::Growing { .. } => LENGTH_MAX as u32,
        }
    }

    /// Returns the value of the words behind the members that the list has.
    pub(crate) fn nothing(&self) -> i32 {
        match self {
            ListPlace::Variable(place) => default_of(place.list.of),
            ListPlace::Growing { .. } => NONE,
        }
    }

    /// Returns whether this is the only list of its variable.
    pub(crate) fn is_single(&self) -> bool {
        match self {
            ListPlace::Variable(place) => place.var.index.is_none(),
            ListPlace::Growing { .. } => true,
        }
    }
}
