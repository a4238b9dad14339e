//! Values, and what is known of them while code is emitted.

use std::collections::HashMap;

use cranelift_codegen::ir::Value;
use wyrmgate_program::{ExprId, Temp};

/// The value of an expression.
#[derive(Clone, Copy)]
pub(crate) enum ScalarValue {
    Known(i32),
    Word(Value),
    /// 0 or 1, in one byte.
    Flag(Value),
    /// A list, from its first member to its end; not a number.
    List(Value, Value),
}

/// What is known of values.
#[derive(Default)]
pub(crate) struct KnownValues {
    /// Temps in use in the current window.
    pub temps: Vec<(Temp, ScalarValue)>,
    /// The range of each value whose range is known.
    pub ranges: HashMap<Value, (i32, i32)>,
    /// The index of the word that is being written, as an expression and as a value, so that a new value that depends on
    /// the old one need not evaluate it again.
    pub written: Option<(ExprId, ScalarValue)>,
}
