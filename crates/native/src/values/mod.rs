//! Single values: expressions, arithmetic, look-ups, words of the state.

pub(crate) mod expr;
pub(crate) mod grid;
pub(crate) mod kinds;
pub(crate) mod look;
pub(crate) mod number;
pub(crate) mod ranges;
pub(crate) mod recursion;
pub(crate) mod straight;
pub(crate) mod variables;
