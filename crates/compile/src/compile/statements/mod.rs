//! Statements to code: assignments, decisions, loops, moves, calls, the course of the game.

mod ask;
pub(crate) mod assign;
pub(crate) mod binder;
pub(crate) mod bundle;
mod call;
pub(crate) mod choose;
pub(crate) mod course;
pub(crate) mod default;
pub(crate) mod growing;
pub(crate) mod keyed;
pub(crate) mod loops;
pub(crate) mod moving;
pub(crate) mod naming;
mod noted;
pub(crate) mod path;
mod physical_order;
pub(crate) mod sequence;
pub(crate) mod shuffled;
pub(crate) mod standing;
pub(crate) mod stmt;
pub(crate) mod text;
pub(crate) mod unknown_effect;
mod window;
mod written;
