//! The implementations of operations, one family per file.

pub mod answering;
pub mod control;
pub mod course;
pub mod deciding;
pub mod finish;
mod label;
mod looking;
pub mod moving;
pub mod random;
pub mod showing;
pub mod values;
