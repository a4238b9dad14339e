//! The grammar of the effect language: `effect.pest`, and the parser that pest derives from it.
//!
//! It is a crate of its own because the derived code takes as long to compile as everything else that reads rules, and
//! seldom changes.

// The derived parser names it.
extern crate alloc;

/// The parser; its result is a tree of [`Rule`]s with the text of each.
#[derive(pest_derive::Parser)]
#[grammar = "effect.pest"]
pub struct Grammar;

/// The text of the grammar, for tests that compare it with what implements it.
pub const TEXT: &str = include_str!("effect.pest");
