//! The engine on small programs built by hand.

#![cfg(test)]
#![expect(clippy::disallowed_methods, reason = "tests look at the whole game")]

mod build;
mod chance;
mod choices;
mod decisions;
mod expressions;
mod knowledge;
mod limits;
mod moving;
mod saving;
mod tools;
