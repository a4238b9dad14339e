//! What a translation speaks of: plain data below the compiler.

pub(crate) mod board;
pub(crate) mod callee;
pub(crate) mod pattern;
pub(crate) mod place;
pub(crate) mod rows;
pub(crate) mod value;
