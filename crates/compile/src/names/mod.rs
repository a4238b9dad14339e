//! The declarations of a definition: its names, types and texts, as translation and checks look them up.
//!
//! Nothing here translates or checks.

pub mod constant;
pub mod declaration;
pub mod reserved;
pub mod translation;
mod type_names;
pub mod types;
pub mod walk;
pub mod world;
