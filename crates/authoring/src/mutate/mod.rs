//! Mutation testing: changes the rules in one small place and checks whether a scenario notices. A change that no
//! scenario notices belongs to a rule that no scenario covers.
//!
//! [`mutants`] walks a definition and lists every change. [`Trial`] makes one of them, compiles the game and runs its
//! scenarios. [`run`] does so for many mutants on all cores. Mutations apply to definitions instead of texts, so that a
//! change is always the intended one and its place is that of the original rules.
//!
//! Some changes make no difference, so that no scenario can notice them. Authors list those with a reason
//! ([`equivalent`]); the list is checked too. Titles, texts, prompts and labels are never mutated.

mod condition;
pub mod equivalent;
mod expr;
pub mod keys;
mod parts;
mod run;
mod stmt;
mod trial;
mod verdict;
mod walk;

pub use equivalent::{Equivalent, Equivalents};
pub use run::{MutantTally, run};
pub use trial::{Trial, TrialError};
pub use verdict::MutantVerdict;
pub use walk::{Mutant, mutant, mutants};
