//! What the translation of a function notes for later: what is left to the interpreter, and questions about selections.

use std::sync::Arc;

use wyrmgate_engine::selections::SelectionTerms;
use wyrmgate_program::Address;

wyrmgate_base::named_enum! {
    /// The part of an operation that the interpreter does whenever the operation runs.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Part {
        /// The whole effect to which the operation belongs.
        Effect = "effect",
        /// The operation itself.
        Operation = "all",
        /// The possible values of a name of a decision.
        Names = "names",
        /// The choices of an option, beginning with one of its names.
        Choices = "choices",
        /// A condition on many members at once.
        Mask = "condition",
        /// A list.
        List = "list",
        /// The value of an expression.
        Value = "value",
    }
}

/// A part of the operation at an address that is left to the interpreter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Left {
    pub at: Address,
    pub what: Part,
}

/// What the translation of a function notes.
#[derive(Default)]
pub(crate) struct FunctionNotes {
    /// The operation that is being translated, and what has been left to the interpreter.
    pub operation_at: Address,
    pub left: Vec<Left>,
    /// The number of calls of the interpreter so far.
    pub asks: u32,
    /// The questions about selections, and the number of the first one.
    pub forms: Vec<Arc<SelectionTerms>>,
    pub first_form: i32,
}

impl FunctionNotes {
    /// Notes a part of this operation that is left to the interpreter.
    pub fn leave(&mut self, what: Part) {
        let at = self.operation_at;
        let left = Left { at, what };
        if !self.left.contains(&left) {
            self.left.push(left);
        }
    }
}
