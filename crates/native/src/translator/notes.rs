//! What is left to the interpreter.

use wyrmgate_program::Address;

/// The part of an operation that the interpreter does whenever the operation runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The whole effect to which the operation belongs.
    Effect,
    /// The operation itself.
    Operation,
    /// The possible values of a name of a decision.
    Names,
    /// The choices of an option, beginning with one of its names.
    Choices,
    /// A condition on many members at once.
    Mask,
    /// A list.
    List,
    /// The value of an expression.
    Value,
}

/// A part of the operation at an address that is left to the interpreter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Left {
    pub at: Address,
    pub what: Part,
}
