//! Mutation testing: the rules are changed in one small place, and a scenario should notice. A mutant that no scenario
//! notices points to an untested rule.
//!
//! [`mutants`] walks a definition and names every mutation; [`Trial`] makes one of them, compiles the game and plays
//! its scenarios; [`run`] does so for many mutants on all cores. Definitions are mutated and not texts, so that a
//! mutation is always the one meant, and its location is that of the rules as written.
//!
//! Some mutants are equivalent, so that no scenario can notice them. Authors list those with the reason
//! ([`equivalent`]); the list is checked too. Texts for people are never changed: titles, texts, prompts and labels.

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
