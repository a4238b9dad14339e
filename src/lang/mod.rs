//! Text to located trees: YAML files and the effect language inside them. Knows spelling, not meaning.

pub mod ast;
pub mod definition;
