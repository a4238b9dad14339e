//! Mutation: the rules are changed in one small place, and a scenario should notice. What no scenario notices is a rule
//! that none of them shows.
//!
//! [`mutants`] walks a definition and names every change; [`Trial`] makes one of them, compiles the game and plays its
//! scenarios; [`run`] does so for many mutants on all cores. Definitions are changed and not texts, so that a change
//! is always the one meant, and its place is that of the rules as written.
//!
//! Some changes make no difference, so that no scenario can notice them. Authors list those with the reason ([`equivalent`]);
//! the list is checked too. What people only read is never changed: titles, texts, prompts and labels.

mod condition;
pub mod equivalent;
mod expr;
pub mod keys;
mod parts;
mod run;
mod stmt;
mod trial;
mod walk;

pub use equivalent::{Equivalent, Equivalents};
pub use run::{Tally, run};
pub use trial::{Trial, TrialError, Verdict};
pub use walk::{Mutant, mutant, mutants};
