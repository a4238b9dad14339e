//! Compiles definitions to programs: names, types, constants, checks, translation.

pub mod check;
pub mod compile;
