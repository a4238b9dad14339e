//! Parses text to located trees: YAML files and the effect language inside them. Knows spelling, not meaning.
//!
//! ```text
//! files ─ yaml.rs ─▶ Node tree ─ overlay/ ─▶ Node tree ─ load.rs ─▶ Definition
//!                                  └ effect.rs: layout.rs ─▶ grammar ─▶ ast.rs
//! ```

pub mod advice;
pub mod ast;
pub mod bundle;
pub mod definition;
pub mod effect;
pub mod elsewhere;
mod expected;
mod indent;
pub mod keys;
mod known;
mod layout;
pub mod limits;
pub mod load;
pub mod look;
mod lookalike;
pub mod overlay;
pub mod positions;
mod repair;
pub mod shape;
pub mod stack;
pub mod table;
mod token;
pub mod yaml;

pub use bundle::Bundle;
pub use known::Known;
pub use load::{Loaded, load, load_dir};
pub use positions::Positions;
pub use stack::Stack;
