//! A translated expression: a single value or a list, with its type.

use crate::names::types::Ty;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_program::*;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    One(ExprId, Option<Type>),
    List(SetId, Option<Type>),
    /// A record of this type, by the first of its parts, which follow one another.
    Record(u16, ExprId),
}

impl Value {
    pub fn ty(self) -> Ty {
        match self {
            Value::One(_, of) => Ty::one(of),
            Value::List(_, of) => Ty::list(of),
            Value::Record(record, _) => Ty::one(Type::Record(record)),
        }
    }

    pub fn at(self, span: Span) -> ValueAt {
        ValueAt { value: self, span }
    }
}

/// A value, and where it is written.
#[derive(Debug, Clone, Copy)]
pub struct ValueAt {
    pub value: Value,
    pub span: Span,
}
